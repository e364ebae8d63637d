// SPDX-License-Identifier: BSL-1.0
// Elements in the middle of traced arrays: median, quantile, over any axes (reductions.hpp has the
// notation).
//   median(x)   median<0, -1, keep>(x)   quantile<1>(x, 0.9)   quantile(x, q)
// Needs: sort.hpp, reductions.hpp. Leaves: the reduced axes as one axis, sorted once; three gathers.
// 16-bit floats are computed in float and rounded once; integers give double, as in NumPy. NaN
// where there is one, and where there is no element. Gradients follow the elements.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/sort.hpp>

namespace weft::inline v0 {
namespace detail {

template <class T> concept quantile_element = !std::is_same_v<T, bool>;
template <class T>
inline constexpr dtype middle_type = is_float(dtype_of<T>) ? accumulator_of(dtype_of<T>)
                                                           : dtype::f64;
// What is computed in, and what the result has.
template <class T>
using middle_number = std::conditional_t<middle_type<T> == dtype::f64, double, float>;
template <class T>
using middle_result = std::conditional_t<is_float(dtype_of<T>), T, middle_number<T>>;

template <class Q> concept one_number = Q::rank == 0;
template <class Q> consteval bool check_quantile() {
  static_assert(one_number<Q>, "weft: quantile: q is one number; call quantile once for each");
  return one_number<Q>;
}
template <class Q, class T>
concept fraction_for = number_literal<Q> || std::is_same_v<element_of<Q>, middle_number<T>> ||
                       std::is_same_v<element_of<Q>, middle_result<T>>;

// The reduced axes as one, behind the others; sorted along it.
struct sorted_rows {
  handle elements, count; // count: of a row, an int32 node
  extents over;
};
constexpr sorted_rows rows_in_order(handle x, reduction_plan const& p) {
  extents order, to;
  for (int reduced = 0; reduced < 2; ++reduced)
    for (int i = 0; i < x.shape().rank; ++i) {
      if (has_axis(p.set, i) != (reduced == 1)) continue;
      order.push(i);
      if (reduced == 0) to.push(x.shape()[i]);
    }
  to.push(product_extent(p.over));
  handle const rows = reshape(transpose(x, {order.d, order.rank}), to);
  int const axis = to.rank - 1;
  return {reordered(rows, arg_sort({&rows, 1}, axis, 0), axis),
          count_node(*x.where, p.over, dtype::i32), p.over};
}
// Element `number` of every row, converted; of a row without elements 0.
constexpr handle element_of_rows(sorted_rows const& s, handle number, dtype type) {
  extents const shape = s.elements.shape();
  gather_dims d = taking(shape, shape.rank - 1, 0);
  d.drop = true;
  return convert(gather(s.elements, number, d), type);
}
constexpr handle int_node(recorder& r, int number) { return constant(r, number, dtype::i32, {}); }

// `middle`, or the last element of the row where that is NaN; NaN of no elements.
constexpr handle unless_nan(sorted_rows const& s, handle middle) {
  recorder& r = *middle.where;
  handle const last = s.count - int_node(r, 1);
  extents const shape = middle.shape();
  if (is_float(s.elements.type())) {
    handle const top = element_of_rows(s, last, middle.type());
    middle = select(equal(top, top), middle, top);
  }
  if (is_static(s.over)) return middle;
  handle const none = broadcast_to(less(last, int_node(r, 0)), shape);
  double const nan = nan_f64;
  return select(none, constant(r, nan, middle.type(), shape), middle);
}
constexpr handle median_by(handle x, reduction_plan const& p, dtype type) {
  sorted_rows const s = rows_in_order(x, p);
  recorder& r = *x.where;
  handle const two = int_node(r, 2);
  handle const a = element_of_rows(s, (s.count - int_node(r, 1)) / two, type);
  handle const b = element_of_rows(s, s.count / two, type);
  // One element in the middle is the median, however large. (Zeros add: +0 of -0 and +0.)
  handle const mean = (a + b) * constant(r, 0.5, type, a.shape());
  handle const zero = constant(r, 0, type, a.shape());
  handle const one = select(equal(a, zero), mean, a);
  return unless_nan(s, select(equal(a, b), one, mean));
}

// NumPy's two-sided interpolation: exact at both ends. Where b - a is not finite, the weighted sum,
// and a itself where that is all or b is the same.
template <class A, class T> constexpr auto between(A const& a, A const& b, T const& t) {
  auto const d = b - a;
  auto const weighted = select((t == 0) | (a == b), a, a * (1 - t) + b * t);
  return select(d - d == 0, select(t >= 0.5f, b - d * (1 - t), a + d * t), weighted);
}
template <class W, auto Rows>
constexpr handle quantile_by(handle x, reduction_plan const& p, handle q) {
  sorted_rows const s = rows_in_order(x, p);
  handle const both[] = {x, q};
  recorder& r = place_of({both, 2});
  dtype const type = dtype_of<W>;
  handle const one = int_node(r, 1), last = s.count - one;
  handle const place = (count_node(r, p.over, type) - constant(r, 1, type, {})) * q;
  handle const first = constant(r, 0, dtype::i32, {});
  handle const below = binary(op::maximum, dtype::i32, first,
                              binary(op::minimum, dtype::i32, convert(place, dtype::i32), last));
  handle const above = binary(op::minimum, dtype::i32, below + one, last);
  using row_values = traced_of<W, Rows>;
  row_values const a{element_of_rows(s, below, type)}, b{element_of_rows(s, above, type)};
  traced<W> const t{place - convert(below, type)};
  traced<W> const fraction{q}, none{constant(r, nan_f64, type, {})};
  auto const inside = (fraction >= 0) & (fraction <= 1);
  return unless_nan(s, select(inside, between(a, b, t), none).value);
}

template <class W, class Q> constexpr handle fraction_node(recorder& r, Q const& q) {
  if constexpr (number_literal<Q>) return node_of<W>(r, q, {});
  else return convert(as_traced(r, q).value, dtype_of<W>);
}
template <class T> consteval bool check_middle() {
  static_assert(quantile_element<T>, "weft: median and quantile are not defined for bool; "
                                     "write convert<float>(x)");
  return quantile_element<T>;
}
template <class T, class Q> consteval bool check_fraction() {
  constexpr bool fits = fraction_for<Q, T>;
  static_assert(fits, "weft: quantile: q has another element type than x; write convert<T>(q)");
  return fits;
}
// The shape of one number per row.
constexpr extents row_results(reduction_plan const& p, extents const& s) {
  return without_axes(s, p.set);
}
// Of no axis: x; of no element: NaN.
template <class T, auto P> constexpr handle without_sorting(recorder& r, handle x) {
  constexpr dtype type = dtype_of<middle_result<T>>;
  if constexpr (P.set == 0) return reshape(convert(x, type), P.result);
  else return constant(r, nan_f64, type, P.result);
}
template <auto P> inline constexpr bool needs_sorting = P.set != 0 && count_of_numbers(P.over) != 0;

} // namespace detail

// The middle element, or the mean of the two middle ones, over the axes as one: median<1>(x) of a
// (2, 3) is a (2), median(x) a number.
template <auto... O, traced_array A> constexpr auto median(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  if constexpr (detail::check_middle<T>() &&
                detail::check_reduction<detail::options<>, S, O...>()) {
    constexpr detail::reduction_plan p = detail::reduction<S, O...>::plan;
    using R = traced_of<detail::middle_result<T>, p.result>;
    if constexpr (!detail::needs_sorting<p>)
      return R{detail::without_sorting<T, p>(*a.value.where, a.value)};
    else {
      handle const h = detail::median_by(a.value, p, detail::middle_type<T>);
      return R{reshape(convert(h, dtype_of<detail::middle_result<T>>), p.result)};
    }
  } else return a;
}
// The q-quantile, interpolated linearly between neighbours as NumPy does; q a number or a rank-0
// array in [0, 1]: quantile<0, keep>(x, 0.25), quantile(x, q).
template <auto... O, traced_array A, class Q>
  requires traced_call<A, Q>
constexpr auto quantile(A const& a, Q const& q) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  constexpr bool ok = detail::check_middle<T>() &&
                      detail::check_quantile<detail::shape_of_operand<Q>>() &&
                      detail::check_fraction<T, Q>();
  if constexpr (ok && detail::check_reduction<detail::options<>, S, O...>()) {
    constexpr detail::reduction_plan p = detail::reduction<S, O...>::plan;
    using R = traced_of<detail::middle_result<T>, p.result>;
    using W = detail::middle_number<T>;
    recorder& r = detail::recorder_of(a, q);
    if constexpr (!detail::needs_sorting<p>) return R{detail::without_sorting<T, p>(r, a.value)};
    else {
      handle const at = detail::fraction_node<W>(r, q);
      constexpr extents rows = detail::row_results(p, S::value);
      handle const h = detail::quantile_by<W, rows>(a.value, p, at);
      return R{reshape(convert(h, dtype_of<detail::middle_result<T>>), p.result)};
    }
  } else return a;
}

} // namespace weft::inline v0
