// SPDX-License-Identifier: BSL-1.0
// The functions of elementary.hpp, of tensors and expressions.
// Needs: elementary.hpp, expression_elementwise.hpp. Leaves: nothing computed.
#pragma once

#include <weft/lang/elementary.hpp>
#include <weft/lang/expression_elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

struct square_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::square(a); }
};
struct signbit_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::signbit(a); }
};
struct heaviside_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::heaviside(a, b); }
};
struct fmax_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::fmax(a, b); }
};
struct fmin_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::fmin(a, b); }
};
struct logaddexp_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::logaddexp(a, b); }
};
struct sinc_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::sinc(a); }
};
struct degrees_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::degrees(a); }
};
struct radians_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::radians(a); }
};
struct logical_and_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::logical_and(a, b); }
};
struct logical_or_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::logical_or(a, b); }
};
struct logical_xor_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::logical_xor(a, b); }
};
struct logical_not_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::logical_not(a); }
};
template <op O, bool Otherwise> struct float_test_call : plain_call {
  constexpr auto operator()(auto const& a) const { return float_test<O, Otherwise>(a); }
};
struct nextafter_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const { return weft::nextafter(a, b); }
};

} // namespace detail

// clang-format off
template <class A> requires immediate_call<A>
constexpr auto exp2(A&& a) { return detail::lazily<detail::elementwise_call<op::exp2>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto expm1(A&& a) { return detail::lazily<detail::elementwise_call<op::expm1>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto log1p(A&& a) { return detail::lazily<detail::elementwise_call<op::log1p>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto log2(A&& a) { return detail::lazily<detail::elementwise_call<op::log2>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto log10(A&& a) { return detail::lazily<detail::elementwise_call<op::log10>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto softplus(A&& a) { return detail::lazily<detail::elementwise_call<op::softplus>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto reciprocal(A&& a) { return detail::lazily<detail::elementwise_call<op::reciprocal>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto rsqrt(A&& a) { return detail::lazily<detail::elementwise_call<op::rsqrt>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto cbrt(A&& a) { return detail::lazily<detail::elementwise_call<op::cbrt>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto sin(A&& a) { return detail::lazily<detail::elementwise_call<op::sin>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto cos(A&& a) { return detail::lazily<detail::elementwise_call<op::cos>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto tan(A&& a) { return detail::lazily<detail::elementwise_call<op::tan>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto asin(A&& a) { return detail::lazily<detail::elementwise_call<op::asin>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto acos(A&& a) { return detail::lazily<detail::elementwise_call<op::acos>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto atan(A&& a) { return detail::lazily<detail::elementwise_call<op::atan>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto sinh(A&& a) { return detail::lazily<detail::elementwise_call<op::sinh>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto cosh(A&& a) { return detail::lazily<detail::elementwise_call<op::cosh>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto asinh(A&& a) { return detail::lazily<detail::elementwise_call<op::asinh>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto acosh(A&& a) { return detail::lazily<detail::elementwise_call<op::acosh>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto atanh(A&& a) { return detail::lazily<detail::elementwise_call<op::atanh>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto erf(A&& a) { return detail::lazily<detail::elementwise_call<op::erf>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto erfc(A&& a) { return detail::lazily<detail::elementwise_call<op::erfc>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto erfinv(A&& a) { return detail::lazily<detail::elementwise_call<op::erfinv>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto gelu(A&& a) { return detail::lazily<detail::elementwise_call<op::gelu>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto lgamma(A&& a) { return detail::lazily<detail::elementwise_call<op::lgamma>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto digamma(A&& a) { return detail::lazily<detail::elementwise_call<op::digamma>>(std::forward<A>(a)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto polygamma(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::polygamma>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto zeta(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::zeta>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A> requires immediate_call<A>
constexpr auto floor(A&& a) { return detail::lazily<detail::elementwise_call<op::floor>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto ceil(A&& a) { return detail::lazily<detail::elementwise_call<op::ceil>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto trunc(A&& a) { return detail::lazily<detail::elementwise_call<op::trunc>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto round_even(A&& a) { return detail::lazily<detail::elementwise_call<op::round_even>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto round_away(A&& a) { return detail::lazily<detail::elementwise_call<op::round_away>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto sign(A&& a) { return detail::lazily<detail::elementwise_call<op::sign>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto is_finite(A&& a) { return detail::lazily<detail::float_test_call<op::is_finite, true>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto is_nan(A&& a) { return detail::lazily<detail::float_test_call<op::is_nan, false>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto is_inf(A&& a) { return detail::lazily<detail::float_test_call<op::is_inf, false>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto popcount(A&& a) { return detail::lazily<detail::elementwise_call<op::popcount>>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto count_leading_zeros(A&& a) { return detail::lazily<detail::elementwise_call<op::count_leading_zeros>>(std::forward<A>(a)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto pow(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::pow>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto atan2(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::atan2>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto hypot(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::hypot>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto remainder(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::remainder>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto mod_floor(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::mod_floor>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto floor_divide(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::floor_divide>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto copysign(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::copysign>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto operator%(A&& a, B&& b) { return detail::lazily<detail::elementwise_call<op::remainder>>(std::forward<A>(a), std::forward<B>(b)); }
template <class A> requires immediate_call<A>
constexpr auto square(A&& a) { return detail::lazily<detail::square_call>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto signbit(A&& a) { return detail::lazily<detail::signbit_call>(std::forward<A>(a)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto heaviside(A&& a, B&& b) { return detail::lazily<detail::heaviside_call>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto fmax(A&& a, B&& b) { return detail::lazily<detail::fmax_call>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto fmin(A&& a, B&& b) { return detail::lazily<detail::fmin_call>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto logaddexp(A&& a, B&& b) { return detail::lazily<detail::logaddexp_call>(std::forward<A>(a), std::forward<B>(b)); }
template <class A> requires immediate_call<A>
constexpr auto sinc(A&& a) { return detail::lazily<detail::sinc_call>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto degrees(A&& a) { return detail::lazily<detail::degrees_call>(std::forward<A>(a)); }
template <class A> requires immediate_call<A>
constexpr auto radians(A&& a) { return detail::lazily<detail::radians_call>(std::forward<A>(a)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto logical_and(A&& a, B&& b) { return detail::lazily<detail::logical_and_call>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto logical_or(A&& a, B&& b) { return detail::lazily<detail::logical_or_call>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto logical_xor(A&& a, B&& b) { return detail::lazily<detail::logical_xor_call>(std::forward<A>(a), std::forward<B>(b)); }
template <class A> requires immediate_call<A>
constexpr auto logical_not(A&& a) { return detail::lazily<detail::logical_not_call>(std::forward<A>(a)); }
template <class A, class B> requires immediate_call<A, B>
constexpr auto nextafter(A&& a, B&& b) { return detail::lazily<detail::nextafter_call>(std::forward<A>(a), std::forward<B>(b)); }
// clang-format on

} // namespace weft::inline v0
