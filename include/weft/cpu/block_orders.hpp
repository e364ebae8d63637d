// SPDX-License-Identifier: BSL-1.0
// block_orders: a group's instructions as the block executor follows them: what is run, and which
// buffer each value lies in. Additions and products that only one other takes are run with it as one
// tree (block_trees.hpp). A value has a buffer until its last use; constants keep theirs, a pack each.
// Needs: the lowered group. Leaves: buffers of together 24 KiB, most of a first cache, or of 256 elements
// each where that is more.
#pragma once

#include <weft/core/memory_source.hpp>
#include <weft/cpu/block_places.hpp>
#include <weft/cpu/block_trees.hpp>
#include <weft/pass/lower.hpp>

namespace weft::inline v0 {
namespace cpu {

struct block_order {
  instruction_kind kind{};
  dtype type{};
  block_steps steps{};
  block_load load = nullptr;
  int place = -1;
  int out = -1, second = -1, in[4]{}, operands = 0; // buffers
  word bits = 0;
  bool direct = false;       // a load: may its elements be read later, where they lie?
  bool reduced_only = false; // ... and lines anyhow apart, as reductions alone take them
  bool whole = false;        // of an output, or its other word: a pack for every pack of elements
  int stores = -1;           // the output whose memory may be the result itself
};

template <class Target> class block_orders {
public:
  block_orders(view<instruction> code, view<output> outputs)
      : root_(code.size(), -1), uses_(code.size(), 0), is_output_(code.size(), false) {
    for (instruction const& n : code) {
      has_wide_ |= is_wide(n.type);
      for (int r : n.operand)
        if (r >= 0) ++uses_[r];
    }
    for (output const& o : outputs) {
      is_output_[o.source] = true;
      stores_ |= o.reduction == op::stop_gradient;
    }
    find_trees(code);
    assign_buffers(code, outputs);
    find_last_store(outputs);
    int most = most_block_length;
    while (most > 256 && buffers_ * most > most_words / words()) most /= 2;
    length_ = most;
    offset_.push(0);
    for (bool small : is_small_)
      offset_.push(offset_.back() +
                   aligned_bytes(extent{small ? Target::lanes : length_} * words() * 4) / 4);
  }

  view<block_order> all() const { return orders_; }
  // Of the value of output o.
  int source(int o) const { return sources_[o]; }
  int buffers() const { return is_small_.size(); }
  // Elements that a buffer holds; words of each; where buffer b begins, in words.
  int length() const { return length_; }
  int words() const { return has_wide_ ? 2 : 1; }
  extent offset(int b) const { return offset_[b]; }
  bool is_small(int b) const { return is_small_[b]; }

private:
  using trees = detail::block_trees<Target>;
  static constexpr int most_words = 6144; // 24 KiB

  static bool is_in_trees(instruction const& n) {
    return n.kind == instruction_kind::compute && n.type == dtype::f32 && n.from == dtype::f32 &&
           trees::has(n.code);
  }
  // From the last on, so that what takes others is not taken itself.
  void find_trees(view<instruction> code) {
    for (int i = code.size() - 1; i >= 0; --i)
      if (root_[i] < 0 && is_in_trees(code[i]))
        for (int k = 0; k < 2; ++k)
          if (int const r = code[i].operand[k];
              uses_[r] == 1 && !is_output_[r] && is_in_trees(code[r]))
            root_[r] = i;
  }
  op form_of(view<instruction> code, int i, int k) const {
    int const r = code[i].operand[k];
    return root_[r] == i ? code[r].code : trees::leaf;
  }

  void assign_buffers(view<instruction> code, view<output> outputs) {
    growing<int> last(code.size(), -1), buffer(code.size(), -1), free;
    for (int i = 0; i < code.size(); ++i) // a tree's members take their operands at its root
      for (int r : code[i].operand)
        if (int const user = root_[i] < 0 ? i : root_[i]; r >= 0 && last[r] < user) last[r] = user;
    for (output const& o : outputs) last[o.source] = code.size();
    for (int i = 0; i < code.size(); ++i) {
      instruction const& n = code[i];
      if (n.kind == instruction_kind::second || root_[i] >= 0) continue;
      bool const two = i + 1 < code.size() && code[i + 1].kind == instruction_kind::second;
      block_order o{.kind = n.kind, .type = n.type, .place = n.place};
      o.whole = is_output_[i] || (two && is_output_[i + 1]);
      // What an output may be written over is read before: a load that is one itself is copied.
      bool const is_plain = n.kind == instruction_kind::load && is_plain_word(n.type);
      o.direct = is_plain && !(stores_ && is_output_[i]);
      o.reduced_only = is_plain && !stores_ && uses_[i] == 0;
      o.out = buffer[i] = n.kind == instruction_kind::constant ? add(!o.whole) : take(free);
      if (two) o.second = buffer[i + 1] = take(free);
      int operand[4];
      for (int k = 0; k < 4; ++k)
        if (int const r = n.operand[k]; r >= 0) {
          bool const is_tree = root_[r] == i;
          for (int j = 0; j < (is_tree ? 2 : 1); ++j)
            operand[o.operands++] = is_tree ? code[r].operand[j] : r;
        }
      for (int k = 0; k < o.operands; ++k) o.in[k] = buffer[operand[k]];
      if (is_in_trees(n)) o.steps = {trees::find(n.code, form_of(code, i, 0), form_of(code, i, 1))};
      else choose(o, n);
      orders_.push(o);
      for (int k = 0; k < o.operands; ++k) {
        int const r = operand[k];
        bool again = false;
        for (int j = 0; j < k; ++j) again |= operand[j] == r;
        if (!again && last[r] == i && code[r].kind != instruction_kind::constant)
          free.push(buffer[r]);
      }
    }
    for (output const& o : outputs) sources_.push(buffer[o.source]);
  }
  int add(bool is_small) {
    buffers_ += is_small ? 0 : 1;
    is_small_.push(is_small);
    return is_small_.size() - 1;
  }
  int take(growing<int>& free) {
    if (free.empty()) return add(false);
    int const b = free.back();
    free.pop();
    return b;
  }
  // Nothing but the last order writes to memory before the end of all.
  void find_last_store(view<output> outputs) {
    if (orders_.empty() || orders_.back().kind != instruction_kind::compute) return;
    block_order& last = orders_.back();
    for (int k = 0; k < outputs.size() && last.second < 0; ++k)
      if (outputs[k].reduction == op::stop_gradient && sources_[k] == last.out &&
          is_plain_word(outputs[k].type))
        last.stores = k;
  }
  static bool is_plain_word(dtype d) { return detail::as_loaded(d) == dtype::u32; }
  void choose(block_order& o, instruction const& n) {
    using ops = detail::block_ops<Target>;
    using enum instruction_kind;
    if (n.kind == constant) o.bits = detail::held_word(n.type, static_cast<word>(n.bits));
    if (n.kind == load) o.load = detail::block_places<Target>::table.load[static_cast<int>(n.type)];
    if (n.kind == affine) o.steps = ops::find(op::convert, dtype::i32, n.type);
    if (n.kind == compute) o.steps = ops::find(n.code, n.from, n.type);
  }

  growing<int> root_, uses_; // per instruction: the one that it runs with, or -1; by instructions
  growing<bool> is_output_;  // per instruction
  bool stores_ = false;      // is an output no reduction?
  growing<block_order> orders_;
  growing<int> sources_;
  growing<bool> is_small_; // per buffer
  growing<extent> offset_;
  bool has_wide_ = false;
  int buffers_ = 0; // of whole length
  int length_ = 0;
};

} // namespace cpu
} // namespace weft::inline v0
