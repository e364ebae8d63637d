// SPDX-License-Identifier: BSL-1.0
// joined_pads: a sum of parts, each with zeros around along one axis, that together fill it, as one
// array of these parts: what the derivatives of slices add up to (the gates of a recurrent layer).
//   add(add(pad(a), pad(b)), pad(c)) = concat(a + 0, b + 0, c + 0)      of integers concat(a, b, c)
// Floats keep a zero, which makes +0 of -0 as the sum does.
// Needs: a rewriter at an add node whose operands are mapped. Leaves: the new node's id, or -1: the
// node is no such sum.
#pragma once

#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

class joined_pads {
public:
  constexpr joined_pads(rewriter& w, int id) : w_(w), of_(w.from[id]) {
    int const last = w.map[w.from.operand(id, 1)]; // is a pad in a chain of sums: asked first
    complete_ = take(last) && take(w.map[w.from.operand(id, 0)]);
  }
  constexpr int node_id() {
    if (!complete_ || !fill_axis()) return -1;
    int parts[most]{};
    for (int k = 0; k < count_; ++k) parts[k] = plus_zero(part_[k].id);
    extent const axis[] = {axis_};
    return add(op::concat, of_.shape, {parts, count_}, {axis, 1});
  }

private:
  static constexpr int most = 8;
  struct part {
    int id;
    extent low, size;
  };

  // The pads that a sum adds up.
  constexpr bool take(int id) {
    node const& n = w_.result[id];
    if (n.code == op::pad) return take_pad(id);
    if (n.code != op::add || n.type != of_.type || n.shape != of_.shape || count_ >= most)
      return false;
    graph_view const g(w_.result);
    return take(g.operand(id, 1)) && take(g.operand(id, 0));
  }
  constexpr bool take_pad(int id) {
    graph_view const g(w_.result);
    int const x = g.operand(id, 0), value = g.operand(id, 1), rank = g.shape(id).rank;
    if (count_ == most || g[id].shape != of_.shape || g[value].code != op::constant ||
        g.attribute(value, 0) != 0)
      return false;
    int along = -1;
    for (int k = 0; k < rank; ++k) {
      extent const low = g.attribute(id, k), high = g.attribute(id, rank + k);
      if (g.attribute(id, 2 * rank + k) != 0) return false;
      if (low == 0 && high == 0) continue;
      if (along >= 0 || low < 0 || high < 0 || is_named(g.shape(id)[k])) return false;
      along = k;
    }
    if (along < 0 || (axis_ >= 0 && along != axis_)) return false;
    axis_ = along;
    part next{x, g.attribute(id, along), g.shape(x)[along]};
    int at = count_++; // by rising places
    for (; at > 0 && part_[at - 1].low > next.low; --at) part_[at] = part_[at - 1];
    part_[at] = next;
    return true;
  }
  // Do the parts follow each other from the axis's beginning to its end?
  constexpr bool fill_axis() const {
    extent end = 0;
    for (int k = 0; k < count_; ++k) {
      if (part_[k].low != end) return false;
      end += part_[k].size;
    }
    return end == w_.result.shapes[of_.shape][axis_];
  }
  // Before a reshape: beside what computes x.
  constexpr int plus_zero(int x) {
    if (!is_float(of_.type)) return x;
    int const shape = w_.result[x].shape;
    if (w_.result[x].code == op::reshape) {
      int const whole[] = {plus_zero(graph_view(w_.result).operand(x, 0))};
      return add(op::reshape, shape, {whole, 1});
    }
    extent const bits[] = {0};
    int const both[] = {x, add(op::constant, shape, {}, {bits, 1})};
    return add(op::add, shape, {both, 2});
  }
  constexpr int add(op code, int shape, view<int> operands, view<extent> attributes = {}) {
    return w_.add_beside(of_, code, of_.type, shape, operands, attributes);
  }

  rewriter& w_;
  node of_;
  bool complete_ = false;
  int axis_ = -1, count_ = 0;
  part part_[most]{};
};

} // namespace detail
} // namespace weft::inline v0
