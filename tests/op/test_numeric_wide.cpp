// SPDX-License-Identifier: BSL-1.0
// The 64-bit scalar world: integer soft float = hardware on hard and random doubles; fma without
// the instruction; float64's elementary functions within their stated error; constant evaluation.
#include <weft/op/meaning.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

namespace soft = weft::detail::soft;
namespace meaning = weft::meaning;
using weft::scalar::f64, weft::scalar::i64, weft::scalar::u64, weft::scalar::f32;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class F> bool same(F a, F b) {
  return (std::isnan(a) && std::isnan(b)) || soft::bits(a) == soft::bits(b);
}
// Powers of two with few bits set near their ends: what rounds, cancels, under- and overflows.
double hard(std::mt19937_64& random) {
  std::uint64_t const r = random();
  auto const bit = [&](int shift) { return std::uint64_t{1} << ((r >> shift) % 52); };
  std::uint64_t fraction = (r & 3) == 0 ? random() >> 12 : (r & 3) == 1 ? bit(8) : bit(8) - 1;
  if ((r & 4) != 0) fraction ^= bit(16) | 1;
  std::uint64_t exponent = (r >> 24) % 2048;
  if ((r >> 40) % 4 != 0) exponent = 1023 - 60 + (r >> 24) % 120;
  if ((r >> 42) % 16 == 0) exponent = (r >> 24) % 3;
  return std::bit_cast<double>((r >> 63 << 63) | exponent << 52 | (fraction & 0xfffffffffffffu));
}
std::vector<double> specials() {
  std::vector<double> all;
  for (double x : {0.0, 0x1p-1074, 0x1.ffffffffffffep-1023, 0x1p-1022, 0x1p-538, 0.5, 1.0,
                   0x1.0000000000001p0, 3.7, 0x1p53, 0x1.fffffffffffffp1023, 0x1p512, infinity})
    all.push_back(x), all.push_back(-x);
  all.push_back(not_a_number);
  return all;
}
void expect_arithmetic(double a, double b, double c) {
  double volatile x = a, y = b, z = c; // computed at run time
  ASSERT_TRUE(same<double>(soft::add(a, b), x + y)) << a << ' ' << b;
  ASSERT_TRUE(same<double>(soft::sub(a, b), x - y)) << a << ' ' << b;
  ASSERT_TRUE(same<double>(soft::mul(a, b), x * y)) << a << ' ' << b;
  ASSERT_TRUE(same<double>(soft::div(a, b), x / y)) << a << ' ' << b;
  ASSERT_TRUE(same<double>(soft::sqrt(a), std::sqrt(x))) << a;
  ASSERT_TRUE(same<double>(soft::fma(a, b, c), std::fma(x, y, z))) << a << ' ' << b << ' ' << c;
  ASSERT_TRUE(same<double>(fma(f64(a), f64(b), f64(c)).value, std::fma(x, y, z)));
  ASSERT_TRUE(same<float>(soft::narrow(a), static_cast<float>(x))) << a;
  auto const single = static_cast<float>(x);
  ASSERT_TRUE(same<double>(soft::widen(single), static_cast<double>(single))) << single;
}
TEST(soft_double, is_the_hardware_on_specials) {
  for (double a : specials())
    for (double b : specials())
      for (double c : specials()) expect_arithmetic(a, b, c);
}
TEST(soft_double, is_the_hardware_on_hard_numbers) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 400000 && !HasFatalFailure(); ++i) {
    double const a = hard(random), b = hard(random);
    expect_arithmetic(a, b, hard(random));
    expect_arithmetic(a, b, -(a * b)); // what is left is the rounding of the product
    expect_arithmetic(a, b, std::nextafter(-(a * b), infinity));
  }
}
TEST(soft_double, is_the_hardware_on_integers) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 400000; ++i) {
    std::uint64_t const r = random(), w = r >> (random() % 64);
    auto const n = static_cast<std::int64_t>(w);
    ASSERT_EQ(soft::from_uint(w), static_cast<double>(w)) << w;
    ASSERT_EQ(soft::from_int(n), static_cast<double>(n)) << n;
    ASSERT_EQ(soft::from_int(-n), static_cast<double>(-n)) << n;
    double const x = static_cast<double>(n / 2) / static_cast<double>(1 + r % 1000);
    ASSERT_EQ(soft::to_int(x), static_cast<std::int64_t>(x)) << x;
    ASSERT_EQ(soft::to_uint(std::fabs(x)), static_cast<std::uint64_t>(std::fabs(x))) << x;
  }
}

// errors
double error_in_ulp(double result, long double exact) {
  auto const rounded = static_cast<double>(exact);
  if (!std::isfinite(rounded) || !std::isfinite(result))
    return same(result, rounded) ? 0 : infinity;
  int const last = exact == 0 ? -1074 : std::max(std::ilogb(exact) - 52, -1074);
  return static_cast<double>(std::fabs(std::ldexp(result - exact, -last)));
}
template <class Function, class Exact>
void expect_error(char const* name, double bound, double low, double high, Function f,
                  Exact exact) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform(low, high);
  double worst = 0, at = 0;
  for (int i = 0; i < 300000; ++i) {
    double const x = uniform(random), error = error_in_ulp(f(f64(x)).value, exact(x));
    if (error > worst) worst = error, at = x;
  }
  EXPECT_LE(worst, bound) << name << " at " << at;
}
long double sigmoid_of(long double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
TEST(elementary_wide, is_within_its_stated_error) {
  auto exp = [](f64 x) { return meaning::exp(x); };
  auto log = [](f64 x) { return meaning::log(x); };
  auto tanh = [](f64 x) { return meaning::tanh(x); };
  auto sigmoid = [](f64 x) { return meaning::sigmoid(x); };
  auto exact_exp = [](long double x) { return std::exp(x); };
  auto exact_log = [](long double x) { return std::log(x); };
  auto exact_tanh = [](long double x) { return std::tanh(x); };
  expect_error("exp", 0.90, -746, 710, exp, exact_exp);
  expect_error("exp", 0.90, -1, 1, exp, exact_exp);
  expect_error("log", 0.95, 0, 4, log, exact_log);
  expect_error("log", 0.95, 0.6, 1.4, log, exact_log);
  expect_error("log", 0.95, 0, 0x1p-1020, log, exact_log);
  expect_error("tanh", 1.40, -1, 1, tanh, exact_tanh);
  expect_error("tanh", 1.40, -20, 20, tanh, exact_tanh);
  expect_error("sigmoid", 1.50, -40, 40, sigmoid, sigmoid_of);
  expect_error("sigmoid", 1.50, -746, 0, sigmoid, sigmoid_of);
}
TEST(elementary_wide, special_values) {
  EXPECT_EQ(meaning::exp(f64(infinity)).value, infinity);
  EXPECT_EQ(meaning::exp(f64(-infinity)).value, 0);
  EXPECT_EQ(meaning::log(f64(0.0)).value, -infinity);
  EXPECT_EQ(meaning::log(f64(infinity)).value, infinity);
  EXPECT_TRUE(std::isnan(meaning::log(f64(-1.0)).value));
  EXPECT_EQ(meaning::tanh(f64(infinity)).value, 1);
  EXPECT_TRUE(same(meaning::tanh(f64(-0.0)).value, -0.0));
  EXPECT_EQ(meaning::sigmoid(f64(-infinity)).value, 0);
  for (auto f : {meaning::exp<f64>, meaning::log<f64>, meaning::tanh<f64>, meaning::sigmoid<f64>})
    EXPECT_TRUE(std::isnan(f(f64(not_a_number)).value));
}
// Constant evaluation gives the bits of run time.
TEST(elementary_wide, is_the_same_in_constant_evaluation) {
  constexpr double x = 0.7310585786300049;
  constexpr double at_compile_time[] = {meaning::exp(f64(x)).value, meaning::log(f64(x)).value,
                                        meaning::tanh(f64(x)).value,
                                        meaning::sigmoid(f64(x)).value};
  double volatile y = x;
  double const at_run_time[] = {meaning::exp(f64(y)).value, meaning::log(f64(y)).value,
                                meaning::tanh(f64(y)).value, meaning::sigmoid(f64(y)).value};
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(same(at_compile_time[i], at_run_time[i])) << i;
}

static_assert(narrow(f64(0x1.000001p0)).value == 1.0f &&
              narrow(f64(1e300)).value == std::numeric_limits<float>::infinity());
static_assert(widen(f32(0x1p-149f)).value == 0x1p-149 &&
              narrow(f64(0x1.8p-149)).value == 0x1p-148f);
static_assert(fma(f64(0x1.0000000000001p0), f64(0x1.0000000000001p0), f64(-0x1.0000000000002p0))
                  .value == 0x1p-104);
static_assert((i64(INT64_MIN) - i64(1)).value == INT64_MAX && narrow(i64(-1)).value == -1);

} // namespace
