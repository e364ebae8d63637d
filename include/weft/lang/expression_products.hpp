// SPDX-License-Identifier: BSL-1.0
// The products of products.hpp, trace and diagonal, of tensors and expressions. diagonal is a view
// and stays an expression; the rest is computed now.
// Needs: products.hpp, diagonal.hpp, expression.hpp. Leaves: the traced door's bits.
#pragma once

#include <weft/lang/diagonal.hpp>
#include <weft/lang/expression.hpp>
#include <weft/lang/products.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Out> struct matmul_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::matmul<Out>(x...); }
};
template <class Out> struct dot_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::dot<Out>(x...); }
};
template <class Out> struct inner_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::inner<Out>(x...); }
};
template <class Out> struct outer_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::outer<Out>(x...); }
};
template <class Out> struct vdot_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::vdot<Out>(x...); }
};
template <int Count, class Out> struct tensordot_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::tensordot<Count, Out>(x...); }
};
template <axis_list A, axis_list B, class Out> struct tensordot_over_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::tensordot<A, B, Out>(x...); }
};
template <int Offset, int Axis1, int Axis2> struct diagonal_call : plain_call {
  constexpr auto operator()(auto const& x) const { return weft::diagonal<Offset, Axis1, Axis2>(x); }
};
template <int Offset, int Axis1, int Axis2> struct trace_call : plain_call {
  constexpr auto operator()(auto const& x) const { return weft::trace<Offset, Axis1, Axis2>(x); }
};

} // namespace detail

template <class Out = void, class A, class B>
  requires immediate_call<A, B>
constexpr auto matmul(A&& a, B&& b) {
  return detail::now<detail::matmul_call<Out>>(std::forward<A>(a), std::forward<B>(b));
}
template <class Out = void, class A, class B>
  requires immediate_call<A, B>
constexpr auto dot(A&& a, B&& b) {
  return detail::now<detail::dot_call<Out>>(std::forward<A>(a), std::forward<B>(b));
}
template <class Out = void, class A, class B>
  requires immediate_call<A, B>
constexpr auto inner(A&& a, B&& b) {
  return detail::now<detail::inner_call<Out>>(std::forward<A>(a), std::forward<B>(b));
}
template <class Out = void, class A, class B>
  requires immediate_call<A, B>
constexpr auto outer(A&& a, B&& b) {
  return detail::now<detail::outer_call<Out>>(std::forward<A>(a), std::forward<B>(b));
}
template <class Out = void, class A, class B>
  requires immediate_call<A, B>
constexpr auto vdot(A&& a, B&& b) {
  return detail::now<detail::vdot_call<Out>>(std::forward<A>(a), std::forward<B>(b));
}
template <int Count = 2, class Out = void, class A, class B>
  requires immediate_call<A, B>
constexpr auto tensordot(A&& a, B&& b) {
  return detail::now<detail::tensordot_call<Count, Out>>(std::forward<A>(a), std::forward<B>(b));
}
template <axis_list OfA, axis_list OfB, class Out = void, class A, class B>
  requires immediate_call<A, B>
constexpr auto tensordot(A&& a, B&& b) {
  return detail::now<detail::tensordot_over_call<OfA, OfB, Out>>(std::forward<A>(a),
                                                                 std::forward<B>(b));
}
template <int Offset = 0, int Axis1 = 0, int Axis2 = 1, array_value A>
constexpr auto diagonal(A&& a) {
  return detail::lazily<detail::diagonal_call<Offset, Axis1, Axis2>>(std::forward<A>(a));
}
template <int Offset = 0, int Axis1 = 0, int Axis2 = 1, array_value A> constexpr auto trace(A&& a) {
  return detail::now<detail::trace_call<Offset, Axis1, Axis2>>(std::forward<A>(a));
}

} // namespace weft::inline v0
