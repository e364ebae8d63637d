// SPDX-License-Identifier: BSL-1.0
// einsum and linear of traced arrays, in NumPy's notation, read and planned at compile time.
//   einsum<"bi,ih->bh">(x, w)  einsum<"ij,jk,kl">(a, b, c)  einsum<"...ii->...i">(x)
//   einsum<"ij,jk->ik", float>(a, b) of bf16 operands keeps the sums in float
//   linear(x, w, b)  linear<"bi,hi->bh">(x, w, b)
// Needs: einsum_check.hpp, einsum_record.hpp. Leaves: nodes of einsum_record.hpp.
#pragma once

#include <weft/graph/einsum_record.hpp>
#include <weft/lang/einsum_check.hpp>
#include <weft/lang/elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

// void: the operands' own.
template <class T, class Out>
using einsum_element = std::conditional_t<std::is_void_v<Out>, T, Out>;

template <class T, class R> consteval bool check_einsum_element() {
  static_assert(accumulates_in<T, R>,
                "weft: einsum: this element type does not hold the operands' values; convert them");
  return accumulates_in<T, R>;
}

} // namespace detail

// The sum over the labels that the output lacks of the products of the operands' elements.
// Operands: one element type; numbers and makers count. A label has one extent, only axes of an
// ellipsis broadcast; a label twice in an operand is the diagonal; without "->" the output is
// NumPy's. Out: the result's element type, the operands' by default (bool: or of ands). bf16 and f16
// are rounded once, at the end. Order of additions and of several operands: docs/numerics.md.
// einsum<"bi,ih->bh">(x, w) of (b, i), (i, h) is (b, h).
template <fixed_string Spec, class Out = void, class... X>
  requires traced_call<X...>
constexpr auto einsum(X const&... x) {
  using T = detail::common_element<X...>;
  using R = detail::einsum_element<T, Out>;
  recorder& r = detail::recorder_of(x...);
  constexpr bool ok = detail::check_elements<T, X...>() && detail::check_einsum_element<T, R>() &&
                      detail::check_einsum<Spec, detail::shape_of_operand<X>...>();
  if constexpr (ok) {
    constexpr auto const& plan = detail::einsum_plan_of<Spec, detail::shape_of_operand<X>...>;
    handle const all[] = {detail::node_of<T>(r, x, detail::shape_of_operand<X>::value)...};
    return traced_of<R, plan.shape>{detail::record_einsum(plan, {all, sizeof...(X)}, dtype_of<R>)};
  } else return detail::stand_in<traced<T>>(r);
}

// A product and a bias, added in the accumulation type before the one rounding. The bias
// broadcasts to the product's shape.
template <fixed_string Spec, class X, class W, class B>
  requires traced_call<X, W, B>
constexpr auto linear(X const& x, W const& w, B const& bias) {
  using T = detail::common_element<X, W, B>;
  using Sx = detail::shape_of_operand<X>;
  using Sw = detail::shape_of_operand<W>;
  recorder& r = detail::recorder_of(x, w, bias);
  constexpr bool ok = detail::check_elements<T, X, W, B>() && detail::check_op<op::contract, T>() &&
                      detail::check_einsum<Spec, Sx, Sw>();
  if constexpr (ok) {
    constexpr auto const& plan = detail::einsum_plan_of<Spec, Sx, Sw>;
    using Sb = detail::shape_of_operand<B>;
    static_assert(detail::broadcasts_to<Sb, shape_of_value<plan.shape>>,
                  "weft: linear: the bias does not broadcast to the product");
    handle const both[] = {detail::node_of<T>(r, x, Sx::value),
                           detail::node_of<T>(r, w, Sw::value)};
    handle const start = detail::node_of<T>(r, bias, plan.shape);
    return traced_of<T, plan.shape>{detail::record_einsum(plan, {both, 2}, dtype_of<T>, start)};
  } else return detail::as_traced(r, x);
}

namespace detail {
template <class X, class W>
concept rows_and_matrix = X::rank > 0 && W::rank == 2 &&
                          X::value[X::rank > 0 ? X::rank - 1 : 0] == W::value[0];
template <class X, class W> consteval bool check_linear() {
  constexpr bool fit = rows_and_matrix<X, W>;
  static_assert(fit,
                "weft: linear: x (..., in) and w (in, out); the last extent of x is w's first");
  return fit;
}
} // namespace detail

// x (..., in), w (in, out), bias (out): over the last axis of x, whatever its rank.
template <class X, class W, class B>
  requires traced_call<X, W, B>
constexpr auto linear(X const& x, W const& w, B const& bias) {
  if constexpr (detail::check_linear<detail::shape_of_operand<X>, detail::shape_of_operand<W>>())
    return weft::linear<"...i,io->...o">(x, w, bias);
  else return detail::as_traced(detail::recorder_of(x, w, bias), x);
}

} // namespace weft::inline v0
