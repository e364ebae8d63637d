// SPDX-License-Identifier: BSL-1.0
// build: alone
// Draws that are formulas: JAX's values (0.10.2), and the distributions they are said to have.
#include "recorded.hpp"
#include "sample.hpp"

#include <weft/lang/distributions.hpp>

#include <bit>
#include <limits>

namespace {

using recorded::list, recorded::values;
using weft::key, weft::tensor;

constexpr double pi = 3.141592653589793;

std::int32_t steps_between(float a, std::uint32_t bits) { // of one sign
  return std::abs(static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(a) - bits));
}
void expect_within(int ulp, list<float> const& is, list<std::uint32_t> const& expected) {
  for (unsigned i = 0; i < expected.size(); ++i)
    EXPECT_LE(steps_between(is[i], expected[i]), ulp) << i << ": " << is[i];
}
void expect_near(list<float> const& is, list<float> const& expected) {
  for (unsigned i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(is[i], expected[i], 4e-6 * (1 + std::abs(expected[i]))) << i;
}

TEST(distributions, normal_as_jax) {
  auto const f = [](auto k) { return weft::normal<5>(k); };
  expect_within(8, values<float>(f, key(0)),
                {0x3fcfb2bd, 0x40019df0, 0xbede0017, 0xbda10222, 0x3e34512c});
  auto const g = [](auto k) { return weft::normal<4, 3>(k); };
  expect_within(8, values<float>(g, key(42)),
                {0xbce7df15, 0x3eef2be8, 0x3e976661, 0x3e1d3b24, 0xbdfe04eb, 0x3e5e211a});
}
TEST(distributions, others_as_jax) {
  expect_near(values<float>([](auto k) { return weft::truncated_normal<3>(k, -2, 2); }, key(0)),
              {1.4559592f, 1.7147487f, -0.41267535f});
  expect_near(values<float>([](auto k) { return weft::truncated_normal<3>(k, -2, 2); }, key(42)),
              {-0.027016498f, 0.44438082f, 0.28187707f});
  expect_near(values<float>([](auto k) { return weft::exponential<3>(k); }, key(0)),
              {2.9501281f, 3.8434246f, 0.40390354f});
  expect_near(values<float>([](auto k) { return weft::exponential<3>(k); }, key(42)),
              {0.6708175f, 1.1388006f, 0.957820f});
  expect_near(values<float>([](auto k) { return weft::gumbel<3>(k); }, key(0)),
              {2.9233725f, 3.8326178f, -0.096893243f});
  expect_near(values<float>([](auto k) { return weft::gumbel<3>(k); }, key(42)),
              {0.33409339f, 0.95201945f, 0.72553056f});
}

constexpr int many = 1 << 13;

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
template <class F, class Distribution>
void expect_distribution(F const& f, int seed, Distribution const& distribution) {
  list<float> const x = values<float>(f, key(seed));
  EXPECT_LT(std::abs(sample::score(x, distribution)), 4.5);
  list<double> u;
  for (float one : x) u.push_back(distribution(static_cast<double>(one)));
  sample::moments const m = sample::moments_of(u); // uniform
  EXPECT_LT(std::abs(m.mean - 0.5) * std::sqrt(12.0 * many), 4.5);
  EXPECT_LT(std::abs(m.variance - 1.0 / 12) * std::sqrt(180.0 * many), 4.5);
  EXPECT_LT(std::abs(m.serial) * std::sqrt(1.0 * many), 4.5);
}
TEST(distributions, have_their_distribution) {
  expect_distribution([](auto k) { return weft::normal<many>(k); }, 1, normal_distribution);
  expect_distribution([](auto k) { return weft::convert<float>(weft::normal<double, many>(k)); }, 2,
                      normal_distribution);
  expect_distribution([](auto k) { return weft::truncated_normal<many>(k, 0.5f, 3); }, 3,
                      [](double x) {
                        double const low = normal_distribution(0.5), high = normal_distribution(3);
                        return (normal_distribution(x) - low) / (high - low);
                      });
  expect_distribution([](auto k) { return weft::exponential<many>(k); }, 4,
                      [](double x) { return -std::expm1(-x); });
  expect_distribution([](auto k) { return weft::gumbel<many>(k); }, 5,
                      [](double x) { return std::exp(-std::exp(-x)); });
  expect_distribution([](auto k) { return weft::laplace<many>(k); }, 6,
                      [](double x) { return x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x); });
  expect_distribution([](auto k) { return weft::logistic<many>(k); }, 7,
                      [](double x) { return 1 / (1 + std::exp(-x)); });
  expect_distribution([](auto k) { return weft::cauchy<many>(k); }, 8,
                      [](double x) { return 0.5 + std::atan(x) / pi; });
  expect_distribution([](auto k) { return weft::lognormal<many>(k, 0.5f); }, 9,
                      [](double x) { return normal_distribution(2 * std::log(x)); });
  expect_distribution([](auto k) { return weft::pareto<many>(k, 3); }, 10,
                      [](double x) { return 1 - std::pow(x, -3); });
  expect_distribution([](auto k) { return weft::rayleigh<many>(k, 2); }, 11,
                      [](double x) { return -std::expm1(-x * x / 8); });
}
// Narrow types have few values, but their moments.
TEST(distributions, normal_of_16_bits) {
  auto const f = [](auto k) { return weft::convert<float>(weft::normal<weft::bf16, many>(k)); };
  auto const g = [](auto k, auto x) { return weft::convert<float>(weft::normal_like(k, x)); };
  for (auto const& x :
       {values<float>(f, key(12)), values<float>(g, key(13), tensor<weft::f16, many>{})}) {
    sample::moments const m = sample::moments_of(x);
    EXPECT_NEAR(m.mean, 0, 0.06);
    EXPECT_NEAR(m.variance, 1, 0.06);
  }
}
TEST(distributions, rademacher) {
  auto const x = values<int>([](auto k) { return weft::rademacher<many>(k); }, key(14));
  EXPECT_LT(std::abs(sample::moments_of(x).mean) * std::sqrt(1.0 * many), 4);
  EXPECT_EQ(std::count(x.begin(), x.end(), 1) + std::count(x.begin(), x.end(), -1), many);
  auto const y = values<std::int8_t>([](auto k) { return weft::rademacher<std::int8_t, 2, 2>(k); },
                                     key(14));
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(y[i], x[i]);
}
// Inside the bounds, and never on them, whatever they are.
TEST(distributions, truncated_normal_stays_inside) {
  tensor<float, 4, 1> low, high;
  {
    auto a = low.mutate(), b = high.mutate();
    a(0, 0) = -1e-3f, b(0, 0) = 1e-3f;
    a(1, 0) = 0, b(1, 0) = 1e-30f;
    a(2, 0) = 3.9f, b(2, 0) = 4.0f;
    a(3, 0) = -std::numeric_limits<float>::infinity(), b(3, 0) = -1;
  }
  auto const f = [](auto k, auto a, auto b) { return weft::truncated_normal<4, 300>(k, a, b); };
  list<float> const x = values<float>(f, key(15), low, high);
  for (unsigned i = 0; i < x.size(); ++i) {
    EXPECT_GT(x[i], low(static_cast<int>(i / 300), 0));
    EXPECT_LT(x[i], high(static_cast<int>(i / 300), 0));
  }
}

} // namespace
