// SPDX-License-Identifier: BSL-1.0
// The 16-bit floats, storage only: bf16 (8 bits of exponent, 7 of fraction) and f16 (5 and 10).
// Arithmetic is float arithmetic followed by one conversion (docs/numerics.md).
// Leaves: conversions from every arithmetic type round once, to nearest even, keep subnormals,
// overflow to infinity, and quiet NaNs, which keep the upper part of their payload.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/core/config.hpp>
#include <weft/core/number_limits.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {
namespace detail {

// x / 2^n, where the lowest bit also records that something below it was lost.
constexpr std::uint64_t sticky_right(std::uint64_t x, int n) {
  if (n > 63) return x != 0;
  return (x >> n) | static_cast<std::uint64_t>(((x >> n) << n) != x);
}

// The float next to x that is x or has an odd significand; of what is beyond floats, the largest.
// Rounding that to 16 bits is rounding x (Boldo, Melquiond, 2008).
constexpr float odd_float(float x) { return x; }
constexpr float odd_float(double x) {
  auto const b = std::bit_cast<std::uint64_t>(x), magnitude = b & 0x7fffffffffffffffu;
  int const exponent = static_cast<int>(magnitude >> 52);
  std::uint64_t const significand = (magnitude & 0xfffffffffffffu) | 0x10000000000000u;
  std::uint64_t r = 0;
  if (magnitude > 0x7ff0000000000000u) r = 0x7fc00000u | ((magnitude >> 29) & 0x3fffffu);
  else if (exponent == 0x7ff) r = 0x7f800000u;
  else if (exponent > 1150) r = 0x7f7fffffu;
  else if (exponent > 896) r = sticky_right(magnitude - (std::uint64_t{896} << 52), 29);
  else r = sticky_right(exponent == 0 ? magnitude : significand, 926 - exponent);
  return std::bit_cast<float>(static_cast<std::uint32_t>(r) |
                              static_cast<std::uint32_t>(b >> 32 & 0x80000000u));
}
template <std::integral T> constexpr float odd_float(T x) {
  bool const negative = x < T(0);
  auto const bits = static_cast<std::uint64_t>(x);
  std::uint64_t const magnitude = negative ? 0 - bits : bits;
  int const drop = magnitude >> 24 == 0 ? 0 : 40 - countl_zero(magnitude);
  float const scale = std::bit_cast<float>(static_cast<std::uint32_t>(127 + drop) << 23);
  float const r = static_cast<float>(sticky_right(magnitude, drop)) * scale;
  return negative ? -r : r;
}

constexpr std::uint16_t float_to_bf16(float x) {
  auto const b = std::bit_cast<std::uint32_t>(x);
  bool const nan = (b & 0x7fffffffu) > 0x7f800000u;
  return static_cast<std::uint16_t>(nan ? (b >> 16) | 0x40u
                                        : (b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
}
constexpr std::uint16_t float_to_f16(float x) {
  auto const b = std::bit_cast<std::uint32_t>(x), a = b & 0x7fffffffu;
  // x is kept * 2^-24 for results below 2^-14; from 2^-25 down it rounds to zero.
  std::uint32_t const kept = (a & 0x7fffffu) | 0x800000u, drop = 126u - (a >> 23);
  std::uint32_t r = 0;
  if (a > 0x7f800000u) r = 0x7e00u | ((a >> 13) & 0x3ffu);
  else if (a >= 0x47800000u) r = 0x7c00u;
  else if (a >= 0x38800000u) r = (a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13;
  else if (drop <= 24) r = (kept + (1u << (drop - 1)) - 1u + ((kept >> drop) & 1u)) >> drop;
  return static_cast<std::uint16_t>((b >> 16 & 0x8000u) | r);
}
constexpr float f16_to_float(std::uint16_t bits) {
  std::uint32_t const sign = (bits & 0x8000u) << 16, a = bits & 0x7fffu;
  auto const subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(a) * 0x1p-24f);
  return std::bit_cast<float>(sign | (a < 0x400u    ? subnormal
                                      : a < 0x7c00u ? (a << 13) + 0x38000000u
                                                    : (a << 13) | 0x7f800000u));
}

} // namespace detail

struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  template <class T>
    requires std::same_as<T, float> || std::same_as<T, double> || std::integral<T>
  constexpr explicit bf16(T x) : bits(detail::float_to_bf16(detail::odd_float(x))) {}
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  static constexpr bf16 from_bits(std::uint16_t b) {
    bf16 r;
    r.bits = b;
    return r;
  }
  friend constexpr bool operator==(bf16 a, bf16 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

struct f16 {
  std::uint16_t bits = 0;

  constexpr f16() = default;
  template <class T>
    requires std::same_as<T, float> || std::same_as<T, double> || std::integral<T>
  constexpr explicit f16(T x) : bits(detail::float_to_f16(detail::odd_float(x))) {}
  constexpr explicit operator float() const { return detail::f16_to_float(bits); }
  static constexpr f16 from_bits(std::uint16_t b) {
    f16 r;
    r.bits = b;
    return r;
  }
  friend constexpr bool operator==(f16 a, f16 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

namespace detail {
template <> inline constexpr int value_digits<bf16> = 8;
template <> inline constexpr int value_digits<f16> = 11;
} // namespace detail

} // namespace weft::inline v0
