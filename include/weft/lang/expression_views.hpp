// SPDX-License-Identifier: BSL-1.0
// Views of tensors and expressions, as expressions: at, reshape, transpose, flip, broadcast_to.
// Needs: expression.hpp. Leaves: nothing computed; read in place by the kernel that uses them.
#pragma once

#include <weft/lang/at.hpp>
#include <weft/lang/expression.hpp>
#include <weft/lang/movement.hpp>

namespace weft::inline v0 {
namespace detail {

// Run-time indices are int32.
template <fixed_string Spec> struct at_call {
  template <int, class...> using number = std::int32_t;
  constexpr auto operator()(auto const& a, auto const&... i) const {
    return weft::at<Spec>(a, i...);
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

} // namespace detail

template <fixed_string Spec, array_value A, class... I>
  requires immediate_call<A, I...>
constexpr auto at(A&& a, I&&... i) {
  return detail::lazily<detail::at_call<Spec>>(std::forward<A>(a), std::forward<I>(i)...);
}
template <auto... E, array_value A> constexpr auto reshape(A&& a) {
  return detail::lazily<detail::reshape_call<E...>>(std::forward<A>(a));
}
template <int... P, array_value A> constexpr auto transpose(A&& a) {
  return detail::lazily<detail::transpose_call<P...>>(std::forward<A>(a));
}
template <int... Axes, array_value A> constexpr auto flip(A&& a) {
  return detail::lazily<detail::flip_call<Axes...>>(std::forward<A>(a));
}
template <auto... E, array_value A> constexpr auto broadcast_to(A&& a) {
  return detail::lazily<detail::broadcast_to_call<E...>>(std::forward<A>(a));
}

} // namespace weft::inline v0
