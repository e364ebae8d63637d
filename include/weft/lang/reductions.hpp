// SPDX-License-Identifier: BSL-1.0
// Reductions of traced arrays: sum, prod, mean, max, min, any, all over axes that are template arguments, counted
// from the end when negative; none means all; `keep` leaves extents 1.
//   sum<1>(x)   sum<0, -1, keep>(x)   mean(x)
// Needs: operand.hpp, reduction_rules.hpp. Leaves: one node per reduction over all its axes (the
// canonical order takes them row-major); keeping axes is a reshape behind it.
#pragma once

#include <weft/graph/run_extent.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/full_precision.hpp>
#include <weft/lang/reduction_rules.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr handle reduce_by(op code, handle x, reduction_plan const& p) {
  return reshape(reduce(code, x, p.set), p.result);
}
template <op O, auto... Axes, class A> constexpr auto reduce_axes(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  if constexpr (check_reduction<options<>, S, Axes...>() && check_op<O, T>()) {
    constexpr reduction_plan p = reduction<S, Axes...>::plan;
    return traced_of<T, p.result>{reduce_by(O, a.value, p)};
  } else return a;
}
template <class T> concept floating = is_float(dtype_of<T>);

// sum / n, one division, in the accumulation type.
constexpr handle mean_by(handle x, reduction_plan const& p) {
  handle total = reduce_by(op::reduce_sum, convert(x, accumulator_of(x.type())), p);
  handle n = count_node(*total.where, p.over, total.type());
  return convert(total / broadcast_to(n, p.result), x.type());
}
template <class A> constexpr auto truth_of(A const& a) {
  if constexpr (std::is_same_v<typename A::element_type, bool>) return a;
  else return convert<bool>(a);
}

} // namespace detail

// In the canonical order (docs/numerics.md); bf16 and f16 accumulate in float; over no elements: +0.
// sum<1>(x) of a (2, 3) is a (2); integers keep their type and wrap.
template <auto... Axes, traced_array A> constexpr auto sum(A const& a) {
  return detail::reduce_axes<op::reduce_sum, Axes...>(a);
}
// NaN wins; over no elements: -inf, or the lowest integer.
template <auto... Axes, traced_array A> constexpr auto max(A const& a) {
  return detail::reduce_axes<op::reduce_max, Axes...>(a);
}
// NaN wins; over no elements: inf, or the highest integer.
template <auto... Axes, traced_array A> constexpr auto min(A const& a) {
  return detail::reduce_axes<op::reduce_min, Axes...>(a);
}
// In the canonical order; over no elements: 1. prod<1>(x) of a (2, 3) is a (2).
template <auto... Axes, traced_array A> constexpr auto prod(A const& a) {
  return detail::reduce_axes<op::reduce_prod, Axes...>(a);
}
// Is any element true, are all? Of numbers: != 0 (NaN is). Over no elements: false, true.
template <auto... Axes, traced_array A> constexpr auto any(A const& a) {
  return detail::reduce_axes<op::reduce_max, Axes...>(detail::truth_of(a));
}
template <auto... Axes, traced_array A> constexpr auto all(A const& a) {
  return detail::reduce_axes<op::reduce_min, Axes...>(detail::truth_of(a));
}
// sum / n, one division; bf16 is summed and divided in float and rounded once. The n of a named
// extent comes from the run. Over no elements: NaN.
template <auto... Axes, traced_array A> constexpr auto mean(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  static_assert(detail::floating<T>, "weft: mean: not a float; write convert<float>(x)");
  if constexpr (!detail::floating<T>) return a;
  else if constexpr (detail::check_reduction<detail::options<>, S, Axes...>()) {
    constexpr detail::reduction_plan p = detail::reduction<S, Axes...>::plan;
    detail::full_precision const here(a);
    return traced_of<T, p.result>{detail::mean_by(a.value, p)};
  } else return a;
}

} // namespace weft::inline v0
