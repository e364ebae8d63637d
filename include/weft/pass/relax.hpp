// SPDX-License-Identifier: BSL-1.0
// relax: what policy::fast (run/policy.hpp) changes in a program, as a graph like any other: every
// executor gives its bits.
//   x / broadcast(v)   ->  x * broadcast(1 / v)    one division for each v, of which there are fewer
//                                                  than quotients; also where v is a constant
//   a * b + c          ->  fma(a, b, c)            one rounding less; c + a * b and both differences
// The first is at most 1 ulp further away where 2^-126 <= |v| <= 2^126 (double: 2^-1022, 2^1022); beyond,
// 1 / v is infinite or subnormal. The second is within the error of the two roundings that it replaces;
// not where `fuses` is false, as of a target without the instruction.
// Needs: a verified graph that is not differentiated any more; only f32 and f64 are touched.
// Leaves: nodes without users (dce takes them). Linear, one sweep; stands before every other pass. A
// loop's body is a graph of its own: what its parameters were made of is not seen.
#pragma once

#include <weft/op/table.hpp>
#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

class relaxer {
public:
  constexpr relaxer(rewriter& w, bool fuses) : w_(w), fuses_(fuses) {}

  // The new node that node i is.
  constexpr int relaxed(int i) {
    node const& n = w_.from.nodes.first[i];
    if (n.type != dtype::f32 && n.type != dtype::f64) return w_.copy(i);
    if (n.code == op::div)
      if (int const v = fewer_than(n, in(n, 1)); v >= 0)
        return add(n, op::mul, {in(n, 0), inverse_of(in(n, 1), v)});
    if (!fuses_) return w_.copy(i);
    if (n.code == op::add) {
      if (is_product(in(n, 0))) return fused(n, in(n, 0), in(n, 1));
      if (is_product(in(n, 1))) return fused(n, in(n, 1), in(n, 0));
    }
    if (n.code == op::sub) {
      if (is_product(in(n, 0))) return fused(n, in(n, 0), add(n, op::neg, {in(n, 1)}));
      if (is_product(in(n, 1))) {
        int const product = in(n, 1), minus = add(n, op::neg, {factor(product, 0)});
        return add(n, op::fma, {minus, factor(product, 1), in(n, 0)});
      }
    }
    return w_.copy(i);
  }

private:
  struct few {
    int id[3]{};
    int count = 0;
    constexpr few(int a) : id{a}, count(1) {}
    constexpr few(int a, int b) : id{a, b}, count(2) {}
    constexpr few(int a, int b, int c) : id{a, b, c}, count(3) {}
  };
  constexpr int in(node const& n, int k) const {
    return w_.map.data()[w_.from.operands.first[n.first_operand + k]];
  }
  constexpr int factor(int product, int k) const {
    return w_.result.operands[w_.result[product].first_operand + k];
  }
  // A node of another op in n's place.
  constexpr int add(node n, op code, few const& operands) {
    n.code = code;
    return w_.result.add(n, {operands.id, operands.count}, {});
  }
  constexpr int fused(node const& n, int product, int other) {
    return add(n, op::fma, {factor(product, 0), factor(product, 1), other});
  }
  constexpr bool is_product(int id) const { return w_.result[id].code == op::mul; }
  // With each name as one large extent.
  constexpr extent elements_of(node const& n) const {
    extents s = w_.result.shapes[n.shape];
    for (int k = 0; k < s.rank; ++k)
      if (is_named(s[k])) s[k] = 64;
    return count_of(s);
  }
  // What the elements of divisor `id` repeat, if there are fewer than quotients: the least that is
  // broadcast on the way to it, or a constant's number. -1: none.
  constexpr int fewer_than(node const& quotient, int id) const {
    extent least = elements_of(quotient);
    int found = -1;
    for (; is_view(w_.result[id].code); id = factor(id, 0))
      if (w_.result[id].code == op::broadcast)
        if (int const v = factor(id, 0); elements_of(w_.result[v]) < least) {
          least = elements_of(w_.result[v]);
          found = v;
        }
    node const& n = w_.result[id];
    return n.code == op::constant && n.attribute_count == 1 ? id : found;
  }
  // The views of 1 / v that lead from v to `id`; once for all users.
  constexpr int inverse_of(int id, int v) {
    if (id < inverse_.size() && inverse_[id].v == v) return inverse_[id].made;
    node n = w_.result[id];
    int made = -1;
    if (id != v) {
      int const below = inverse_of(factor(id, 0), v);
      growing<extent> const attributes(graph_view(w_.result).attributes_of(id));
      made = w_.result.add(n, {&below, 1}, attributes);
    } else {
      n.body = -1;
      made = add(n, op::reciprocal, {id});
    }
    while (inverse_.size() <= id) inverse_.push({});
    inverse_[id] = {v, made};
    return made;
  }

  struct inverse {
    int v = -1, made = -1;
  };
  rewriter& w_;
  bool fuses_;
  growing<inverse> inverse_; // by new id
};

} // namespace detail

constexpr graph relax(graph_view g, bool fuses = true) {
  detail::rewriter w(g);
  detail::relaxer rules(w, fuses);
  for (int i = 0; i < g.size(); ++i) w.map.data()[i] = rules.relaxed(i);
  return w.finish();
}

} // namespace weft::inline v0
