// SPDX-License-Identifier: BSL-1.0
// Views of tensors and expressions, as expressions: at, reshape, ravel, flatten, transpose,
// move_axis, swap_axes, squeeze, expand_dims, flip, broadcast_to.
// Needs: expression.hpp. Leaves: nothing computed; read in place by the kernel that uses them.
#pragma once

#include <weft/lang/at.hpp>
#include <weft/lang/expression.hpp>
#include <weft/lang/movement.hpp>

namespace weft::inline v0 {
namespace detail {

// Run-time indices are int32.
template <fixed_string Spec, auto... Names> struct at_call {
  template <int, class...> using number = std::int32_t;
  constexpr auto operator()(auto const& a, auto const&... i) const {
    return weft::at<Spec, Names...>(a, i...);
  }
};
template <auto... E> struct reshape_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::reshape<E...>(a); }
};
template <int... P> struct transpose_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::transpose<P...>(a); }
};
template <int... Axes> struct flip_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::flip<Axes...>(a); }
};
template <auto... E> struct broadcast_to_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::broadcast_to<E...>(a); }
};

struct ravel_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::ravel(a); }
};
template <int From, int To> struct move_axis_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::move_axis<From, To>(a); }
};
template <int First, int Second> struct swap_axes_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::swap_axes<First, Second>(a); }
};
template <int... Axes> struct squeeze_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::squeeze<Axes...>(a); }
};
template <int... Axes> struct expand_dims_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::expand_dims<Axes...>(a); }
};

} // namespace detail

template <fixed_string Spec, auto... Names, value_operand A, class... I>
  requires immediate_call<A, I...>
constexpr auto at(A&& a, I&&... i) {
  return detail::lazily<detail::at_call<Spec, Names...>>(std::forward<A>(a), std::forward<I>(i)...);
}
template <auto... E, value_operand A> constexpr auto reshape(A&& a) {
  return detail::lazily<detail::reshape_call<E...>>(std::forward<A>(a));
}
template <int... P, value_operand A> constexpr auto transpose(A&& a) {
  return detail::lazily<detail::transpose_call<P...>>(std::forward<A>(a));
}
template <int... Axes, value_operand A> constexpr auto flip(A&& a) {
  return detail::lazily<detail::flip_call<Axes...>>(std::forward<A>(a));
}
template <auto... E, value_operand A> constexpr auto broadcast_to(A&& a) {
  return detail::lazily<detail::broadcast_to_call<E...>>(std::forward<A>(a));
}

template <value_operand A> constexpr auto ravel(A&& a) {
  return detail::lazily<detail::ravel_call>(std::forward<A>(a));
}
template <value_operand A> constexpr auto flatten(A&& a) {
  return detail::lazily<detail::ravel_call>(std::forward<A>(a));
}
template <sym Name, value_operand A> constexpr auto ravel(A&& a) {
  return weft::reshape<Name>(std::forward<A>(a));
}
template <sym Name, value_operand A> constexpr auto flatten(A&& a) {
  return weft::reshape<Name>(std::forward<A>(a));
}
template <int From, int To, value_operand A> constexpr auto move_axis(A&& a) {
  return detail::lazily<detail::move_axis_call<From, To>>(std::forward<A>(a));
}
template <int First, int Second, value_operand A> constexpr auto swap_axes(A&& a) {
  return detail::lazily<detail::swap_axes_call<First, Second>>(std::forward<A>(a));
}
template <int... Axes, value_operand A> constexpr auto squeeze(A&& a) {
  return detail::lazily<detail::squeeze_call<Axes...>>(std::forward<A>(a));
}
template <int... Axes, value_operand A> constexpr auto expand_dims(A&& a) {
  return detail::lazily<detail::expand_dims_call<Axes...>>(std::forward<A>(a));
}

} // namespace weft::inline v0
