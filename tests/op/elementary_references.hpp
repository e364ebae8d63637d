// SPDX-License-Identifier: BSL-1.0
// What tests of accuracy compare functions of one float with: the standard library's, and in long
// double those that it lacks.
#pragma once

#include <weft/op/info.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace references {

using real = long double;
inline constexpr real pi = std::numbers::pi_v<real>;
inline constexpr real infinity = std::numeric_limits<real>::infinity();

inline real softplus(real x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
inline real gelu(real x) {
  if (std::isinf(x)) return x > 0 ? x : -real{0};
  return x / 2 * std::erfc(-x / std::numbers::sqrt2_v<real>);
}

// The recurrence up to 30, then the asymptotic series.
inline real digamma(real x) {
  if (std::isnan(x) || std::isinf(x)) return x > 0 ? x : std::numeric_limits<real>::quiet_NaN();
  if (x == 0) return std::signbit(x) ? infinity : -infinity;
  if (x < 0) {
    real const a = -x, rest = a - std::floor(a);
    if (rest == 0) return std::numeric_limits<real>::quiet_NaN();
    return digamma(a) + 1 / a + pi / std::tan(pi * (rest > 0.5L ? rest - 1 : rest));
  }
  real sum = 0;
  for (; x < 30; x += 1) sum -= 1 / x;
  constexpr real series[] = {1 / 12.0L,  -1 / 120.0L,     1 / 252.0L, -1 / 240.0L,
                             1 / 132.0L, -691 / 32760.0L, 1 / 12.0L,  -3617 / 8160.0L};
  real const z = 1 / (x * x);
  real tail = 0;
  for (int k = 7; k >= 0; --k) tail = (tail + series[k]) * z;
  return sum + std::log(x) - 0.5L / x - tail;
}

// Giles' single precision erfinv on a float argument, whose square is rounded to float, exactly.
inline real giles(real argument) {
  auto const x = static_cast<float>(argument);
  if (std::fabs(x) == 1) return std::copysign(infinity, argument);
  if (!(std::fabs(x) < 1)) return std::numeric_limits<real>::quiet_NaN();
  float const square = x * x;
  real const w = -std::log1p(-real{square});
  constexpr float near[] = {2.81022636e-08f,  3.43273939e-07f, -3.5233877e-06f,
                            -4.39150654e-06f, 0.00021858087f,  -0.00125372503f,
                            -0.00417768164f,  0.246640727f,    1.50140941f};
  constexpr float far[] = {-0.000200214257f, 0.000100950558f, 0.00134934322f,
                           -0.00367342844f,  0.00573950773f,  -0.0076224613f,
                           0.00943887047f,   1.00167406f,     2.83297682f};
  real const v = w < 5 ? w - 2.5L : std::sqrt(w) - 3;
  real p = 0;
  for (int k = 0; k < 9; ++k) p = p * v + real{w < 5 ? near[k] : far[k]};
  return x == 0 ? argument : p * argument;
}
// By Newton's method, from an interval that holds it.
inline real inverse_of_erf(real x) {
  real low = 0, high = 7;
  for (int k = 0; k < 20; ++k) {
    real const middle = (low + high) / 2;
    (std::erfc(middle) > 1 - x ? low : high) = middle;
  }
  real y = (low + high) / 2;
  if (x < 1e-5L) y = x * std::sqrt(pi) / 2;
  for (int k = 0; k < 8; ++k) {
    real const error = x < 0.5L ? std::erf(y) - x : (1 - x) - std::erfc(y);
    y -= error * std::sqrt(pi) / 2 * std::exp(y * y);
  }
  return y;
}

// The function that an op means, in T; null: none is here. Of erfinv, what it means in float32.
template <class T> using reference = T (*)(T);
template <class T> constexpr reference<T> reference_of(weft::op o) {
  using weft::op;
  switch (o) {
    case op::neg: return [](T x) { return -x; };
    case op::abs: return [](T x) { return std::fabs(x); };
    case op::sqrt: return [](T x) { return std::sqrt(x); };
    case op::exp: return [](T x) { return std::exp(x); };
    case op::log: return [](T x) { return std::log(x); };
    case op::tanh: return [](T x) { return std::tanh(x); };
    case op::sigmoid: return [](T x) { return 1 / (1 + std::exp(-x)); };
    case op::stop_gradient: return [](T x) { return x; };
    case op::exp2: return [](T x) { return std::exp2(x); };
    case op::expm1: return [](T x) { return std::expm1(x); };
    case op::log1p: return [](T x) { return std::log1p(x); };
    case op::log2: return [](T x) { return std::log2(x); };
    case op::log10: return [](T x) { return std::log10(x); };
    case op::softplus: return [](T x) { return static_cast<T>(softplus(x)); };
    case op::reciprocal: return [](T x) { return 1 / x; };
    case op::rsqrt: return [](T x) { return 1 / std::sqrt(x); };
    case op::cbrt: return [](T x) { return std::cbrt(x); };
    case op::sin: return [](T x) { return std::sin(x); };
    case op::cos: return [](T x) { return std::cos(x); };
    case op::tan: return [](T x) { return std::tan(x); };
    case op::asin: return [](T x) { return std::asin(x); };
    case op::acos: return [](T x) { return std::acos(x); };
    case op::atan: return [](T x) { return std::atan(x); };
    case op::sinh: return [](T x) { return std::sinh(x); };
    case op::cosh: return [](T x) { return std::cosh(x); };
    case op::asinh: return [](T x) { return std::asinh(x); };
    case op::acosh: return [](T x) { return std::acosh(x); };
    case op::atanh: return [](T x) { return std::atanh(x); };
    case op::erf: return [](T x) { return std::erf(x); };
    case op::erfc: return [](T x) { return std::erfc(x); };
    case op::erfinv: return [](T x) { return static_cast<T>(giles(x)); };
    case op::lgamma: return [](T x) { return std::lgamma(x); };
    case op::digamma: return [](T x) { return static_cast<T>(digamma(x)); };
    case op::gelu: return [](T x) { return static_cast<T>(gelu(x)); };
    case op::floor: return [](T x) { return std::floor(x); };
    case op::ceil: return [](T x) { return std::ceil(x); };
    case op::trunc: return [](T x) { return std::trunc(x); };
    case op::round_even: return [](T x) { return std::nearbyint(x); };
    case op::round_away: return [](T x) { return std::round(x); };
    case op::sign: return [](T x) { return x > 0 ? T{1} : x < 0 ? T{-1} : x; };
    case op::is_finite: return [](T x) { return static_cast<T>(std::isfinite(x)); };
    case op::is_nan: return [](T x) { return static_cast<T>(std::isnan(x)); };
    case op::is_inf: return [](T x) { return static_cast<T>(std::isinf(x)); };
    default: return nullptr;
  }
}

} // namespace references
