// SPDX-License-Identifier: BSL-1.0
// relax: what policy::fast (run/policy.hpp) changes in a program, as a graph like any other: every
// executor gives its bits.
//   x / broadcast(v)   ->  x * broadcast(1 / v)    one division for each v; also where v is a constant
//   a * b + c          ->  fma(a, b, c)            one rounding less; c + a * b and both differences
// The first is at most 1 ulp further away where 2^-126 <= |v| <= 2^126; beyond, 1 / v is infinite or
// subnormal. The second is within the error of the two roundings it replaces.
// Needs: a verified graph that is not differentiated any more; only f32 and f64 are touched.
// Leaves: nodes without users (dce takes them). Linear, one sweep; stands before every other pass.
#pragma once

#include <weft/op/table.hpp>
#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

class relaxer {
public:
  constexpr explicit relaxer(rewriter& w) : w_(w) {}

  // The new node that node i is.
  constexpr int relaxed(int i) {
    node const& n = w_.from.nodes.first[i];
    if (n.type != dtype::f32 && n.type != dtype::f64) return w_.copy(i);
    if (n.code == op::div && is_repeated(in(n, 1)))
      return add(n, op::mul, {in(n, 0), inverse_of(in(n, 1))});
    if (n.code == op::add) {
      if (is_product(in(n, 0), n)) return fused(n, in(n, 0), in(n, 1));
      if (is_product(in(n, 1), n)) return fused(n, in(n, 1), in(n, 0));
    }
    if (n.code == op::sub) {
      if (is_product(in(n, 0), n)) return fused(n, in(n, 0), add(n, op::neg, {in(n, 1)}));
      if (is_product(in(n, 1), n)) {
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
  // (Of the same region: what is outside of a loop stays there.)
  constexpr bool is_product(int id, node const& user) const {
    return w_.result[id].code == op::mul && w_.result[id].region == user.region;
  }
  // Is every element of this one of fewer?
  constexpr bool is_repeated(int id) const {
    bool spread = false;
    for (; is_view(w_.result[id].code); id = factor(id, 0))
      spread |= w_.result[id].code == op::broadcast;
    node const& n = w_.result[id];
    return spread || (n.code == op::constant && n.attribute_count == 1);
  }
  // The same views of 1 / v; once for all users.
  constexpr int inverse_of(int id) {
    if (id < inverse_.size() && inverse_[id] >= 0) return inverse_[id];
    node n = w_.result[id];
    int made = -1;
    if (is_view(n.code)) {
      int const below = inverse_of(factor(id, 0));
      growing<extent> const attributes(graph_view(w_.result).attributes_of(id));
      made = w_.result.add(n, {&below, 1}, attributes);
    } else {
      n.body = -1;
      made = add(n, op::reciprocal, {id});
    }
    while (inverse_.size() <= id) inverse_.push(-1);
    return inverse_[id] = made;
  }

  rewriter& w_;
  growing<int> inverse_; // by new id; -1: none yet
};

} // namespace detail

constexpr graph relax(graph_view g) {
  detail::rewriter w(g);
  detail::relaxer rules(w);
  for (int i = 0; i < g.size(); ++i) w.map.data()[i] = rules.relaxed(i);
  return w.finish();
}

} // namespace weft::inline v0
