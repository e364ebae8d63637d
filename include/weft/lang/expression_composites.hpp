// SPDX-License-Identifier: BSL-1.0
// What is not elementwise, of tensors and expressions, is computed now and returns tensors: sum,
// mean, max, min, concat, pad, set, einsum, linear. Operands that are expressions become part of
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
template <int Axis> struct concat_call : plain_call {
  constexpr auto operator()(auto const&... a) const { return weft::concat<Axis>(a...); }
};
template <int Axis, padding P> struct pad_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::pad<Axis, P>(a); }
  // A number of the run: inside the mask x, outside the filler.
  template <traced_array F> constexpr auto operator()(auto const& a, F const& filler) const {
    auto inside = weft::pad<Axis, P>(ones_like(weft::convert<bool>(a)), false);
    return where(inside, weft::pad<Axis, P>(a), filler);
  }
  constexpr auto operator()(auto const& a, number_literal auto filler) const {
    return weft::pad<Axis, P>(a, filler);
  }
};
// Operands: the array, run-time indices, the value.
template <fixed_string Spec> struct set_call {
  template <class A, class... X> static auto first() -> element_of<A>;
  template <int K, class... X>
  using number = std::conditional_t<K + 1 == sizeof...(X), decltype(first<X...>()), std::int32_t>;

  constexpr auto operator()(auto const&... x) const { return weft::set<Spec>(x...); }
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

template <auto... Axes, array_value A> constexpr auto sum(A&& a) {
  return detail::now<detail::sum_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, array_value A> constexpr auto mean(A&& a) {
  return detail::now<detail::mean_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, array_value A> constexpr auto max(A&& a) {
  return detail::now<detail::max_call<Axes...>>(std::forward<A>(a));
}
template <auto... Axes, array_value A> constexpr auto min(A&& a) {
  return detail::now<detail::min_call<Axes...>>(std::forward<A>(a));
}
template <int Axis, class... A>
  requires immediate_call<A...>
constexpr auto concat(A&&... a) {
  return detail::now<detail::concat_call<Axis>>(std::forward<A>(a)...);
}
template <int Axis, padding P, array_value A, number_literal... V>
  requires(sizeof...(V) <= 1)
constexpr auto pad(A&& a, V&&... filler) {
  return detail::now<detail::pad_call<Axis, P>>(std::forward<A>(a), filler...);
}
template <fixed_string Spec, class A, class... X>
  requires(immediate_call<A, X...> && sizeof...(X) >= 1)
constexpr auto set(A&& a, X&&... x) {
  return detail::now<detail::set_call<Spec>>(std::forward<A>(a), std::forward<X>(x)...);
}
template <fixed_string Spec, class Out = void, class... X>
  requires immediate_call<X...>
constexpr auto einsum(X&&... x) {
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
