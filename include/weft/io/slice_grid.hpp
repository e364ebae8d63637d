// SPDX-License-Identifier: BSL-1.0
// slice_grid: how the slices of all ranks lie in an array, pushed rank by rank: the cells of a
// grid, each on one or more ranks, of which the lowest writes it.
//   slice_grid grid({2, {4, 6}});
//   for (extent r = 0; r < world; ++r) right = right && grid.push(slice_of(r));
//   if (right && grid.is_whole()) writer = grid.writer_of(slice_of(rank));
// Needs: a whole whose elements can be counted.
#pragma once

#include <weft/io/array_slice.hpp>

#include <map>

namespace weft::inline v0 {
namespace detail {

class slice_grid {
public:
  explicit slice_grid(extents const& whole) : whole_(whole) {}

  // False where it lies outside, or other slices meet it other than as the cells of a grid do. One
  // without elements is no cell: its rank has nothing of the array.
  bool push(array_slice const& s) {
    extent const rank = ranks_++;
    if (!lies_in(s, whole_)) return false;
    if (count_of(s.shape) == 0) return true;
    cell c{};
    for (int i = 0; i < whole_.rank; ++i) {
      c.d[i] = s.first[i];
      if (parts_[i].emplace(s.first[i], s.shape[i]).first->second != s.shape[i]) return false;
    }
    first_of_.emplace(c, rank);
    return true;
  }
  // Is every element in one cell, and are all cells there?
  bool is_whole() const {
    if (count_of(whole_) == 0) return true;
    std::size_t cells = 1;
    for (int i = 0; i < whole_.rank; ++i) {
      extent next = 0;
      for (auto const& [first, length] : parts_[i]) {
        if (first != next) return false;
        next = first + length;
      }
      if (next != whole_[i]) return false;
      cells *= parts_[i].size();
    }
    return cells == first_of_.size();
  }
  // The lowest rank that has this slice, one with elements that was pushed.
  extent writer_of(array_slice const& s) const {
    cell c{};
    for (int i = 0; i < whole_.rank; ++i) c.d[i] = s.first[i];
    return first_of_.at(c);
  }

private:
  struct cell {
    extent d[max_rank];
    friend bool operator<(cell const& a, cell const& b) {
      for (int i = 0; i < max_rank; ++i)
        if (a.d[i] != b.d[i]) return a.d[i] < b.d[i];
      return false;
    }
  };
  extents whole_;
  std::map<extent, extent> parts_[max_rank]; // of each axis: where they begin, how long they are
  std::map<cell, extent> first_of_;
  extent ranks_ = 0;
};

} // namespace detail
} // namespace weft::inline v0
