// SPDX-License-Identifier: BSL-1.0
// The functions of statistics.hpp and closeness.hpp, of tensors and expressions: clip, nan_to_num
// and isclose stay expressions, the rest is computed now; allclose is a bool.
// Needs: expression.hpp. Leaves: the traced door's bits.
#pragma once

#include <weft/lang/closeness.hpp>
#include <weft/lang/expression.hpp>
#include <weft/lang/statistics.hpp>

namespace weft::inline v0 {
namespace detail {

template <auto... O> struct var_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::var<O...>(a); }
};
template <auto... O> struct std_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::std<O...>(a); }
};
template <auto... O> struct norm_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::norm<O...>(a); }
};
template <auto... O> struct logsumexp_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::logsumexp<O...>(a); }
};
template <auto... O> struct count_nonzero_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::count_nonzero<O...>(a); }
};
template <auto... O> struct average_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& weights) const {
    return weft::average<O...>(a, weights);
  }
};
struct clip_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::clip(x...); }
};
struct nan_to_num_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::nan_to_num(x...); }
};
template <bool EqualNan> struct isclose_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::isclose<EqualNan>(x...); }
};
template <bool EqualNan> struct allclose_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::allclose<EqualNan>(x...); }
};

} // namespace detail

template <auto... O, value_operand A> constexpr auto var(A&& a) {
  return detail::now<detail::var_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto std(A&& a) {
  return detail::now<detail::std_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto norm(A&& a) {
  return detail::now<detail::norm_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto logsumexp(A&& a) {
  return detail::now<detail::logsumexp_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto count_nonzero(A&& a) {
  return detail::now<detail::count_nonzero_call<O...>>(std::forward<A>(a));
}
template <auto... O, class A, class W>
  requires immediate_call<A, W>
constexpr auto average(A&& a, W&& weights) {
  return detail::now<detail::average_call<O...>>(std::forward<A>(a), std::forward<W>(weights));
}
template <class A, class L, class H>
  requires immediate_call<A, L, H>
constexpr auto clip(A&& a, L&& low, H&& high) {
  return detail::lazily<detail::clip_call>(std::forward<A>(a), std::forward<L>(low),
                                           std::forward<H>(high));
}
template <class A, class... X>
  requires(immediate_call<A, X...> && sizeof...(X) <= 3 && sizeof...(X) != 2)
constexpr auto nan_to_num(A&& a, X&&... replacements) {
  return detail::lazily<detail::nan_to_num_call>(std::forward<A>(a),
                                                 std::forward<X>(replacements)...);
}
template <bool EqualNan = false, class A, class B, class R = double, class L = double>
  requires immediate_call<A, B, R, L>
constexpr auto isclose(A&& a, B&& b, R&& rtol = 1e-5, L&& atol = 1e-8) {
  return detail::lazily<detail::isclose_call<EqualNan>>(
      std::forward<A>(a), std::forward<B>(b), std::forward<R>(rtol), std::forward<L>(atol));
}
template <bool EqualNan = false, class A, class B, class R = double, class L = double>
  requires immediate_call<A, B, R, L>
constexpr bool allclose(A&& a, B&& b, R&& rtol = 1e-5, L&& atol = 1e-8) {
  return eval(detail::lazily<detail::allclose_call<EqualNan>>(
      std::forward<A>(a), std::forward<B>(b), std::forward<R>(rtol), std::forward<L>(atol)))();
}

} // namespace weft::inline v0
