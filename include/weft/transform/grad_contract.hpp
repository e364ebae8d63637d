// SPDX-License-Identifier: BSL-1.0
// The cotangent of one value while its contributions arrive, and the products that contribute.
//
// Order (docs/numerics.md). Contributions arrive in decreasing consumer order, those of one
// consumer in the order of its rule. Two totals are kept and never mixed on the way:
//   chain  the `chain` contractions: each takes the one before as its start operand, in the
//          accumulation type, and only the last one rounds to the value's type;
//   sum    everything else, `lanes` contractions included, added from the first one on
//          (-0 + x = x, so the first one stands for itself).
// When both exist, the cotangent is sum + chain: the chain's total is added last, wherever its
// links stood. Since the totals do not mix, a loop can take both over and hand both back.
//
// Products. For C[out] = sum A[a] B[b]:
//   dA[a] = sum dC[out] B[b]   summed labels in the order of `out`  (for x W: columns of W)
//   dB[b] = sum A[a] dC[out]   summed labels in the order of `a`    (for x W: batch axes outermost)
// Needs: graph/handle.hpp. Leaves: the order attribute of a derivative is order_for of its own
// operands, as for any contraction when it is first recorded.
#pragma once

#include <weft/graph/handle.hpp>

namespace weft::inline v0 {
namespace detail {

// The total of a chain as a contribution of the given type. Nothing may continue it afterwards.
constexpr handle end_of_chain(handle chain, dtype type) {
  if (chain.type() == type) return chain;
  node& last = chain.where->result.nodes[chain.id];
  bool const narrows =
      last.code == op::contract &&
      chain.where->result.nodes[chain.where->result.operands[last.first_operand]].type == type;
  if (!narrows) return convert(chain, type); // it went through a loop, or has wide factors
  last.type = type;
  return chain;
}

struct cotangent {
  handle sum, chain;

  constexpr bool any() const { return sum.valid() || chain.valid(); }
  constexpr void add(handle h) { sum = sum.valid() ? sum + h : h; }
  // Takes over another value's totals: the two values are the same one.
  constexpr void absorb(cotangent const& other, dtype type) {
    if (other.sum.valid()) add(other.sum);
    if (!other.chain.valid()) return;
    if (chain.valid()) add(end_of_chain(other.chain, type));
    else chain = other.chain;
  }
  constexpr handle total(dtype type) {
    if (chain.valid()) add(end_of_chain(chain, type));
    chain = {};
    return sum;
  }
};

// The labels of the derivative by operand i (0: a, 1: b), order not yet set.
constexpr contraction product_rule(contraction const& c, int i) {
  contraction d;
  if (i == 0) {
    copy_labels(c.out, c.rank_out, d.a, d.rank_a);
    copy_labels(c.b, c.rank_b, d.b, d.rank_b);
    copy_labels(c.a, c.rank_a, d.out, d.rank_out);
  } else {
    copy_labels(c.a, c.rank_a, d.a, d.rank_a);
    copy_labels(c.out, c.rank_out, d.b, d.rank_b);
    copy_labels(c.b, c.rank_b, d.out, d.rank_out);
  }
  return d;
}
// Its order: the shapes are those of C, A, B.
constexpr contract_order product_order(contraction const& d, int i, extents const& c,
                                       extents const& a, extents const& b) {
  return i == 0 ? order_for(d, c, b) : order_for(d, a, c);
}

// One contribution that is a contraction.
struct product_term {
  int target = -1; // the value it contributes to
  handle a, b;
  contraction labels;
};

// Factors of one type: where they differ (a float result of bf16 operands) both are widened.
constexpr void agree(product_term& p) {
  if (p.a.type() == p.b.type()) return;
  dtype const wide = accumulator_of(p.a.type());
  p.a = convert(p.a, wide);
  p.b = convert(p.b, wide);
}
constexpr handle record_product(product_term p, dtype type, handle start) {
  p.labels.has_start = start.valid();
  return contract(p.a, p.b, p.labels, type, start);
}
constexpr void contribute(cotangent& to, product_term p, dtype type) {
  agree(p);
  if (p.labels.order == contract_order::lanes) {
    bool const narrows = p.a.type() == type || accumulator_of(p.a.type()) == type;
    to.add(convert(record_product(p, narrows ? type : p.a.type(), {}), type));
  } else to.chain = record_product(p, accumulator_of(type), to.chain);
}
// The product of factors stacked along a new outermost label, summed over it.
constexpr product_term summed_over_steps(product_term p, handle a, handle b) {
  extent const step = fresh_label(p.labels);
  put_first(p.labels.a, p.labels.rank_a, step);
  put_first(p.labels.b, p.labels.rank_b, step);
  p.a = a;
  p.b = b;
  return p;
}

} // namespace detail
} // namespace weft::inline v0
