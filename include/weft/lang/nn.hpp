// SPDX-License-Identifier: BSL-1.0
// Neural network functions over the public ones: softmax and its relatives, losses, relu, a GRU
// step. They know nothing of traces: any array for which the functions below exist will do.
// Needs: elementwise.hpp, statistics.hpp, at.hpp, einsum.hpp.
#pragma once

#include <weft/lang/at.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/full_precision.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/statistics.hpp>

namespace weft::inline v0 {

// max(x, 0); NaN stays; the derivative at 0 is 0.
template <class X> constexpr auto relu(X const& x) { return select(x <= 0, 0, x); }

namespace detail {
// x minus its maximum along Axis, which is a constant for derivatives: they cancel.
template <int Axis, class X> constexpr auto below_maximum(X const& x) {
  return x - stop_gradient(max<Axis, keep>(x));
}
} // namespace detail

// exp(x - m) / sum(exp(x - m)) along Axis, m the maximum there; x's shape: softmax(logits).
template <int Axis = -1, class X> constexpr auto softmax(X const& x) {
  detail::full_precision const here(x);
  auto e = exp(detail::below_maximum<Axis>(x));
  return e / sum<Axis, keep>(e);
}
// log(softmax(x)) without the quotient; x's shape.
template <int Axis = -1, class X> constexpr auto log_softmax(X const& x) {
  detail::full_precision const here(x);
  auto s = detail::below_maximum<Axis>(x);
  return s - log(sum<Axis, keep>(exp(s)));
}

namespace detail {
template <class X>
inline constexpr auto last_extent =
    extent_argument_of<X::shape_type::value[X::shape_type::rank - 1]>;
template <class Logits, class Labels>
concept one_label_per_row = std::is_same_v<typename Labels::element_type, std::int32_t> &&
                            rank_of<Labels> + 1 == rank_of<Logits> &&
                            Labels::shape_type::value ==
                                without_axes(Logits::shape_type::value,
                                             extent{1} << (rank_of<Logits> - 1));
} // namespace detail

// Per row of logits (..., classes): -log_softmax(row)[label], labels (...) of int. The element is
// picked by a comparison, so that everything is elementwise but the two sums.
template <class Logits, class Labels>
constexpr auto softmax_cross_entropy(Logits const& logits, Labels const& labels) {
  static_assert(detail::one_label_per_row<Logits, Labels>,
                "weft: softmax_cross_entropy: logits (..., classes) and int labels (...)");
  if constexpr (detail::one_label_per_row<Logits, Labels>) {
    detail::full_precision const here(logits);
    auto s = detail::below_maximum<-1>(logits);
    auto mine = at<"..., new">(labels) == arange<int, detail::last_extent<Logits>>();
    return log(sum<-1>(exp(s))) - sum<-1>(select(mine, s, 0));
  } else return sum<-1>(logits);
}

// Weights of a GRU cell, gates in PyTorch's order: reset, update, new.
template <template <class, auto...> class array, int In, int Hidden> struct gru_weights {
  array<float, 3 * Hidden, In> input;
  array<float, 3 * Hidden, Hidden> hidden;
  array<float, 3 * Hidden> input_bias, hidden_bias;
};

namespace detail {
// (..., 3 H) -> (..., 3, H).
constexpr extents three_of(extents s) {
  extent each = s[s.rank - 1] / 3;
  s[s.rank - 1] = 3;
  s.push(each);
  return s;
}
template <auto... E, class X> constexpr auto reshape_as(shape<E...>, X const& x) {
  return reshape<E...>(x);
}
template <class X> constexpr auto three_gates(X const& x) {
  return reshape_as(shape_of_value<three_of(X::shape_type::value)>{}, x);
}
} // namespace detail

// One step, as PyTorch's: a = W_i x + b_i, c = W_h h + b_h, each in three gates;
// r = sigmoid(a0 + c0), z = sigmoid(a1 + c1), n = tanh(a2 + r c2), h' = (1 - z) n + z h.
template <class P, class H, class X> constexpr auto gru(P const& p, H const& h, X const& x) {
  auto a = detail::three_gates(linear<"...i,oi->...o">(x, p.input, p.input_bias));
  auto c = detail::three_gates(linear<"...i,oi->...o">(h, p.hidden, p.hidden_bias));
  auto r = sigmoid(at<"..., 0, :">(a) + at<"..., 0, :">(c));
  auto z = sigmoid(at<"..., 1, :">(a) + at<"..., 1, :">(c));
  auto n = tanh(at<"..., 2, :">(a) + r * at<"..., 2, :">(c));
  return (1 - z) * n + z * h;
}

} // namespace weft::inline v0
