// SPDX-License-Identifier: BSL-1.0
// Decimals to floats, against the C library, which rounds correctly.
#include <weft/stablehlo/decimal.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace weft::stablehlo::detail;
using weft::view;

namespace {

constexpr float_format single{8, 23}, twice{11, 52};

template <unsigned long N> constexpr std::uint64_t bits_of(char const (&text)[N], float_format f) {
  bool infinite = false;
  return float_bits({text, static_cast<int>(N - 1)}, f, infinite);
}
static_assert(bits_of("1.1", single) == 0x3f8ccccd);
static_assert(bits_of("0.1", twice) == 0x3fb999999999999a);
static_assert(bits_of("3.4028235677973365e38", single) == 0x7f7fffff);
static_assert(bits_of("3.4028235677973367e38", single) == 0x7f800000);
static_assert(bits_of("7.006492321624085e-46", single) == 0);  // half of the least
static_assert(bits_of("7.0064923216240854e-46", single) == 1); // and more
static_assert(bits_of("16777217", single) == 0x4b800000);      // halfway, to even
static_assert(bits_of("16777217.0000000000000000000000000000001", single) == 0x4b800001);
static_assert(bits_of("2.2250738585072011e-308", twice) == 0xfffffffffffff);
static_assert(bits_of("65519.99", float_format{5, 10}) == 0x7bff);
static_assert(bits_of("65520", float_format{5, 10}) == 0x7c00);

void expect_nearest(std::string const& text) {
  view<char> const s{text.data(), static_cast<int>(text.size())};
  bool infinite = false;
  float const f = std::strtof(text.c_str(), nullptr);
  double const d = std::strtod(text.c_str(), nullptr);
  ASSERT_EQ(float_bits(s, single, infinite), std::bit_cast<std::uint32_t>(f)) << text;
  ASSERT_EQ(infinite, std::isinf(f)) << text;
  ASSERT_EQ(float_bits(s, twice, infinite), std::bit_cast<std::uint64_t>(d)) << text;
  ASSERT_EQ(infinite, std::isinf(d)) << text;
}
std::string written(char const* format, int digits, double x) {
  char text[1600];
  std::snprintf(text, sizeof text, format, digits, x);
  return text;
}

TEST(decimal, nearest) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    double const x = std::bit_cast<double>(random() >> 1);
    if (std::isfinite(x)) expect_nearest(written("%.*e", static_cast<int>(random() % 20), x));
    auto const bits = static_cast<std::uint32_t>(random() >> 33);
    float const y = std::bit_cast<float>(bits), next = std::bit_cast<float>(bits + 1);
    if (!std::isfinite(y) || !std::isfinite(next)) continue;
    expect_nearest(written("%.*e", static_cast<int>(random() % 12), y));
    expect_nearest(written("%.*f", static_cast<int>(random() % 12), y));
    // exactly between two floats
    double const middle = (static_cast<double>(y) + static_cast<double>(next)) / 2;
    expect_nearest(written("%.*f", 200, middle));
    if (i % 50 == 0 && std::fabs(x) < 1e300) expect_nearest(written("%.*f", 1100, x));
  }
}
TEST(decimal, edges) {
  for (char const* text :
       {"0", "0.0", "000.000e5", "1e400", "1e-400", "179769313486231580793e289", "4.9e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1e22", "1e23", "1E+5", "5e-1",
        "0.00000000000000000000000000000000000000000000000000000000001e59", "1e99999999999999",
        "1e-99999999999999", "1234567890123456789012345678901234567890", "8.5899345920e9"})
    expect_nearest(text);
  expect_nearest("1" + std::string(3000, '0') + "e-3000");
  expect_nearest("1." + std::string(3000, '0') + "1");
  expect_nearest("0." + std::string(3000, '0') + "1e3001");
}

} // namespace
