// SPDX-License-Identifier: BSL-1.0
// Functions that the C++ library lacks, by textbook series, for arguments between 0 and 100.
#pragma once

#include <cmath>

namespace test {

inline double zeta_of(double s, double q) { // Euler-Maclaurin
  double sum = 0;
  for (int k = 0; k < 100; ++k) sum += std::pow(q + k, -s);
  double const a = q + 100;
  return sum + std::pow(a, 1 - s) / (s - 1) + std::pow(a, -s) / 2 + s * std::pow(a, -s - 1) / 12 -
         s * (s + 1) * (s + 2) * std::pow(a, -s - 3) / 720;
}
inline double digamma_of(double x) {
  double shift = 0;
  for (; x < 60; ++x) shift -= 1 / x;
  return shift + std::log(x) - 1 / (2 * x) - 1 / (12 * x * x) + 1 / (120 * std::pow(x, 4)) -
         1 / (252 * std::pow(x, 6));
}
inline double erfinv_of(double y) { // Newton
  double x = 0;
  for (int i = 0; i < 60; ++i)
    x -= (std::erf(x) - y) * std::sqrt(std::acos(-1.0)) / 2 * std::exp(x * x);
  return x;
}

} // namespace test
