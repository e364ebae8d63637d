// SPDX-License-Identifier: BSL-1.0
// What uniform draws look like: frequencies, moments, neighbours, streams of related keys.
#include "recorded.hpp"
#include "sample.hpp"

#include <weft/lang/joining.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/randint.hpp>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::key, weft::tensor;

constexpr int many = 1 << 15;

double deviations(double is, double expected, double variance, double n) {
  return std::abs(is - expected) / std::sqrt(variance / n);
}
template <class T> double score_of_bins(list<T> const& x, std::size_t n) {
  std::vector<int> bins(n);
  for (T one : x) ++bins[static_cast<std::size_t>(one)];
  auto const each = static_cast<double>(x.size()) / static_cast<double>(n);
  return sample::chi_square_score(bins, std::vector<double>(n, each));
}

TEST(random_statistics, bytes_are_as_likely) {
  auto const f = [](auto k) { return weft::bits<std::uint8_t, many>(k); };
  for (int seed : {1, 2, 3})
    EXPECT_LT(std::abs(score_of_bins(values<std::uint8_t>(f, key(seed)), 256)), 4.5);
}
TEST(random_statistics, integers_are_as_likely) {
  auto const f = [](auto k) { return weft::randint<many>(k, 0, 100); };
  for (int seed : {1, 2, 3})
    EXPECT_LT(std::abs(score_of_bins(values<int>(f, key(seed)), 100)), 4.5);
}
template <class T> void expect_uniform(key k, double step) {
  list<float> x;
  for (T one : values<T>([](auto own) { return weft::uniform<T, many>(own); }, k))
    x.push_back(static_cast<float>(one));
  sample::moments const m = sample::moments_of(x);
  EXPECT_LT(deviations(m.mean, 0.5 - step / 2, 1.0 / 12, many), 4.5);
  EXPECT_LT(deviations(m.variance, 1.0 / 12, 1.0 / 180, many), 4.5);
  EXPECT_LT(deviations(m.serial, 0, 1, many), 4.5);
  EXPECT_LT(std::abs(sample::score(x, [](double u) { return u; })), 4.5);
}
TEST(random_statistics, uniform) {
  expect_uniform<float>(key(11), 0);
  expect_uniform<double>(key(12), 0);
  expect_uniform<weft::f16>(key(13), 0x1p-10);
  expect_uniform<bf16>(key(14), 0x1p-7);
}
// The frequency of true, also where p is rare, or of 16 bits.
template <class P> void expect_frequency(P p, key k) {
  auto const f = [](auto x, auto q) { return weft::bernoulli<many>(x, q); };
  auto const drawn = values<bool>(f, k, tensor<P>(p));
  auto const frequency = static_cast<double>(std::count(drawn.begin(), drawn.end(), true)) / many;
  double expected = 0;
  if constexpr (sizeof(P) == 2) expected = static_cast<double>(static_cast<float>(p));
  else expected = static_cast<double>(p);
  EXPECT_LT(deviations(frequency, expected, expected * (1 - expected), many), 4) << expected;
}
TEST(random_statistics, bernoulli) {
  for (double p : {0.1, 0.5, 0.9, 1e-3}) {
    expect_frequency(p, key(21));
    expect_frequency(static_cast<float>(p), key(22));
    expect_frequency(bf16(static_cast<float>(p)), key(23));
    expect_frequency(weft::f16(static_cast<float>(p)), key(24));
  }
}
// Zeros are as many as the rate says, and the mean stays.
TEST(random_statistics, dropout) {
  auto const g = [](auto k, auto x) { return weft::dropout(k, 0.25f, x); };
  tensor<float, many> const ones = weft::ones<float, many>();
  auto const y = values<float>(g, key(31), ones);
  auto const zeros = static_cast<double>(std::count(y.begin(), y.end(), 0.0f));
  EXPECT_LT(deviations(zeros / many, 0.25, 0.25 * 0.75, many), 4);
  EXPECT_LT(deviations(sample::moments_of(y).mean, 1, 1.0 / 3, many), 4);
}
// Children of a key, their parent and their neighbours have nothing in common.
TEST(random_statistics, related_keys) {
  constexpr int n = many / 4;
  auto const f = [](auto k) {
    auto keys = weft::split(fold_in(k, 9));
    auto both = weft::concat<0>(weft::uniform<n>(keys[0]), weft::uniform<n>(keys[1]));
    return weft::concat<0>(both, weft::uniform<n>(fold_in(k, 10)), weft::uniform<n>(k));
  };
  list<float> const x = values<float>(f, key(41));
  for (int shift : {n, 2 * n, 3 * n}) {
    list<float> const a(x.begin(), x.end() - shift), b(x.begin() + shift, x.end());
    double correlation = 0;
    for (unsigned i = 0; i < a.size(); ++i) correlation += (a[i] - 0.5) * (b[i] - 0.5) * 12;
    EXPECT_LT(std::abs(correlation) / std::sqrt(static_cast<double>(a.size())), 4);
  }
}

} // namespace
