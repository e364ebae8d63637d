// SPDX-License-Identifier: BSL-1.0
// arena_layout: blocks of memory, each alive from a step to a step, laid out in one arena: the
// largest first, each at the lowest place that is free while it lives.
//   arena_layout a;  int x = a.add(0, 2, 256), y = a.add(3, 4, 100);  extent bytes = a.place(); // 256
// Needs: nothing. Leaves: blocks alive at one step do not overlap; offsets and sizes are multiples
// of 64. Quadratic in the number of blocks.
#pragma once

#include <weft/core/growing.hpp>
#include <weft/core/memory_source.hpp>

namespace weft::inline v0 {

class arena_layout {
public:
  struct block {
    int first = 0, last = 0;
    extent bytes = 0;
    extent least = 0; // of them alive at once at most: fewer where a loop's body is laid out inside
    extent offset = 0;
  };

  int add(int first, int last, extent bytes, extent least) {
    blocks_.push({first, last, aligned_bytes(bytes), aligned_bytes(least)});
    return blocks_.size() - 1;
  }
  int add(int first, int last, extent bytes) { return add(first, last, bytes, bytes); }
  block& operator[](int b) { return blocks_[b]; }
  block const& operator[](int b) const { return blocks_[b]; }

  // Gives every block its offset. Comes back: the bytes that hold them all.
  extent place() {
    growing<int> by_size, by_offset;
    for (int b = 0; b < blocks_.size(); ++b)
      insert(by_size, b, [this](int x, int y) { return blocks_[x].bytes > blocks_[y].bytes; });
    extent end = 0;
    for (int b : by_size) {
      extent at = 0;
      for (int other : by_offset) {
        block const& o = blocks_[other];
        if (o.last < blocks_[b].first || blocks_[b].last < o.first) continue;
        if (o.offset - at >= blocks_[b].bytes) break;
        if (o.offset + o.bytes > at) at = o.offset + o.bytes;
      }
      blocks_[b].offset = at;
      if (at + blocks_[b].bytes > end) end = at + blocks_[b].bytes;
      insert(by_offset, b, [this](int x, int y) { return blocks_[x].offset < blocks_[y].offset; });
    }
    return end;
  }
  // What no layout can go below: the bytes alive during one step, at most.
  extent most_alive() const {
    extent most = 0;
    for (block const& b : blocks_) {
      extent alive = 0; // when b begins: elsewhere nothing is added
      for (block const& o : blocks_)
        if (o.first <= b.first && b.first <= o.last) alive += o.least;
      if (alive > most) most = alive;
    }
    return most;
  }

private:
  // Into a sorted list, behind what is equal.
  template <class Before> static void insert(growing<int>& list, int b, Before const& before) {
    list.push(b);
    for (int i = list.size() - 1; i > 0 && before(b, list[i - 1]); --i) {
      list[i] = list[i - 1];
      list[i - 1] = b;
    }
  }
  growing<block> blocks_;
};

} // namespace weft::inline v0
