// SPDX-License-Identifier: BSL-1.0
// Reductions of traced arrays: sum, mean, max, min over axes that are template arguments, counted
// from the end when negative; none means all; `keep` leaves extents 1.
//   sum<1>(x)   sum<0, -1, keep>(x)   mean(x)
// Needs: operand.hpp, reduction_rules.hpp. Leaves: one node per reduction over all its axes (the
// canonical order takes them row-major); keeping axes is a reshape behind it.
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/reduction_rules.hpp>
#include <weft/lang/run_extent.hpp>

namespace weft::inline v0 {
namespace detail {

template <op O, auto... Axes, class A> constexpr auto reduce_axes(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  static_assert((reducible_axis<Axes, S> && ...),
                "weft: there is no such axis to reduce; axes count from 0, or from -1 at the end");
  if constexpr ((reducible_axis<Axes, S> && ...) && check_op<O, T>()) {
    using axes = reduction<S, Axes...>;
    static_assert(std::popcount(static_cast<std::uint64_t>(axes::set)) == axes::named ||
                      axes::named == 0,
                  "weft: an axis is reduced twice");
    handle h = reshape(reduce(O, a.value, axes::set), axes::result);
    return traced_of<T, axes::result>{h};
  } else return a;
}
template <class T> concept floating = is_float(dtype_of<T>);

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
// -max(-x); integers take their complement, which has no overflow.
template <auto... Axes, traced_array A> constexpr auto min(A const& a) {
  if constexpr (detail::floating<typename A::element_type>) return -weft::max<Axes...>(-a);
  else return ~weft::max<Axes...>(~a);
}
// sum / n, one division; bf16 and f16 are summed and divided in float and rounded once. The n of a named
// extent comes from the run.
template <auto... Axes, traced_array A> constexpr auto mean(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  static_assert(detail::floating<T>, "weft: mean: not a float; write convert<float>(x)");
  if constexpr (!detail::floating<T>) return a;
  else if constexpr (is_half(dtype_of<T>))
    return convert<T>(weft::mean<Axes...>(convert<float>(a)));
  else if constexpr (!(detail::reducible_axis<Axes, S> && ...)) return weft::sum<Axes...>(a);
  else {
    using axes = detail::reduction<S, Axes...>;
    auto total = weft::sum<Axes...>(a);
    return total / traced<T>{detail::count_node(*total.value.where, axes::over, dtype_of<T>)};
  }
}

} // namespace weft::inline v0
