// SPDX-License-Identifier: BSL-1.0
// Scaled dot-product attention over the public functions, at both doors.
//   auto y = attention(q, k, v);               // every query sees every key
//   auto y = causal_attention(q, k, v);        // query i sees keys up to i (ends aligned)
//   auto y = masked_attention(q, k, v, mask);  // mask of bool, broadcast to (..., queries, keys)
// q (..., queries, d), k (..., keys, d), v (..., keys, e) -> (..., queries, e), leading axes equal.
// A query that sees no key gives zeros. Scores of 16-bit floats, and their softmax, are float; the
// weights are rounded before they meet v. Source: Vaswani et al. 2017.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_nn.hpp>
#include <weft/lang/leaf_arithmetic.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr double inverse_root(double x) {
  double r = x < 1 ? 1 : 1 / x;
  for (int i = 0; i < 64; ++i) r = r * (1.5 - 0.5 * x * r * r);
  return r;
}
template <class Q>
concept has_static_depth = Q::shape_type::rank >= 2 &&
                           Q::shape_type::value[Q::shape_type::rank - 1] > 0;

template <class Q, class K> constexpr auto attention_scores(Q const& q, K const& k) {
  constexpr bool deep = has_static_depth<Q>;
  static_assert(deep,
                "weft: attention: the last axis of the queries is not a static extent above 0");
  constexpr double depth = has_static_depth<Q>
                               ? static_cast<double>(Q::shape_type::value[rank_of<Q> - 1])
                               : 1.0;
  using T = rounded_once_call::wide<element_of<Q>>;
  return einsum<"...qd,...kd->...qk", T>(q, k) * inverse_root(depth);
}
// T: the type of the queries.
template <class T> constexpr auto weighted_sum(auto const& weights, auto const& v) {
  return einsum<"...qk,...ke->...qe">(number_in<T>(weights), v);
}
// softmax over the keys, of those that the mask lets through.
constexpr auto masked_softmax(auto const& scores, auto const& mask) {
  full_precision const here(scores);
  auto lowest = -infinity_f32;
  auto top = stop_gradient(max<-1, keep>(select(mask, scores, lowest)));
  auto e = select(mask, exp(select(mask, scores - top, 0)), 0);
  auto total = sum<-1, keep>(e);
  return e / select(total == 0, 1, total);
}
struct attention_call : plain_call {
  template <class Q> constexpr auto operator()(Q const& q, auto const& k, auto const& v) const {
    return weighted_sum<element_of<Q>>(softmax(attention_scores(q, k)), v);
  }
};
struct masked_attention_call {
  template <int K, class Q, class...> using number = element_of<Q>;
  template <class Q>
  constexpr auto operator()(Q const& q, auto const& k, auto const& v, auto const& mask) const {
    return weighted_sum<element_of<Q>>(masked_softmax(attention_scores(q, k), mask), v);
  }
};
template <class X> constexpr auto axis_count(X const& x, int axis) {
  extent const length = X::shape_type::value[axis];
  return traced<int>{count_node(*x.value.where, {1, {length}}, dtype::i32)};
}
struct causal_attention_call : plain_call {
  template <class Q> constexpr auto operator()(Q const& q, auto const& k, auto const& v) const {
    auto scores = attention_scores(q, k);
    using S = typename decltype(scores)::shape_type;
    constexpr int keys = S::rank - 1, queries = S::rank - 2;
    auto ahead = axis_count(scores, keys) - axis_count(scores, queries);
    auto last_seen = arange<int, extent_argument_of<S::value[queries]>>() + ahead;
    auto seen = arange<int, extent_argument_of<S::value[keys]>>() <= at<":, new">(last_seen);
    return weighted_sum<element_of<Q>>(masked_softmax(scores, seen), v);
  }
};

} // namespace detail

template <class Q, class K, class V> constexpr auto attention(Q const& q, K const& k, V const& v) {
  return detail::now_at_door<detail::attention_call>(q, k, v);
}
template <class Q, class K, class V, class Mask>
constexpr auto masked_attention(Q const& q, K const& k, V const& v, Mask const& mask) {
  return detail::now_at_door<detail::masked_attention_call>(q, k, v, mask);
}
template <class Q, class K, class V>
constexpr auto causal_attention(Q const& q, K const& k, V const& v) {
  return detail::now_at_door<detail::causal_attention_call>(q, k, v);
}

} // namespace weft::inline v0
