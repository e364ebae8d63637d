// SPDX-License-Identifier: BSL-1.0
// plain_product: a contraction that sums nothing (Hadamard, outer, scaled) as elementwise work over
// views of its operands, which then fuses with its neighbours:
//   chain  fma(a, b, +0)        lanes  fma(a, b, +0) + 0, where the other lanes' zeros come in
// in the accumulation type, then the bias, then one rounding: the contraction's bits.
// Needs: a rewriter at a contract node whose operands are mapped; no derivative still to come, and
// no autocast (both know products by their node). Leaves: the new node's id, or -1: it sums, or
// continues a chain.
#pragma once

#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

class plain_product {
public:
  constexpr plain_product(rewriter& w, int id)
      : w_(w), id_(id), c_(contraction_of(w.from, id)), of_(w.from[id]) {}

  constexpr int node_id() {
    if (c_.has_start || sums()) return -1;
    dtype const sums = accumulator_of(type_of(in(0)));
    int const a = spread(in(0), c_.a, c_.rank_a, sums), b = spread(in(1), c_.b, c_.rank_b, sums);
    int product = -1;
    if (is_float(sums)) {
      extent const bits[] = {0};
      int const zero = add(op::constant, sums, of_.shape, {}, {bits, 1});
      product = add(op::fma, sums, {a, b, zero});
      if (c_.order == contract_order::lanes) product = add(op::add, sums, {product, zero});
    } else product = add(op::mul, sums, {a, b});
    if (c_.has_bias) product = add(op::add, sums, {product, converted(in(2), sums)});
    return converted(product, of_.type);
  }

private:
  struct few {
    int count = 0;
    int id[3]{};
    constexpr few() = default;
    constexpr few(int a) : count(1), id{a} {}
    constexpr few(int a, int b) : count(2), id{a, b} {}
    constexpr few(int a, int b, int c) : count(3), id{a, b, c} {}
  };
  constexpr bool sums() const {
    for (int i = 0; i < c_.rank_a; ++i)
      if (c_.contracted(c_.a[i])) return true;
    return false;
  }
  constexpr int in(int k) const { return w_.map[w_.from.operand(id_, k)]; }
  constexpr dtype type_of(int id) const { return w_.result[id].type; }
  constexpr int add(op code, dtype type, few const& operands) {
    return add(code, type, of_.shape, operands, {});
  }
  constexpr int add(op code, dtype type, int shape, few const& operands, view<extent> attributes) {
    return w_.add_beside(of_, code, type, shape, {operands.id, operands.count}, attributes);
  }
  constexpr int converted(int id, dtype to) {
    return type_of(id) == to ? id : add(op::convert, to, w_.result[id].shape, {id}, {});
  }
  // x with the axes of the result: its own in the result's order, then broadcast.
  constexpr int spread(int x, extent const (&labels)[max_rank], int rank, dtype type) {
    extent order[max_rank]{}, map[max_rank]{};
    extents turned;
    bool moved = false;
    for (int i = 0; i < c_.rank_out; ++i) {
      int const at = contraction::find(labels, rank, c_.out[i]);
      if (at < 0) continue;
      map[turned.rank] = i;
      moved |= at != turned.rank;
      order[turned.rank] = at;
      extent const e = w_.result.shape(x)[at];
      turned.push(e);
    }
    if (moved) x = add(op::transpose, type_of(x), w_.result.intern(turned), {x}, {order, rank});
    if (w_.result[x].shape != of_.shape)
      x = add(op::broadcast, type_of(x), of_.shape, {x}, {map, rank});
    return converted(x, type);
  }

  rewriter& w_;
  int id_;
  contraction c_;
  node of_;
};

} // namespace detail
} // namespace weft::inline v0
