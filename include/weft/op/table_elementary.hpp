// SPDX-License-Identifier: BSL-1.0
// Rows of the op table: elementary functions, rounding, remainders, bit counts. op/table.hpp says what a
// row has. Stated ulp: float32 and float64, over all arguments; 0: exact.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/op/meaning_more.hpp>
#include <weft/op/row.hpp>

namespace weft::inline v0 {

// clang-format off
template <> struct row<op::exp2> {
  static constexpr op_info info{"exp2", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "", 0.90};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::exp2(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * n.out() * n.number(0x1.62e42fefa39efp-1)); }
};
template <> struct row<op::expm1> {
  static constexpr op_info info{"expm1", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "exponential_minus_one", 1.10};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::expm1(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.out() + n.number(1))); }
};
template <> struct row<op::log1p> {
  static constexpr op_info info{"log1p", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "log_plus_one", 0.80};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::log1p(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / (n.in(0) + n.number(1))); }
};
template <> struct row<op::log2> {
  static constexpr op_info info{"log2", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "", 0.70};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::log2(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / (n.in(0) * n.number(0x1.62e42fefa39efp-1))); }
};
template <> struct row<op::log10> {
  static constexpr op_info info{"log10", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "", 0.70};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::log10(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / (n.in(0) * n.number(0x1.26bb1bbb55516p+1))); }
};
// log(1 + e^x).
template <> struct row<op::softplus> {
  static constexpr op_info info{"softplus", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "", 1.10};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::softplus(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * unary(op::sigmoid, n.in(0))); }
};
template <> struct row<op::reciprocal> {
  static constexpr op_info info{"reciprocal", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::reciprocal(a); }
  static constexpr void derivative(auto& n) { n.add(0, -(n.ct() * (n.out() * n.out()))); }
};
template <> struct row<op::rsqrt> {
  static constexpr op_info info{"rsqrt", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "rsqrt", 1.50};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::rsqrt(a); }
  static constexpr void derivative(auto& n) { n.add(0, (n.ct() * n.number(-0.5)) * (n.out() / n.in(0))); }
};
template <> struct row<op::cbrt> {
  static constexpr op_info info{"cbrt", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "cbrt", 0.55};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::cbrt(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / (n.number(3) * (n.out() * n.out()))); }
};
template <> struct row<op::sin> {
  static constexpr op_info info{"sin", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "sine", 0.75};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::sin(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * unary(op::cos, n.in(0))); }
};
template <> struct row<op::cos> {
  static constexpr op_info info{"cos", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "cosine", 0.75};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::cos(a); }
  static constexpr void derivative(auto& n) { n.add(0, -(n.ct() * unary(op::sin, n.in(0)))); }
};
template <> struct row<op::tan> {
  static constexpr op_info info{"tan", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "tan", 0.95};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::tan(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.number(1) + n.out() * n.out())); }
};
template <> struct row<op::asin> {
  static constexpr op_info info{"asin", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "chlo.asin", 0.70};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::asin(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * unary(op::rsqrt, (n.number(1) - n.in(0)) * (n.number(1) + n.in(0)))); }
};
template <> struct row<op::acos> {
  static constexpr op_info info{"acos", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "chlo.acos", 0.70};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::acos(a); }
  static constexpr void derivative(auto& n) { n.add(0, -(n.ct() * unary(op::rsqrt, (n.number(1) - n.in(0)) * (n.number(1) + n.in(0))))); }
};
template <> struct row<op::atan> {
  static constexpr op_info info{"atan", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.atan", 1.00};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::atan(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / (n.number(1) + n.in(0) * n.in(0))); }
};
template <> struct row<op::sinh> {
  static constexpr op_info info{"sinh", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "chlo.sinh", 0.80};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::sinh(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * unary(op::cosh, n.in(0))); }
};
template <> struct row<op::cosh> {
  static constexpr op_info info{"cosh", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "chlo.cosh", 0.95};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::cosh(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * unary(op::sinh, n.in(0))); }
};
template <> struct row<op::asinh> {
  static constexpr op_info info{"asinh", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.asinh", 0.70};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::asinh(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / binary(op::hypot, n.in(0).type(), n.in(0), n.number(1))); }
};
template <> struct row<op::acosh> {
  static constexpr op_info info{"acosh", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.acosh", 0.70};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::acosh(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * unary(op::rsqrt, (n.in(0) - n.number(1)) * (n.in(0) + n.number(1)))); }
};
template <> struct row<op::atanh> {
  static constexpr op_info info{"atanh", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.atanh", 0.70};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::atanh(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / ((n.number(1) - n.in(0)) * (n.number(1) + n.in(0)))); }
};
template <> struct row<op::erf> {
  static constexpr op_info info{"erf", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.erf", 1.05};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::erf(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.number(0x1.20dd750429b6dp+0) * unary(op::exp, -(n.in(0) * n.in(0))))); }
};
template <> struct row<op::erfc> {
  static constexpr op_info info{"erfc", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.erfc", 2.60};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::erfc(a); }
  static constexpr void derivative(auto& n) { n.add(0, -(n.ct() * (n.number(0x1.20dd750429b6dp+0) * unary(op::exp, -(n.in(0) * n.in(0)))))); }
};
// ulp of float32: to Giles' polynomial, which is what it means.
template <> struct row<op::erfinv> {
  static constexpr op_info info{"erfinv", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "chlo.erf_inv", 2.00};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::erfinv(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.number(0x1.c5bf891b4ef6bp-1) * unary(op::exp, n.out() * n.out()))); }
};
// ulp for x > 0.
template <> struct row<op::lgamma> {
  static constexpr op_info info{"lgamma", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.lgamma", 2.00};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::lgamma(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * unary(op::digamma, n.in(0))); }
};
// ulp of max(1, |result|), x > 0.
template <> struct row<op::digamma> {
  static constexpr op_info info{"digamma", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "chlo.digamma", 4.00};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::digamma(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * binary(op::polygamma, n.in(0).type(), n.number(1), n.in(0))); }
};
// x Phi(x), exactly the normal distribution; no tanh.
template <> struct row<op::gelu> {
  static constexpr op_info info{"gelu", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "", 2.45};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::gelu(a); }
  static constexpr void derivative(auto& n) { // Phi(x) + x phi(x)
    auto tail = n.number(0.5) * unary(op::erfc, n.in(0) * n.number(-0x1.6a09e667f3bcdp-1));
    auto density = n.number(0x1.9884533d43651p-2) * unary(op::exp, (n.in(0) * n.in(0)) * n.number(-0.5));
    n.add(0, n.ct() * (tail + n.in(0) * density)); }
};
template <> struct row<op::floor> : detail::no_derivative {
  static constexpr op_info info{"floor", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "floor", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::floor(a); }
};
template <> struct row<op::ceil> : detail::no_derivative {
  static constexpr op_info info{"ceil", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "ceil", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::ceil(a); }
};
template <> struct row<op::trunc> : detail::no_derivative {
  static constexpr op_info info{"trunc", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::trunc(a); }
};
template <> struct row<op::round_even> : detail::no_derivative {
  static constexpr op_info info{"round_even", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "round_nearest_even", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::round_even(a); }
};
template <> struct row<op::round_away> : detail::no_derivative {
  static constexpr op_info info{"round_away", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "round_nearest_afz", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::round_away(a); }
};
// -1, 0 or 1; zeros and NaN as they are.
template <> struct row<op::sign> : detail::no_derivative {
  static constexpr op_info info{"sign", op_kind::elementwise, 1, type_rule::same, types::numbers, autocast_policy::follow, "sign", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::sign(a); }
};
template <> struct row<op::is_finite> : detail::no_derivative {
  static constexpr op_info info{"is_finite", op_kind::elementwise, 1, type_rule::compare, types::floats, autocast_policy::follow, "is_finite", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::is_finite(a); }
};
template <> struct row<op::is_nan> : detail::no_derivative {
  static constexpr op_info info{"is_nan", op_kind::elementwise, 1, type_rule::compare, types::floats, autocast_policy::follow, "", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::is_nan(a); }
};
template <> struct row<op::is_inf> : detail::no_derivative {
  static constexpr op_info info{"is_inf", op_kind::elementwise, 1, type_rule::compare, types::floats, autocast_policy::follow, "chlo.is_inf", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::elementary::is_inf(a); }
};
// Integers: wraps; a negative exponent gives 0, 1 or -1.
template <> struct row<op::pow> {
  static constexpr op_info info{"pow", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::full, "power", 1.00};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::pow(a, b); }
  static constexpr void derivative(auto& n) { // y x^(y - 1), 0 for y = 0; log(x) x^y, 0 for x = 0
    auto bounded = less(n.number(1) / (n.in(0) * n.in(0)), n.number(detail::infinity_f64));
    auto base = select(equal(n.in(1), n.number(0)), select(bounded, n.in(0), n.number(1)), n.in(0)); // 0 times a number, twice over
    n.add(0, n.ct() * (n.in(1) * binary(op::pow, n.in(0).type(), base, n.in(1) - n.number(1))));
    auto x = select(equal(n.in(0), n.number(0)), n.number(1), n.in(0));
    n.add(1, n.ct() * (unary(op::log, x) * n.out())); }
};
template <> struct row<op::atan2> {
  static constexpr op_info info{"atan2", op_kind::elementwise, 2, type_rule::same, types::floats, autocast_policy::promote, "atan2", 1.50};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::elementary::atan2(a, b); }
  static constexpr void derivative(auto& n) { // x / r^2 and -y / r^2
    auto r = binary(op::hypot, n.in(0).type(), n.in(0), n.in(1));
    n.add(0, n.ct() * ((n.in(1) / r) / r)); n.add(1, -(n.ct() * ((n.in(0) / r) / r))); }
};
template <> struct row<op::hypot> {
  static constexpr op_info info{"hypot", op_kind::elementwise, 2, type_rule::same, types::floats, autocast_policy::promote, "", 1.00};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::elementary::hypot(a, b); }
  static constexpr void derivative(auto& n) { // 0 at 0
    auto r = select(equal(n.out(), n.number(0)), n.number(1), n.out());
    n.add(0, n.ct() * (n.in(0) / r)); n.add(1, n.ct() * (n.in(1) / r)); }
};
// C's fmod and %; x rem 0 = x of integers.
template <> struct row<op::remainder> {
  static constexpr op_info info{"remainder", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "remainder", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::remainder(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct()); n.add(1, -(n.ct() * ((n.in(0) - n.out()) / n.in(1)))); }
};
// With the sign of the divisor: NumPy's mod.
template <> struct row<op::mod_floor> {
  static constexpr op_info info{"mod_floor", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::mod_floor(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct()); n.add(1, -(n.ct() * ((n.in(0) - n.out()) / n.in(1)))); }
};
// NumPy's //.
template <> struct row<op::floor_divide> : detail::no_derivative {
  static constexpr op_info info{"floor_divide", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::floor_divide(a, b); }
};
// The magnitude of the first, the sign of the second.
template <> struct row<op::copysign> {
  static constexpr op_info info{"copysign", op_kind::elementwise, 2, type_rule::same, types::floats, autocast_policy::promote, "", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::elementary::copysign(a, b); }
  static constexpr void derivative(auto& n) {
    auto turned = binary(op::copysign, n.in(0).type(), n.number(1), n.in(0)) * binary(op::copysign, n.in(0).type(), n.number(1), n.in(1));
    n.add(0, n.ct() * turned); }
};
// Hurwitz; its derivative by the exponent is taken as 0. Accuracy: docs/numerics.md.
template <> struct row<op::zeta> {
  static constexpr op_info info{"zeta", op_kind::elementwise, 2, type_rule::same, types::floats, autocast_policy::promote, "chlo.zeta", 8.00};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::elementary::zeta(a, b); }
  static constexpr void derivative(auto& n) { n.add(1, -(n.ct() * (n.in(0) * binary(op::zeta, n.in(0).type(), n.in(0) + n.number(1), n.in(1))))); }
};
// Derivative `order` of digamma; constant in the order.
template <> struct row<op::polygamma> {
  static constexpr op_info info{"polygamma", op_kind::elementwise, 2, type_rule::same, types::floats, autocast_policy::promote, "chlo.polygamma", 16.00};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::elementary::polygamma(a, b); }
  static constexpr void derivative(auto& n) { n.add(1, n.ct() * binary(op::polygamma, n.in(0).type(), n.in(0) + n.number(1), n.in(1))); }
};
// How many bits are set.
template <> struct row<op::popcount> : detail::no_derivative {
  static constexpr op_info info{"popcount", op_kind::elementwise, 1, type_rule::same, types::integers, autocast_policy::follow, "popcnt", 0, detail::own_width};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::popcount(a); }
};
template <> struct row<op::count_leading_zeros> : detail::no_derivative {
  static constexpr op_info info{"count_leading_zeros", op_kind::elementwise, 1, type_rule::same, types::integers, autocast_policy::follow, "count_leading_zeros", 0, detail::own_width};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::count_leading_zeros(a); }
};
// clang-format on

} // namespace weft::inline v0
