// SPDX-License-Identifier: BSL-1.0
// NumPy's products, each an einsum: matmul, dot, inner, outer, vdot, tensordot.
//   matmul(a, b)   dot(a, b)   tensordot<2>(a, b)   tensordot<axis_list(1, 0), axis_list(0, 1)>(a, b)
//   matmul<float>(a, b) of bf16 operands keeps the sums in float; so do the others
// Needs: einsum.hpp, movement.hpp, product_rules.hpp. Leaves: einsum's nodes, orders and rounding.
#pragma once

#include <weft/lang/einsum.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/product_rules.hpp>

namespace weft::inline v0 {
namespace detail {

template <summed_axes S, class Out, class A, class B>
constexpr auto product_over(A const& a, B const& b) {
  constexpr int ranks[] = {shape_of_operand<A>::rank, shape_of_operand<B>::rank};
  return weft::einsum<product_text<ranks[0], ranks[1], S>(), Out>(a, b);
}

// An operand with the elements of its call.
template <class T, class X> constexpr auto typed_operand(recorder& r, X const& x) {
  constexpr extents s = shape_of_operand<X>::value;
  return traced_of<T, s>{node_of<T>(r, x, s)};
}
template <class S> concept flattens = S::rank == 1 || is_static(S::value);
template <class X> constexpr auto flat(X const& x) {
  constexpr extents s = X::shape_type::value;
  if constexpr (s.rank == 1) return x;
  else
    return traced_of<typename X::element_type, extents{1, {count_of(s)}}>{
        reshape(x.value, {1, {count_of(s)}})};
}

} // namespace detail

// NumPy's: (..., n, k) times (..., k, m) is (..., n, m); the axes before broadcast; a (k) is a row
// on the left and a column on the right, and leaves no axis.
template <class Out = void, class A, class B>
  requires traced_call<A, B>
constexpr auto matmul(A const& a, B const& b) {
  using Sa = detail::shape_of_operand<A>;
  using Sb = detail::shape_of_operand<B>;
  if constexpr (detail::check_matmul<Sa, Sb>())
    return weft::einsum<detail::matmul_text<Sa::rank, Sb::rank>(), Out>(a, b);
  else return detail::as_traced(detail::recorder_of(a, b), a);
}
// NumPy's: over the last axis of a and the last but one of b; (2, 3), (5, 3, 4) is (2, 5, 4).
template <class Out = void, class A, class B>
  requires traced_call<A, B>
constexpr auto dot(A const& a, B const& b) {
  using Sa = detail::shape_of_operand<A>;
  using Sb = detail::shape_of_operand<B>;
  constexpr detail::summed_axes s = detail::dot_axes(Sa::rank, Sb::rank);
  static_assert(
      detail::summed_extents_agree<Sa, Sb, s>,
      "weft: dot: the last extent of the first and the last but one of the second differ");
  if constexpr (detail::summed_extents_agree<Sa, Sb, s>) return detail::product_over<s, Out>(a, b);
  else return detail::as_traced(detail::recorder_of(a, b), a);
}
// NumPy's: over the last axes of both; (2, 3), (4, 3) is (2, 4).
template <class Out = void, class A, class B>
  requires traced_call<A, B>
constexpr auto inner(A const& a, B const& b) {
  using Sa = detail::shape_of_operand<A>;
  using Sb = detail::shape_of_operand<B>;
  constexpr detail::summed_axes s = detail::inner_axes(Sa::rank, Sb::rank);
  static_assert(detail::summed_extents_agree<Sa, Sb, s>, "weft: inner: the last extents differ");
  if constexpr (detail::summed_extents_agree<Sa, Sb, s>) return detail::product_over<s, Out>(a, b);
  else return detail::as_traced(detail::recorder_of(a, b), a);
}
// Every product of an element of a with one of b, both flattened: (3), (4) is (3, 4).
template <class Out = void, class A, class B>
  requires traced_call<A, B>
constexpr auto outer(A const& a, B const& b) {
  using T = detail::common_element<A, B>;
  constexpr bool flat = detail::flattens<detail::shape_of_operand<A>> &&
                        detail::flattens<detail::shape_of_operand<B>>;
  static_assert(flat, "weft: outer: axes with a named extent do not flatten; write einsum");
  recorder& r = detail::recorder_of(a, b);
  if constexpr (flat && detail::check_elements<T, A, B>())
    return weft::einsum<"i,j->ij", Out>(detail::flat(detail::typed_operand<T>(r, a)),
                                        detail::flat(detail::typed_operand<T>(r, b)));
  else return detail::as_traced(r, a);
}
// The sum of the products of all elements, row-major; as many elements in both.
template <class Out = void, class A, class B>
  requires traced_call<A, B>
constexpr auto vdot(A const& a, B const& b) {
  using T = detail::common_element<A, B>;
  using Sa = detail::shape_of_operand<A>;
  using Sb = detail::shape_of_operand<B>;
  static_assert(detail::same_number_of_elements<Sa, Sb>,
                "weft: vdot: the numbers of elements differ");
  recorder& r = detail::recorder_of(a, b);
  if constexpr (detail::same_number_of_elements<Sa, Sb> && detail::check_elements<T, A, B>()) {
    traced_of<T, Sa::value> const second{reshape(detail::node_of<T>(r, b, Sb::value), Sa::value)};
    return detail::product_over<detail::all_axes(Sa::rank), Out>(a, second);
  } else return detail::as_traced(r, a);
}
// Over the last Count axes of a and the first of b: tensordot<2>(a, b).
template <int Count = 2, class Out = void, class A, class B>
  requires traced_call<A, B>
constexpr auto tensordot(A const& a, B const& b) {
  using Sa = detail::shape_of_operand<A>;
  using Sb = detail::shape_of_operand<B>;
  constexpr bool enough = detail::as_many_axes<Count, Sa, Sb>;
  static_assert(detail::as_many_axes<Count, Sa, Sb>,
                "weft: tensordot: an operand has fewer axes than are summed");
  if constexpr (enough) {
    constexpr detail::summed_axes s = detail::neighbours(Count, Sa::rank);
    static_assert(detail::summed_extents_agree<Sa, Sb, s>,
                  "weft: tensordot: summed axes have different extents");
    if constexpr (detail::summed_extents_agree<Sa, Sb, s>)
      return detail::product_over<s, Out>(a, b);
    else return detail::as_traced(detail::recorder_of(a, b), a);
  } else return detail::as_traced(detail::recorder_of(a, b), a);
}
// Over pairs of axes: tensordot<axis_list(1, 0), axis_list(0, 1)>(a, b) of (3, 4), (4, 3) is a number. The
// additions follow the order of a's axes.
template <axis_list OfA, axis_list OfB, class Out = void, class A, class B>
  requires traced_call<A, B>
constexpr auto tensordot(A const& a, B const& b) {
  using Sa = detail::shape_of_operand<A>;
  using Sb = detail::shape_of_operand<B>;
  static_assert(detail::paired<OfA, OfB>, "weft: tensordot: the lists of axes differ in length");
  static_assert(detail::different_axes_of<Sa, OfA> && detail::different_axes_of<Sb, OfB>,
                "weft: tensordot: an operand has no such axis, or it is named twice");
  if constexpr (detail::paired<OfA, OfB> && detail::different_axes_of<Sa, OfA> &&
                detail::different_axes_of<Sb, OfB>) {
    constexpr detail::summed_axes s = detail::paired_axes(OfA, OfB, Sa::rank, Sb::rank);
    static_assert(detail::summed_extents_agree<Sa, Sb, s>,
                  "weft: tensordot: summed axes have different extents");
    if constexpr (detail::summed_extents_agree<Sa, Sb, s>)
      return detail::product_over<s, Out>(a, b);
    else return detail::as_traced(detail::recorder_of(a, b), a);
  } else return detail::as_traced(detail::recorder_of(a, b), a);
}

} // namespace weft::inline v0
