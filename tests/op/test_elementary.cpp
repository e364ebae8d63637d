// SPDX-License-Identifier: BSL-1.0
// Stated ulp over all of float32, special values, constant evaluation = run time, bf16, threefry.
#include <weft/core/dtype.hpp>
#include <weft/op/elementary.hpp>

#include <op/numbers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace {

namespace elementary = weft::elementary;
using namespace weft::scalar;
using numbers::infinity, numbers::nan, numbers::same;

template <class Function, class Reference>
double maximum_error(char const* name, Function function, Reference reference) {
  double worst = 0;
  float at = 0;
  numbers::for_each_float([&](float x) {
    double const e = numbers::error_in_ulp(function(f32(x)).value,
                                           reference(static_cast<double>(x)));
    if (e > worst) worst = e, at = x;
  });
  std::printf("  %-8s %.4f ulp at %a\n", name, worst, static_cast<double>(at));
  return worst;
}

double logistic(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

TEST(elementary, keeps_the_stated_ulp) {
  EXPECT_LE(
      maximum_error(
          "exp", [](f32 x) { return elementary::exp(x); }, [](double x) { return std::exp(x); }),
      0.90);
  EXPECT_LE(
      maximum_error(
          "log", [](f32 x) { return elementary::log(x); }, [](double x) { return std::log(x); }),
      0.95);
  EXPECT_LE(
      maximum_error(
          "tanh", [](f32 x) { return elementary::tanh(x); }, [](double x) { return std::tanh(x); }),
      1.40);
  EXPECT_LE(maximum_error(
                "sigmoid", [](f32 x) { return elementary::sigmoid(x); }, logistic),
            1.50);
}

// Where the functions are steep or change form, more densely than the sweep of all floats.
TEST(elementary, keeps_the_stated_ulp_where_it_is_hard) {
  auto dense = [](float low, float high, auto function, auto reference) {
    double worst = 0;
    for (int k = 0; k <= 400'000; ++k) {
      float const x = low + (high - low) * (static_cast<float>(k) / 400'000.0f);
      worst = std::max(
          worst, numbers::error_in_ulp(function(f32(x)).value, reference(static_cast<double>(x))));
    }
    return worst;
  };
  auto exp = [](f32 x) { return elementary::exp(x); };
  auto log = [](f32 x) { return elementary::log(x); };
  auto tanh = [](f32 x) { return elementary::tanh(x); };
  auto sigmoid = [](f32 x) { return elementary::sigmoid(x); };
  EXPECT_LE(dense(-104, 89, exp, [](double x) { return std::exp(x); }), 0.90);
  EXPECT_LE(dense(0.5f, 2, log, [](double x) { return std::log(x); }), 0.95);
  EXPECT_LE(dense(-9.5f, 9.5f, tanh, [](double x) { return std::tanh(x); }), 1.40);
  EXPECT_LE(dense(-20, 20, sigmoid, logistic), 1.50);
  EXPECT_LE(dense(-104, -80, sigmoid, logistic), 1.50);
}

TEST(elementary, has_the_right_limits) {
  auto exp = [](float x) { return elementary::exp(f32(x)).value; };
  auto log = [](float x) { return elementary::log(f32(x)).value; };
  auto tanh = [](float x) { return elementary::tanh(f32(x)).value; };
  auto sigmoid = [](float x) { return elementary::sigmoid(f32(x)).value; };
  EXPECT_TRUE(same(exp(infinity), infinity) && same(exp(-infinity), 0.0f) && std::isnan(exp(nan)));
  EXPECT_TRUE(same(exp(0.0f), 1.0f) && same(exp(-0.0f), 1.0f) && same(exp(-103.9f), 0x1p-149f));
  EXPECT_TRUE(same(log(infinity), infinity) && same(log(0.0f), -infinity) &&
              same(log(-0.0f), -infinity));
  EXPECT_TRUE(std::isnan(log(-1.0f)) && std::isnan(log(-infinity)) && std::isnan(log(nan)));
  EXPECT_TRUE(same(log(1.0f), 0.0f));
  EXPECT_TRUE(same(tanh(infinity), 1.0f) && same(tanh(-infinity), -1.0f) && std::isnan(tanh(nan)));
  EXPECT_TRUE(same(tanh(-0.0f), -0.0f) && same(tanh(0x1p-149f), 0x1p-149f));
  EXPECT_TRUE(same(sigmoid(infinity), 1.0f) && same(sigmoid(-infinity), 0.0f) &&
              same(sigmoid(0.0f), 0.5f));
  EXPECT_TRUE(std::isnan(sigmoid(nan)));
}

// The same call, once in constant evaluation (soft float) and once at run time (hardware).
template <class Function> void expect_constant_equals_run_time(Function function) {
  static constexpr std::array<float, 9> inputs = {-87.5f, -103.5f, -1.25f, -0x1p-130f, 0x1p-140f,
                                                  0.6f,   2.5f,    88.7f,  nan};
  static constexpr auto constant = [] {
    std::array<float, inputs.size()> r{};
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = Function{}(f32(inputs[k])).value;
    return r;
  }();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    float const volatile x = inputs[k];
    EXPECT_TRUE(same(constant[k], function(f32(x)).value)) << inputs[k];
  }
}

TEST(elementary, is_the_same_in_constant_evaluation) {
  expect_constant_equals_run_time([](f32 x) { return elementary::exp(x); });
  expect_constant_equals_run_time([](f32 x) { return elementary::log(x); });
  expect_constant_equals_run_time([](f32 x) { return elementary::tanh(x); });
  expect_constant_equals_run_time([](f32 x) { return elementary::sigmoid(x); });
  expect_constant_equals_run_time([](f32 x) { return elementary::round_bf16(x); });
}

TEST(bf16, rounds_like_the_storage_type) {
  numbers::for_each_float(
      [](float x) { ASSERT_EQ(elementary::bf16_bits(f32(x)).value, weft::bf16(x).bits) << x; });
  for (std::uint32_t b = 0; b < 0x10000u; ++b) { // every bf16 is its own rounding, NaN made quiet
    float const x = elementary::from_bf16_bits(u32(b)).value;
    EXPECT_EQ(elementary::bf16_bits(f32(x)).value, std::isnan(x) ? b | 0x40u : b);
  }
}
static_assert(elementary::round_bf16(f32(0x1.01p+0f)).value == 1.0f);           // a tie: even
static_assert(elementary::round_bf16(f32(0x1.03p+0f)).value == 0x1.04p+0f);     // a tie: even
static_assert(elementary::round_bf16(f32(0x1.010002p+0f)).value == 0x1.02p+0f); // above the tie
static_assert(elementary::round_bf16(f32(0x1.ffp+127f)).value == infinity);     // rounds up
static_assert(elementary::round_bf16(f32(0x1p-133f)).value == 0x1p-133f);       // no flush
static_assert(elementary::bf16_bits(f32(std::bit_cast<float>(0x7f800001u))).value == 0x7fc0u);

// Random123's known answers for threefry2x32-20: counter, key, result.
constexpr bool threefry_gives(std::uint32_t c0, std::uint32_t c1, std::uint32_t k0,
                              std::uint32_t k1, std::uint32_t r0, std::uint32_t r1) {
  auto const r = elementary::threefry2x32(u32(k0), u32(k1), u32(c0), u32(c1));
  return r.first.value == r0 && r.second.value == r1;
}
static_assert(threefry_gives(0, 0, 0, 0, 0x6b200159u, 0x99ba4efeu));
static_assert(threefry_gives(~0u, ~0u, ~0u, ~0u, 0x1cb996fcu, 0xbb002be7u));
static_assert(threefry_gives(0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u, 0xc4923a9cu,
                             0x483df7a0u));

} // namespace
