// SPDX-License-Identifier: BSL-1.0
// Functions that the standard library lacks, in long double, for tests of accuracy.
#pragma once

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

} // namespace references
