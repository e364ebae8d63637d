// SPDX-License-Identifier: BSL-1.0
// build: alone
// Stated ulp of every function of one float: float32 on 2^17 bit patterns against libm in double,
// float64 on random arguments against long double. All 2^32 arguments: conformance/full.
#include <weft/op/numeric_wide.hpp>
#include <weft/op/table.hpp>

#include <op/elementary_references.hpp>
#include <op/numbers.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <random>

namespace {

using namespace weft::scalar;
using references::real;
using weft::op, weft::row;

// One function: its bounds (float32: the row's), and values to compare with.
struct function {
  op code;
  float (*narrow)(float);
  double (*wide)(double);
  real (*reference)(real);
  double wide_bound;
  double low, high; // where it is interesting
  bool only_positive = false, near_zero_counts_as_one = false;
};
template <op O>
constexpr function make(double wide_bound, double low, double high, bool only_positive = false,
                        bool near_zero_counts_as_one = false) {
  return {O,
          [](float x) { return row<O>::meaning(f32(x)).value; },
          [](double x) { return row<O>::meaning(f64(x)).value; },
          references::reference_of<real>(O),
          wide_bound,
          low,
          high,
          only_positive,
          near_zero_counts_as_one};
}

function const functions[] = {
    make<op::exp2>(0.90, -1080, 1030),
    make<op::expm1>(1.20, -3, 40),
    make<op::log1p>(0.80, -1, 3),
    make<op::log2>(0.70, 0.3, 3),
    make<op::log10>(0.70, 0.3, 3),
    make<op::softplus>(1.20, -40, 40),
    make<op::reciprocal>(0.50, -4, 4),
    make<op::rsqrt>(1.50, 0, 4),
    make<op::cbrt>(0.55, -8, 8),
    make<op::sin>(0.80, -10, 10),
    make<op::cos>(0.80, -1e6, 1e6),
    make<op::tan>(0.90, -10, 10),
    make<op::asin>(0.70, -1, 1),
    make<op::acos>(0.70, -1, 1),
    make<op::atan>(1.10, -3, 3),
    make<op::sinh>(0.90, -710, 710),
    make<op::cosh>(1.00, -710, 710),
    make<op::asinh>(0.70, -2, 2),
    make<op::acosh>(0.70, 1, 3),
    make<op::atanh>(0.80, -1, 1),
    make<op::erf>(1.20, -6, 6),
    make<op::erfc>(2.50, -6, 27.3),
    make<op::gelu>(2.50, -38, 8),
    make<op::lgamma>(2.00, 0, 12, true),
    make<op::digamma>(4.00, 0.1, 12, true, true),
};

double error(float result, real exact, bool unit) {
  if (unit && std::fabs(exact) < 1 && std::isfinite(result))
    return static_cast<double>(std::fabs(static_cast<real>(result) - exact) / 0x1p-23L);
  return numbers::error_in_ulp(result, static_cast<double>(exact));
}
double error(double result, real exact, bool unit) {
  auto const rounded = static_cast<double>(exact);
  if (std::isnan(exact) || std::isinf(rounded) || std::isinf(result) || std::isnan(result)) {
    bool const both = std::isnan(result) && std::isnan(rounded);
    return both || result == rounded ? 0 : std::numeric_limits<double>::infinity();
  }
  int exponent = 0;
  std::frexp(exact, &exponent);
  real ulp = std::fabs(exact) < 0x1p-1022L ? 0x1p-1074L : std::ldexp(real{1}, exponent - 53);
  if (unit && std::fabs(exact) < 1) ulp = 0x1p-52L;
  return static_cast<double>(std::fabs(static_cast<real>(result) - exact) / ulp);
}

template <class T, class Sweep>
void expect_within(function const& f, T (*mine)(T), double bound, Sweep sweep) {
  double worst = 0;
  T at = 0;
  sweep([&](T x) {
    if (f.only_positive && !(x > 0)) return;
    double const e = error(mine(x), f.reference(static_cast<real>(x)), f.near_zero_counts_as_one);
    if (e > worst) worst = e, at = x;
  });
  std::printf("  f%d %-10s %.4f ulp at %a\n", static_cast<int>(8 * sizeof(T)),
              weft::name_of(f.code), worst, static_cast<double>(at));
  EXPECT_LE(worst, bound) << weft::name_of(f.code) << " at " << static_cast<double>(at);
}

TEST(elementary_accuracy, of_float32) {
  for (function const& f : functions)
    expect_within<float>(f, f.narrow, weft::info_of(f.code).ulp, [](auto visit) {
      for (std::uint32_t k = 0; k < (1u << 17); ++k)
        visit(std::bit_cast<float>((k << 15) | ((k * 2654435761u) >> 17)));
      for (float x : numbers::special_floats) visit(x);
    });
}
TEST(elementary_accuracy, of_float64) {
  for (function const& f : functions)
    expect_within<double>(f, f.wide, f.wide_bound, [&](auto visit) {
      std::mt19937_64 bits(7);
      std::uniform_real_distribution<double> range(f.low, f.high), small(1, 2);
      for (int k = 0; k < 20000; ++k) {
        visit(std::bit_cast<double>(bits()));
        visit(range(bits));
        visit(std::ldexp(small(bits), static_cast<int>(bits() % 24) - 18));
      }
      for (float x : numbers::special_floats) visit(x);
    });
}
// Giles' polynomial in float32 means itself; in float64 the function means erf's inverse.
TEST(elementary_accuracy, of_erfinv) {
  function const f = make<op::erfinv>(2.50, 0, 0);
  expect_within<float>(f, f.narrow, weft::info_of(op::erfinv).ulp, [](auto visit) {
    for (std::uint32_t k = 0; k <= (1u << 17); ++k)
      for (float sign : {1.0f, -1.0f}) visit(sign * std::bit_cast<float>(k * 0x1fc0u));
    for (float x : numbers::special_floats) visit(x);
  });
  function g = f;
  g.reference = references::inverse_of_erf;
  expect_within<double>(g, g.wide, g.wide_bound, [](auto visit) {
    for (int k = 1; k < 4000; ++k)
      for (double x :
           {k / 4000.0, std::ldexp(1.0 + k / 4000.0, -k % 300), 1 - std::ldexp(1.0, -k % 53)})
        if (x < 1) visit(x);
  });
}

// For x < 0: absolute, since the zeros between the poles are not met exactly.
TEST(elementary_accuracy, of_negative_gamma) {
  double worst[2] = {0, 0};
  for (std::uint32_t k = 0x80000000u; k < 0xcb000000u; k += 65521u) {
    auto const x = std::bit_cast<float>(k);
    auto const exact = [&] {
      return std::array<real, 2>{std::lgamma(real{x}), references::digamma(x)};
    }();
    float const mine[2] = {row<op::lgamma>::meaning(f32(x)).value,
                           row<op::digamma>::meaning(f32(x)).value};
    for (std::size_t i = 0; i < 2; ++i)
      if (std::isfinite(static_cast<float>(exact[i])))
        worst[i] = std::max(worst[i], error(mine[i], exact[i], true));
  }
  std::printf("  lgamma %.3f, digamma %.3f of max(1, |result|), x < 0\n", worst[0], worst[1]);
  EXPECT_LE(worst[0], 5.0);
  EXPECT_LE(worst[1], 16.0);
}

// float32 against float64, which has 29 bits more.
TEST(elementary_accuracy, of_zeta) {
  double worst = 0;
  for (int i = 0; i < 40; ++i)
    for (int k = 0; k < 60; ++k) {
      float const s = 1.0625f + static_cast<float>(i) * 0.25f,
                  q = 0.125f + static_cast<float>(k) * 0.5f;
      double const exact = row<op::zeta>::meaning(f64(s), f64(q)).value;
      worst = std::max(worst,
                       numbers::error_in_ulp(row<op::zeta>::meaning(f32(s), f32(q)).value, exact));
    }
  std::printf("  zeta %.3f ulp\n", worst);
  EXPECT_LE(worst, 8.0);
  // Far out zeta(2, q) is 1 / q, where q^-2 is 0; at infinity it is 0.
  for (float const q : {1e19f, 1e22f, 1e25f, 3e38f})
    EXPECT_LE(numbers::error_in_ulp(row<op::zeta>::meaning(f32(2.0f), f32(q)).value,
                                    1.0 / static_cast<double>(q)),
              8.0);
  EXPECT_NEAR(row<op::zeta>::meaning(f64(2.0), f64(1e160)).value * 1e160, 1.0, 1e-15);
  float const infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(row<op::zeta>::meaning(f32(2.0f), f32(infinity)).value, 0.0f);
  EXPECT_EQ(row<op::polygamma>::meaning(f32(1.0f), f32(infinity)).value, 0.0f);
  auto const polygamma = [](double n, double x) {
    return row<op::polygamma>::meaning(f64(n), f64(x)).value;
  };
  EXPECT_NEAR(polygamma(1, 0.5), 4.934802200544679, 1e-14);  // pi^2 / 2
  EXPECT_NEAR(polygamma(1, -0.5), 8.934802200544679, 1e-14); // 4 + pi^2 / 2
  EXPECT_NEAR(polygamma(2, 1), -2.404113806319189, 1e-14);   // -2 zeta(3)
  EXPECT_NEAR(polygamma(0, 1), -0.5772156649015329, 1e-15);
  EXPECT_TRUE(std::isnan(polygamma(1.5, 1)) && std::isnan(polygamma(2, -0.5)));
}

} // namespace
