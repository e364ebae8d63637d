// SPDX-License-Identifier: BSL-1.0
// build: alone
// Draws by rejection: the distributions that they are said to have, single numbers that depend on
// the key, the argument and the index alone, arguments without a distribution.
#include "recorded.hpp"
#include "sample.hpp"

#include <weft/lang/rejection.hpp>

#include <limits>

namespace {

using recorded::list, recorded::values;
using weft::key, weft::tensor;

constexpr int many = 3000;
constexpr double infinite = std::numeric_limits<double>::infinity();

// The regularised lower incomplete gamma function: by its series, or in far tails 1.
double gamma_distribution(double shape, double x) {
  double term = 1 / shape, sum = term;
  for (int n = 1; n < 400; ++n) sum += term *= x / (shape + n);
  return x <= 0 ? 0 : std::min(1.0, sum * std::exp(shape * std::log(x) - x - std::lgamma(shape)));
}
template <class F> void expect_gamma(F const& f, double shape, double scale, int seed) {
  list<float> const x = values<float>(f, key(seed));
  EXPECT_LT(
      std::abs(sample::score(x, [&](double y) { return gamma_distribution(shape, y / scale); })),
      4.5)
      << shape;
  sample::moments const m = sample::moments_of(x);
  EXPECT_NEAR(m.mean, shape * scale, 4.5 * scale * std::sqrt(shape / many));
  EXPECT_LT(std::abs(m.serial) * std::sqrt(1.0 * many), 4.5);
}
TEST(rejection, gamma) {
  expect_gamma([](auto k) { return weft::gamma<many>(k, 2.5f); }, 2.5, 1, 1);
  expect_gamma([](auto k) { return weft::gamma<many>(k, 0.3f); }, 0.3f, 1, 2);
  expect_gamma([](auto k) { return weft::gamma<many>(k, 1); }, 1, 1, 3);
  expect_gamma([](auto k) { return weft::gamma<many>(k, 60); }, 60, 1, 4);
  expect_gamma([](auto k) { return weft::convert<float>(weft::gamma<double, many>(k, 1.5)); }, 1.5,
               1, 5);
  expect_gamma([](auto k) { return weft::chi_square<many>(k, 5); }, 2.5, 2, 6);
}
TEST(rejection, beta) {
  auto const f = [](auto k) { return weft::beta<many>(k, 2, 3); };
  list<float> const x = values<float>(f, key(7));
  auto const distribution = [](double y) { return y * y * (6 - 8 * y + 3 * y * y); };
  EXPECT_LT(std::abs(sample::score(x, distribution)), 4.5);
  auto const narrow = [](auto k) { return weft::beta<many>(k, 0.5f, 0.5f); };
  EXPECT_LT(std::abs(sample::score(
                values<float>(narrow, key(8)),
                [](double y) { return std::asin(std::sqrt(y)) * 0.6366197723675814; })),
            4.5);
}
TEST(rejection, student_t) {
  auto const f = [](auto k) { return weft::student_t<many>(k, 2); };
  EXPECT_LT(std::abs(sample::score(values<float>(f, key(9)),
                                   [](double t) { return 0.5 + t / (2 * std::sqrt(2 + t * t)); })),
            4.5);
}
// Against the probabilities of the single counts, those below 5 draws in common bins.
template <class F> void expect_poisson(F const& f, double rate, int seed) {
  list<int> bins(1);
  list<double> expected(1);
  list<std::size_t> bin_of;
  double probability = std::exp(-rate), rest = 1;
  for (int n = 0; rest * many > 5; ++n, probability *= rate / n) {
    if (expected.back() >= 5) bins.push_back(0), expected.push_back(0);
    expected.back() += probability * many;
    rest -= probability;
    bin_of.push_back(bins.size() - 1);
  }
  expected.back() += rest * many;
  list<int> const drawn = values<int>(f, key(seed));
  EXPECT_NEAR(sample::moments_of(drawn).mean, rate, 4.5 * std::sqrt(rate / many));
  for (int n : drawn) {
    auto const i = static_cast<std::size_t>(n);
    ++bins[i < bin_of.size() ? bin_of[i] : bins.size() - 1];
  }
  EXPECT_LT(std::abs(sample::chi_square_score(bins, expected)), 4.5) << rate;
}
TEST(rejection, poisson) {
  expect_poisson([](auto k) { return weft::poisson<many>(k, 0.7f); }, 0.7f, 10);
  expect_poisson([](auto k) { return weft::poisson<many>(k, 9.5f); }, 9.5, 11);
  expect_poisson([](auto k) { return weft::poisson<many>(k, 10); }, 10, 12);
  expect_poisson([](auto k) { return weft::poisson<many>(k, 31); }, 31, 13);
}
// Rates at which floats round the probabilities' terms away, were they not written otherwise.
TEST(rejection, poisson_of_high_rates) {
  auto const f = [](auto k) { return weft::poisson<many>(k, 1e6f); };
  EXPECT_LT(std::abs(sample::score(
                values<int>(f, key(14)),
                [](double n) { return 0.5 * std::erfc((1e6 - n - 0.5) / std::sqrt(2e6)); })),
            4.5);
}
// Rates that int does not hold, but the type does.
template <class T> void expect_high_poisson(float rate) {
  auto const f = [rate](auto k) { return weft::poisson<T, many>(k, rate); };
  list<T> const drawn = values<T>(f, key(16));
  double const mean = static_cast<double>(rate);
  EXPECT_LT(std::abs(sample::score(
                list<double>(drawn.begin(), drawn.end()),
                [&](double n) { return 0.5 * std::erfc((mean - n) / std::sqrt(2 * mean)); })),
            4.5)
      << rate;
}
TEST(rejection, poisson_of_rates_beyond_int) {
  expect_high_poisson<std::uint32_t>(3e9f);
  expect_high_poisson<std::int64_t>(1e10f);
  expect_high_poisson<std::uint64_t>(1e10f);
  auto const ends = [](auto k, auto y) { return weft::poisson<std::int64_t>(k, y); };
  EXPECT_EQ(values<std::int64_t>(ends, key(1), tensor<float, 3>{1e30f, -1, NAN}),
            (list<std::int64_t>{std::numeric_limits<std::int64_t>::max(), -1, -1}));
}

tensor<float, 8> arguments() {
  tensor<float, 8> x;
  auto m = x.mutate();
  float const numbers[] = {0.0f, -1.0f, static_cast<float>(infinite), std::nanf(""), 1e-3f, 0.5f,
                           3.0f, 50.0f};
  std::copy(numbers, numbers + 8, m.data());
  return x;
}
// Numbers without a distribution, and no trouble for their neighbours: with fewer elements, or
// others beside them, an element is what it was.
TEST(rejection, elements_are_on_their_own) {
  tensor<float, 8> const mixed = arguments();
  auto const f = [](auto k, auto x) { return weft::gamma(k, x); };
  list<float> const x = values<float>(f, key(15), mixed);
  EXPECT_EQ(x[0], 0.0f);
  EXPECT_TRUE(std::isnan(x[1]) && std::isnan(x[3]));
  EXPECT_EQ(x[2], static_cast<float>(infinite));
  EXPECT_EQ(values<float>([](auto k) { return weft::gamma<12>(k, 3); }, key(15))[6], x[6]);
  EXPECT_EQ(values<float>([](auto k) { return weft::gamma<6>(k, 0.5f); }, key(15))[5], x[5]);
  auto const g = [](auto k, auto y) { return weft::poisson(k, y); };
  list<int> const n = values<int>(g, key(15), mixed);
  EXPECT_EQ((list<int>{n[0], n[1], n[2], n[3]}), (list<int>{0, -1, 2147483647, -1}));
  EXPECT_EQ(values<int>([](auto k) { return weft::poisson<12>(k, 3); }, key(15))[6], n[6]);
  EXPECT_EQ(values<int>([](auto k) { return weft::poisson<8>(k, 50); }, key(15))[7], n[7]);
}

} // namespace
