// SPDX-License-Identifier: BSL-1.0
// The functions of indexing.hpp, of tensors and expressions: one program each, computed now.
// Needs: indexing.hpp, expression.hpp. Leaves: tensors.
#pragma once

#include <weft/lang/expression.hpp>
#include <weft/lang/indexing.hpp>

namespace weft::inline v0 {
namespace detail {

// A number as an index is an int, as an update an element of the array.
struct indexed_call {
  template <class A, class... X> static auto first() -> element_of<A>;
  template <int K, class... X>
  using number = std::conditional_t<K == 1, std::int32_t, decltype(first<X...>())>;
};
template <int Axis> struct take_call : indexed_call {
  constexpr auto operator()(auto const& a, auto const& i) const { return weft::take<Axis>(a, i); }
};
template <int Axis> struct take_along_axis_call : indexed_call {
  constexpr auto operator()(auto const& a, auto const& i) const {
    return weft::take_along_axis<Axis>(a, i);
  }
};
template <int... Axes> struct gather_call : indexed_call {
  constexpr auto operator()(auto const& a, auto const& i) const {
    return weft::gather<Axes...>(a, i);
  }
};
template <auto N, class T> struct one_hot_call : plain_call {
  constexpr auto operator()(auto const& i) const { return weft::one_hot<N, T>(i); }
};
template <scatter_combine How, int... Axes> struct scatter_call : indexed_call {
  constexpr auto operator()(auto const& a, auto const& i, auto const& u) const {
    return scatter_into<How, Axes...>(a, i, u);
  }
};

} // namespace detail

template <int Axis, class A, class I>
  requires immediate_call<A, I>
constexpr auto take(A&& a, I&& i) {
  return detail::now<detail::take_call<Axis>>(std::forward<A>(a), std::forward<I>(i));
}
template <int Axis, class A, class I>
  requires immediate_call<A, I>
constexpr auto take_along_axis(A&& a, I&& i) {
  return detail::now<detail::take_along_axis_call<Axis>>(std::forward<A>(a), std::forward<I>(i));
}
template <int... Axes, class A, class I>
  requires immediate_call<A, I>
constexpr auto gather(A&& a, I&& i) {
  return detail::now<detail::gather_call<Axes...>>(std::forward<A>(a), std::forward<I>(i));
}
template <auto N, class T = float, value_operand I> constexpr auto one_hot(I&& i) {
  return detail::now<detail::one_hot_call<N, T>>(std::forward<I>(i));
}
template <int... Axes, class A, class I, class U>
  requires immediate_call<A, I, U>
constexpr auto scatter(A&& a, I&& i, U&& u) {
  return detail::now<detail::scatter_call<scatter_combine::set, Axes...>>(
      std::forward<A>(a), std::forward<I>(i), std::forward<U>(u));
}
template <int... Axes, class A, class I, class U>
  requires immediate_call<A, I, U>
constexpr auto scatter_add(A&& a, I&& i, U&& u) {
  return detail::now<detail::scatter_call<scatter_combine::add, Axes...>>(
      std::forward<A>(a), std::forward<I>(i), std::forward<U>(u));
}
template <int... Axes, class A, class I, class U>
  requires immediate_call<A, I, U>
constexpr auto scatter_mul(A&& a, I&& i, U&& u) {
  return detail::now<detail::scatter_call<scatter_combine::mul, Axes...>>(
      std::forward<A>(a), std::forward<I>(i), std::forward<U>(u));
}
template <int... Axes, class A, class I, class U>
  requires immediate_call<A, I, U>
constexpr auto scatter_min(A&& a, I&& i, U&& u) {
  return detail::now<detail::scatter_call<scatter_combine::min, Axes...>>(
      std::forward<A>(a), std::forward<I>(i), std::forward<U>(u));
}
template <int... Axes, class A, class I, class U>
  requires immediate_call<A, I, U>
constexpr auto scatter_max(A&& a, I&& i, U&& u) {
  return detail::now<detail::scatter_call<scatter_combine::max, Axes...>>(
      std::forward<A>(a), std::forward<I>(i), std::forward<U>(u));
}

} // namespace weft::inline v0
