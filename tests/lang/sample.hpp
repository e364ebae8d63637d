// SPDX-License-Identifier: BSL-1.0
// For tests of random numbers: what a sample says about its distribution. Keys are fixed, so a test
// passes always or never; bounds are four to five standard deviations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sample {

struct moments {
  double mean = 0, variance = 0, serial = 0; // correlation of neighbours
};
template <class T> moments moments_of(std::vector<T> const& x) {
  moments m;
  auto const n = static_cast<double>(x.size());
  auto at = [&x](std::size_t i) { return static_cast<double>(x[i]); };
  for (std::size_t i = 0; i < x.size(); ++i) m.mean += at(i) / n;
  for (std::size_t i = 0; i < x.size(); ++i) m.variance += (at(i) - m.mean) * (at(i) - m.mean) / n;
  for (std::size_t i = 1; i < x.size(); ++i)
    m.serial += (at(i) - m.mean) * (at(i - 1) - m.mean) / (m.variance * n);
  return m;
}
// Standard deviations between the sum of squared deviations from equally likely bins and its mean.
inline double chi_square_score(std::vector<int> const& bins, std::vector<double> const& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < bins.size(); ++i)
    sum += (bins[i] - expected[i]) * (bins[i] - expected[i]) / expected[i];
  auto const freedom = static_cast<double>(bins.size() - 1);
  return (sum - freedom) / std::sqrt(2 * freedom);
}
// Of numbers that a distribution function takes to [0, 1]: 16 bins as likely.
template <class T, class Distribution>
double score(std::vector<T> const& x, Distribution const& distribution) {
  std::vector<int> bins(16);
  for (T one : x) {
    double const u = distribution(static_cast<double>(one));
    ++bins[static_cast<std::size_t>(std::min(std::max(u, 0.0) * 16, 15.0))];
  }
  return chi_square_score(bins, std::vector<double>(16, static_cast<double>(x.size()) / 16));
}

} // namespace sample
