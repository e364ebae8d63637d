// SPDX-License-Identifier: BSL-1.0
// Elementary functions of traced arrays: rows of the op table (op/table_elementary.hpp states their
// accuracy), and a few functions over them. Shapes and types: as elementwise.hpp; floats unless said.
//   auto y = gelu(x) * rsqrt(square(x) + 1e-6f), angle = atan2(dy, dx), r = mod_floor(index, 7);
// Needs: elementwise.hpp.
#pragma once

#include <weft/lang/elementwise.hpp>

namespace weft::inline v0 {
namespace detail {
// A row that asks about floats; Otherwise is the answer for integers and bool.
template <op O, bool Otherwise, class A> constexpr auto float_test(A const& a) {
  using R = traced_of<bool, A::shape_type::value>;
  if constexpr (is_float(dtype_of<typename A::element_type>)) return elementwise<O>(a);
  else return R{constant(*a.value.where, Otherwise, dtype::boolean, A::shape_type::value)};
}
} // namespace detail

// clang-format off
// 2^x.
template <traced_array A>
constexpr auto exp2(A const& a) { return detail::elementwise<op::exp2>(a); }
// e^x - 1, accurate for small x.
template <traced_array A>
constexpr auto expm1(A const& a) { return detail::elementwise<op::expm1>(a); }
// log(1 + x), accurate for small x.
template <traced_array A>
constexpr auto log1p(A const& a) { return detail::elementwise<op::log1p>(a); }
// Logarithms to base 2 and 10.
template <traced_array A>
constexpr auto log2(A const& a) { return detail::elementwise<op::log2>(a); }
template <traced_array A>
constexpr auto log10(A const& a) { return detail::elementwise<op::log10>(a); }
// log(1 + e^x).
template <traced_array A>
constexpr auto softplus(A const& a) { return detail::elementwise<op::softplus>(a); }
// 1 / x, one rounding; 1 / sqrt(x); the real cube root.
template <traced_array A>
constexpr auto reciprocal(A const& a) { return detail::elementwise<op::reciprocal>(a); }
template <traced_array A>
constexpr auto rsqrt(A const& a) { return detail::elementwise<op::rsqrt>(a); }
template <traced_array A>
constexpr auto cbrt(A const& a) { return detail::elementwise<op::cbrt>(a); }
// Radians, of any size.
template <traced_array A>
constexpr auto sin(A const& a) { return detail::elementwise<op::sin>(a); }
template <traced_array A>
constexpr auto cos(A const& a) { return detail::elementwise<op::cos>(a); }
template <traced_array A>
constexpr auto tan(A const& a) { return detail::elementwise<op::tan>(a); }
template <traced_array A>
constexpr auto asin(A const& a) { return detail::elementwise<op::asin>(a); }
template <traced_array A>
constexpr auto acos(A const& a) { return detail::elementwise<op::acos>(a); }
template <traced_array A>
constexpr auto atan(A const& a) { return detail::elementwise<op::atan>(a); }
// Hyperbolic functions and their inverses.
template <traced_array A>
constexpr auto sinh(A const& a) { return detail::elementwise<op::sinh>(a); }
template <traced_array A>
constexpr auto cosh(A const& a) { return detail::elementwise<op::cosh>(a); }
template <traced_array A>
constexpr auto asinh(A const& a) { return detail::elementwise<op::asinh>(a); }
template <traced_array A>
constexpr auto acosh(A const& a) { return detail::elementwise<op::acosh>(a); }
template <traced_array A>
constexpr auto atanh(A const& a) { return detail::elementwise<op::atanh>(a); }
// The error function, 1 - erf, and its inverse.
template <traced_array A>
constexpr auto erf(A const& a) { return detail::elementwise<op::erf>(a); }
template <traced_array A>
constexpr auto erfc(A const& a) { return detail::elementwise<op::erfc>(a); }
template <traced_array A>
constexpr auto erfinv(A const& a) { return detail::elementwise<op::erfinv>(a); }
// x Phi(x), Phi the normal distribution.
template <traced_array A>
constexpr auto gelu(A const& a) { return detail::elementwise<op::gelu>(a); }
// log |gamma(x)|, its derivative, and that one's derivative of order n; Hurwitz' zeta(s, q).
template <traced_array A>
constexpr auto lgamma(A const& a) { return detail::elementwise<op::lgamma>(a); }
template <traced_array A>
constexpr auto digamma(A const& a) { return detail::elementwise<op::digamma>(a); }
template <class A, class B> requires traced_call<A, B>
constexpr auto polygamma(A const& a, B const& b) { return detail::elementwise<op::polygamma>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto zeta(A const& a, B const& b) { return detail::elementwise<op::zeta>(a, b); }
// To an integer, still a float: down, up, to zero, to the nearest (ties to even, away from zero).
template <traced_array A>
constexpr auto floor(A const& a) { return detail::elementwise<op::floor>(a); }
template <traced_array A>
constexpr auto ceil(A const& a) { return detail::elementwise<op::ceil>(a); }
template <traced_array A>
constexpr auto trunc(A const& a) { return detail::elementwise<op::trunc>(a); }
template <traced_array A>
constexpr auto round_even(A const& a) { return detail::elementwise<op::round_even>(a); }
template <traced_array A>
constexpr auto round_away(A const& a) { return detail::elementwise<op::round_away>(a); }
// -1, 0 or 1 of any number; zeros and NaN as they are.
template <traced_array A>
constexpr auto sign(A const& a) { return detail::elementwise<op::sign>(a); }
// Arrays of bool; every integer and bool is finite.
template <traced_array A>
constexpr auto is_finite(A const& a) { return detail::float_test<op::is_finite, true>(a); }
template <traced_array A>
constexpr auto is_nan(A const& a) { return detail::float_test<op::is_nan, false>(a); }
template <traced_array A>
constexpr auto is_inf(A const& a) { return detail::float_test<op::is_inf, false>(a); }
// Integers: how many bits are set, how many zeros stand before the first.
template <traced_array A>
constexpr auto popcount(A const& a) { return detail::elementwise<op::popcount>(a); }
template <traced_array A>
constexpr auto count_leading_zeros(A const& a) { return detail::elementwise<op::count_leading_zeros>(a); }
// x^y with C99's special values; of integers it wraps, and a negative exponent gives 0, 1 or -1.
template <class A, class B> requires traced_call<A, B>
constexpr auto pow(A const& a, B const& b) { return detail::elementwise<op::pow>(a, b); }
// The angle of the point (x, y) = (second, first), in [-pi, pi].
template <class A, class B> requires traced_call<A, B>
constexpr auto atan2(A const& a, B const& b) { return detail::elementwise<op::atan2>(a, b); }
// sqrt(a^2 + b^2) without overflow on the way.
template <class A, class B> requires traced_call<A, B>
constexpr auto hypot(A const& a, B const& b) { return detail::elementwise<op::hypot>(a, b); }
// C's fmod and %: the sign of the dividend. Exact. Integers: x rem 0 = x.
template <class A, class B> requires traced_call<A, B>
constexpr auto remainder(A const& a, B const& b) { return detail::elementwise<op::remainder>(a, b); }
// NumPy's mod and //: the sign of the divisor, rounding down.
template <class A, class B> requires traced_call<A, B>
constexpr auto mod_floor(A const& a, B const& b) { return detail::elementwise<op::mod_floor>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto floor_divide(A const& a, B const& b) { return detail::elementwise<op::floor_divide>(a, b); }
// |a| with the sign of b.
template <class A, class B> requires traced_call<A, B>
constexpr auto copysign(A const& a, B const& b) { return detail::elementwise<op::copysign>(a, b); }
// C++'s %, which is remainder.
template <class A, class B> requires traced_call<A, B>
constexpr auto operator%(A const& a, B const& b) { return detail::elementwise<op::remainder>(a, b); }
// clang-format on

// functions over these ------------------------------------------------------------------------
namespace detail {
template <class A> constexpr auto truth(A const& a) {
  if constexpr (std::is_same_v<element_of<A>, bool>) return a;
  else return a != 0;
}
// f of both operands as arrays of one type: of functions that read them more than once.
template <class F, class A, class B>
constexpr auto with_arrays(F const& f, A const& a, B const& b) {
  using T = common_element<A, B>;
  recorder& r = recorder_of(a, b);
  if constexpr (check_elements<T, A, B>()) return f(traced_as<T>(r, a), traced_as<T>(r, b));
  else
    return stand_in<traced_of<T, joined_shape<shape_of_operand<A>, shape_of_operand<B>>::value>>(r);
}
// f of two numbers; beside a NaN, the other one.
template <class F, class A, class B> constexpr auto of_numbers(F const& f, A const& a, B const& b) {
  return with_arrays(
      [&f](auto const& x, auto const& y) {
        return select(is_nan(x), y, select(is_nan(y), x, f(x, y)));
      },
      a, b);
}
} // namespace detail

// x x, one rounding.
template <traced_array A> constexpr auto square(A const& a) { return a * a; }
// Is the sign bit set? Of -0 too; of NaN never.
template <traced_array A> constexpr auto signbit(A const& a) {
  return copysign(ones_like(a), a) < 0;
}
// 0, b or 1 where a is below, at or above 0; NaN stays.
template <class A, class B>
  requires traced_call<A, B>
constexpr auto heaviside(A const& a, B const& b) {
  return detail::with_arrays(
      [](auto const& x, auto const& y) {
        return select(x < 0, zeros_like(x), select(0 < x, ones_like(x), select(x == 0, y, x)));
      },
      a, b);
}
// The other one where one is NaN.
template <class A, class B>
  requires traced_call<A, B>
constexpr auto fmax(A const& a, B const& b) {
  return detail::of_numbers([](auto const& x, auto const& y) { return maximum(x, y); }, a, b);
}
template <class A, class B>
  requires traced_call<A, B>
constexpr auto fmin(A const& a, B const& b) {
  return detail::of_numbers([](auto const& x, auto const& y) { return minimum(x, y); }, a, b);
}
// log(e^a + e^b), log2(2^a + 2^b) without overflow on the way. Where a = b, d^2 / 8 is +0 and gives
// the derivatives.
template <class A, class B>
  requires traced_call<A, B>
constexpr auto logaddexp(A const& a, B const& b) {
  return detail::with_arrays(
      [](auto const& x, auto const& y) {
        auto m = maximum(x, y);
        auto d = x - y;
        auto some = select(is_finite(d), d, zeros_like(d));
        auto equals = log(ones_like(m) + 1) + some * some * 0.125;
        return select(x == y, m + equals, m + log1p(exp(-abs(d))));
      },
      a, b);
}
// sin(pi x) / (pi x), 1 at 0. Near 0, where its derivatives cancel, those are the series'.
template <traced_array A> constexpr auto sinc(A const& a) {
  auto y = a * 3.14159265358979323846;
  auto near = abs(y) < 0.5;
  auto z = select(near, y * y, 0);
  auto series = (((z * (1.0 / 362880) - 1.0 / 5040) * z + 1.0 / 120) * z - 1.0 / 6) * z;
  auto whole = stop_gradient(select(a == 0, 1, y)), apart = select(near, 1, y);
  auto value = select(a == 0, 1, sin(whole) / whole);
  return select(near, value + (series - stop_gradient(series)), sin(apart) / apart);
}
// Radians in degrees, and back.
template <traced_array A> constexpr auto degrees(A const& a) { return a * 57.295779513082320877; }
template <traced_array A> constexpr auto radians(A const& a) { return a * 0.017453292519943295769; }
// Logic of bool, or of numbers != 0.
template <class A, class B>
  requires traced_call<A, B>
constexpr auto logical_and(A const& a, B const& b) {
  return detail::truth(a) & detail::truth(b);
}
template <class A, class B>
  requires traced_call<A, B>
constexpr auto logical_or(A const& a, B const& b) {
  return detail::truth(a) | detail::truth(b);
}
template <class A, class B>
  requires traced_call<A, B>
constexpr auto logical_xor(A const& a, B const& b) {
  return detail::truth(a) ^ detail::truth(b);
}
template <traced_array A> constexpr auto logical_not(A const& a) { return !a; }

namespace detail {
template <class T>
using bits_like =
    std::conditional_t<sizeof(T) == 8, std::uint64_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
template <class A, class B> constexpr auto next_towards(A const& a, B const& b) {
  using U = bits_like<typename A::element_type>;
  constexpr U one = 1, sign_bit = static_cast<U>(one << (8 * sizeof(U) - 1));
  auto from = bitcast<U>(a);
  auto towards = bitcast<U>(b);
  auto upwards = a < b;
  auto positive = 0 < a;
  auto moved = select(upwards == positive, from + one, from - one);
  auto from_zero = (towards & sign_bit) | one;
  auto next = bitcast<typename A::element_type>(select(a == 0, from_zero, moved));
  return select(a == b, b, select(is_nan(a) | is_nan(b), a + b, next));
}
} // namespace detail
// The element next to a on the way to b, of the array's own type (bf16 too); b if they are equal.
template <class A, class B>
  requires traced_call<A, B>
constexpr auto nextafter(A const& a, B const& b) {
  return detail::with_arrays(
      [](auto const& x, auto const& y) {
        if constexpr (detail::check_op<op::is_nan,
                                       detail::element_of<std::remove_cvref_t<decltype(x)>>>())
          return detail::next_towards(x, y);
        else return x;
      },
      a, b);
}

} // namespace weft::inline v0
