// SPDX-License-Identifier: BSL-1.0
// Elementwise functions of tensors and expressions: the operators and functions of elementwise.hpp,
// as expressions. One exception: `a == b` and `a != b` of two tensors of one type ask whether the
// tensors are equal, as for any value, and give one bool; write `equal(a, b)` for an array of bool.
// Needs: expression.hpp. Leaves: nothing computed.
#pragma once

#include <weft/lang/expression.hpp>

namespace weft::inline v0 {
namespace detail {

template <op O> struct elementwise_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return elementwise<O>(x...); }
};
struct right_shift_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return a >> b; }
};
struct not_call : plain_call {
  constexpr auto operator()(auto const& a) const { return !a; }
};
struct select_call {
  template <class P, class... X> static auto of_values() -> common_element<X...>;
  template <int K, class... X>
  using number = std::conditional_t<K == 0, bool, decltype(of_values<X...>())>;

  constexpr auto operator()(auto const& p, auto const& a, auto const& b) const {
    return choose(p, a, b);
  }
};
template <class T> struct convert_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::convert<T>(a); }
};
template <class T> struct bitcast_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::bitcast<T>(a); }
};

} // namespace detail

// clang-format off
// operators -----------------------------------------------------------------------------------
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator+(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::add>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator-(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::sub>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator*(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::mul>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator/(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::div>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A> requires immediate_call<A>
constexpr auto operator-(A&& a) { return detail::lazily<detail::elementwise_call<op::neg>>(std::forward<A>(a)); }
template <array_value A>
constexpr auto operator+(A&& a) { return std::forward<A>(a); }

// By reference to const, so that the comparison of whole tensors is the better match.
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator==(A const& a, B const& b) { return detail::lazily<detail::elementwise_call<op::equal>>(a, b); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator!=(A const& a, B const& b) { return detail::lazily<detail::elementwise_call<op::not_equal>>(a, b); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto equal(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::equal>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto not_equal(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::not_equal>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator<(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::less>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator<=(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::less_equal>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator>(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::greater>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator>=(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::greater_equal>>(std::forward<A>(a), std::forward<B>(b)); }

template <class A, class B> requires immediate_call<A, B>
constexpr auto operator&(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::bit_and>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator|(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::bit_or>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator^(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::bit_xor>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A> requires immediate_call<A>
constexpr auto operator~(A&& a) { return detail::lazily<detail::elementwise_call<op::bit_not>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto operator!(A&& a) { return detail::lazily<detail::not_call>(std::forward<A>(a)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator<<(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::shift_left>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator>>(A&& a, B&& b) { return detail::lazily<detail::right_shift_call>(std::forward<A>(a), std::forward<B>(b)); }

// functions -----------------------------------------------------------------------------------
template <class A> requires immediate_call<A>
constexpr auto abs(A&& a) { return detail::lazily<detail::elementwise_call<op::abs>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto sqrt(A&& a) { return detail::lazily<detail::elementwise_call<op::sqrt>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto exp(A&& a) { return detail::lazily<detail::elementwise_call<op::exp>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto log(A&& a) { return detail::lazily<detail::elementwise_call<op::log>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto tanh(A&& a) { return detail::lazily<detail::elementwise_call<op::tanh>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto sigmoid(A&& a) { return detail::lazily<detail::elementwise_call<op::sigmoid>>(std::forward<A>(a)); }
template <class A, class B, class C> requires immediate_call<A, B, C>
constexpr auto fma(A&& a, B&& b, C&& c) { return detail::lazily<detail::elementwise_call<op::fma>>(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto maximum(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::maximum>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto minimum(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::minimum>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto max(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::maximum>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto min(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::minimum>>(std::forward<A>(a), std::forward<B>(b)); }
template <class P, class A, class B> requires immediate_call<P, A, B>
constexpr auto select(P&& p, A&& a, B&& b) { return detail::lazily<detail::select_call>(std::forward<P>(p), std::forward<A>(a), std::forward<B>(b)); }
template <class P, class A, class B> requires immediate_call<P, A, B>
constexpr auto where(P&& p, A&& a, B&& b) { return detail::lazily<detail::select_call>(std::forward<P>(p), std::forward<A>(a), std::forward<B>(b)); }

template <class T, class A> requires immediate_call<A>
constexpr auto convert(A&& a) { return detail::lazily<detail::convert_call<T>>(std::forward<A>(a)); }
template <class T, class A> requires immediate_call<A>
constexpr auto bitcast(A&& a) { return detail::lazily<detail::bitcast_call<T>>(std::forward<A>(a)); }
// clang-format on

// Values have no derivative here: x.
template <array_value A> constexpr auto stop_gradient(A&& a) { return std::forward<A>(a); }

// Numbers of x's type and shape, computed.
template <array_value A, number_literal V> constexpr auto full_like(A const& a, V value) {
  using T = typename A::element_type;
  static_assert(detail::literal_fits<V, T>, "weft: full_like: the array cannot hold this number");
  auto r = tensor_like<A>::uninitialised(a.shape());
  T* out = detail::writable(r);
  T const one = detail::filled_with<T>(value).element_at(0);
  for (extent i = 0, n = r.size(); i < n; ++i) out[i] = one;
  return r;
}
template <array_value A> constexpr auto zeros_like(A const& a) {
  return full_like(a, typename A::element_type{});
}
template <array_value A> constexpr auto ones_like(A const& a) {
  return full_like(a, detail::element_from<typename A::element_type>(1));
}

} // namespace weft::inline v0
