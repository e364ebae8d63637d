// SPDX-License-Identifier: BSL-1.0
// Inputs and comparisons for the numeric tests: floats that are hard, errors in ulp.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace numbers {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();

inline constexpr std::array<float, 27> special_floats = {0.0f,
                                                         -0.0f,
                                                         0x1p-149f,
                                                         -0x1p-149f,
                                                         0x1.fffffcp-127f,
                                                         0x1p-126f,
                                                         -0x1p-126f,
                                                         0.5f,
                                                         -0.5f,
                                                         1.0f,
                                                         -1.0f,
                                                         0x1.fffffep-1f,
                                                         0x1.000002p+0f,
                                                         3.7f,
                                                         -3.7f,
                                                         0x1p+24f,
                                                         0x1.fffffep+30f,
                                                         0x1p+31f,
                                                         -0x1p+31f,
                                                         -0x1.000002p+31f,
                                                         0x1.fffffep+31f,
                                                         0x1p+32f,
                                                         0x1.fffffep+127f,
                                                         -0x1.fffffep+127f,
                                                         infinity,
                                                         -infinity,
                                                         nan};
inline constexpr std::array<std::uint32_t, 14> special_words = {
    0u,  1u,   2u,          7u,          31u,         32u,         33u,
    64u, 255u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffff80u, 0xffffffffu};

// Equal bits, or both NaN.
inline bool same(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// |result - exact| in units of the last place of a float near exact.
inline double error_in_ulp(float result, double exact) {
  auto const rounded = static_cast<float>(exact);
  if (same(result, rounded) && std::isinf(result)) return 0.0;
  if (!std::isfinite(exact) || std::isinf(result) || std::isnan(result))
    return same(result, rounded) ? 0.0 : std::numeric_limits<double>::infinity();
  int exponent = 0; // of a finite number that rounds to infinity: as if there were more exponents
  std::frexp(exact, &exponent);
  double const ulp = std::fabs(exact) < 0x1p-126 ? 0x1p-149 : std::ldexp(1.0, exponent - 24);
  return std::fabs(static_cast<double>(result) - exact) / ulp;
}

// xorshift64*, so that every run and library draws the same numbers.
class generator {
public:
  std::uint32_t word() {
    state_ ^= state_ >> 12, state_ ^= state_ << 25, state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>((state_ * 0x2545f4914f6cdd1dull) >> 32);
  }
  float any_float() { return std::bit_cast<float>(word()); }
  // Few significant bits and close exponents: ties, cancellation; sometimes near the subnormals.
  float hard_float() {
    std::uint32_t const r = word(), kept = 0xffffffffu << (word() % 24);
    std::uint32_t const exponent = (r & 64) != 0    ? 120 + r % 16
                                   : (r & 128) != 0 ? r % 28
                                                    : 50 + r % 30;
    return std::bit_cast<float>((r & 0x80000000u) | (exponent << 23) | (word() & 0x7fffffu & kept));
  }

private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15ull;
};

// 2^20 floats, one of every 4096 consecutive bit patterns, at varying places; then the special ones.
template <class Visit> void for_each_float(Visit visit) {
  for (std::uint32_t k = 0; k < (1u << 20); ++k)
    visit(std::bit_cast<float>((k << 12) | ((k * 2654435761u) >> 20)));
  for (float x : special_floats) visit(x);
}

} // namespace numbers
