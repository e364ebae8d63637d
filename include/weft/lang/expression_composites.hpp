// SPDX-License-Identifier: BSL-1.0
// What is not elementwise, of tensors and expressions, is computed now and returns tensors: sum,
// mean, max, min, prod, any, all, set, einsum, linear (expression_movement.hpp has concat, pad and their like,
// expression_statistics.hpp var and its like). Operands that are expressions become part of
// the one program: sum<1>(a * a) stores no a * a.
// Needs: expression.hpp. Leaves: the traced door's bits.
#pragma once

#include <weft/lang/einsum.hpp>
#include <weft/lang/expression_views.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0 {
namespace detail {

template <auto... Axes> struct sum_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::sum<Axes...>(a); }
};
template <auto... Axes> struct mean_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::mean<Axes...>(a); }
};
template <auto... Axes> struct max_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::max<Axes...>(a); }
};
template <auto... Axes> struct min_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::min<Axes...>(a); }
};
template <auto... Axes> struct prod_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::prod<Axes...>(a); }
};
template <auto... Axes> struct any_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::any<Axes...>(a); }
};
template <auto... Axes> struct all_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::all<Axes...>(a); }
};
// Operands: the array, run-time indices, the value.
template <fixed_string Spec, auto... Names> struct set_call {
  template <class A, class... X> static auto first() -> element_of<A>;
  template <int K, class... X>
  using number = std::conditional_t<K + 1 == sizeof...(X), decltype(first<X...>()), std::int32_t>;

  constexpr auto operator()(auto const&... x) const { return weft::set<Spec, Names...>(x...); }
};
template <fixed_string Spec, class Out> struct einsum_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::einsum<Spec, Out>(x...); }
};
template <fixed_string Spec> struct linear_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::linear<Spec>(x...); }
};
struct linear_last_axis_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::linear(x...); }
};

} // namespace detail

template <auto... Axes, value_operand A> constexpr auto sum(A&& a) {
  return detail::now<detail::sum_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, value_operand A> constexpr auto mean(A&& a) {
  return detail::now<detail::mean_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, value_operand A> constexpr auto max(A&& a) {
  return detail::now<detail::max_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, value_operand A> constexpr auto min(A&& a) {
  return detail::now<detail::min_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, value_operand A> constexpr auto prod(A&& a) {
  return detail::now<detail::prod_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, value_operand A> constexpr auto any(A&& a) {
  return detail::now<detail::any_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, value_operand A> constexpr auto all(A&& a) {
  return detail::now<detail::all_call<Axes...>>(std::forward<A>(a));
}
template <fixed_string Spec, auto... Names, class A, class... X>
  requires(immediate_call<A, X...> && sizeof...(X) >= 1)
constexpr auto set(A&& a, X&&... x) {
  return detail::now<detail::set_call<Spec, Names...>>(std::forward<A>(a), std::forward<X>(x)...);
}
template <fixed_string Spec, class Out = void, class... X>
  requires immediate_call<X...>
WEFT_INLINE constexpr auto einsum(X&&... x) {
  return detail::now<detail::einsum_call<Spec, Out>>(std::forward<X>(x)...);
}
template <fixed_string Spec, class X, class W, class B>
  requires immediate_call<X, W, B>
constexpr auto linear(X&& x, W&& w, B&& bias) {
  return detail::now<detail::linear_call<Spec>>(std::forward<X>(x), std::forward<W>(w),
                                                std::forward<B>(bias));
}
template <class X, class W, class B>
  requires immediate_call<X, W, B>
constexpr auto linear(X&& x, W&& w, B&& bias) {
  return detail::now<detail::linear_last_axis_call>(std::forward<X>(x), std::forward<W>(w),
                                                    std::forward<B>(bias));
}

} // namespace weft::inline v0
