// SPDX-License-Identifier: BSL-1.0
// float32 arithmetic in integers: add, sub, mul, div, fma, sqrt and the conversions, correctly
// rounded to nearest even, subnormals kept. The scalar world uses it in constant evaluation, where
// hardware arithmetic is refused (overflow, 0/0) or missing (fma, sqrt on clang).
// Needs: IEEE binary32 for float. Leaves: the bits of the hardware; a NaN result is 0x7fc00000.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::inline v0 {
namespace detail::soft {

inline constexpr std::uint32_t sign_bit = 0x80000000u, infinity_bits = 0x7f800000u;
inline constexpr float quiet_nan = std::bit_cast<float>(0x7fc00000u);

constexpr std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
constexpr bool is_negative(float x) { return (bits(x) & sign_bit) != 0; }
constexpr bool is_nan(float x) { return (bits(x) & ~sign_bit) > infinity_bits; }
constexpr bool is_infinite(float x) { return (bits(x) & ~sign_bit) == infinity_bits; }
constexpr bool is_zero(float x) { return (bits(x) & ~sign_bit) == 0; }

constexpr float assemble(bool negative, std::uint32_t magnitude) {
  return std::bit_cast<float>((negative ? sign_bit : 0u) | magnitude);
}
constexpr float infinity(bool negative) { return assemble(negative, infinity_bits); }

// A finite value: (negative ? -1 : 1) * significand * 2^exponent.
struct parts {
  bool negative;
  int exponent;
  std::uint64_t significand;
};

constexpr parts take_apart(float x) {
  std::uint32_t const field = (bits(x) >> 23) & 255u, fraction = bits(x) & 0x7fffffu;
  if (field == 0) return {is_negative(x), -149, fraction};
  return {is_negative(x), static_cast<int>(field) - 150, fraction | 0x800000u};
}

// The same value with its leading bit at index `top`; the significand is not zero and fits.
constexpr parts normalise(parts x, int top) {
  int const shift = std::countl_zero(x.significand) - (63 - top);
  return {x.negative, x.exponent - shift, x.significand << shift};
}

// x / 2^n, where the lowest bit also records that something below it was lost.
constexpr std::uint64_t shift_right_sticky(std::uint64_t x, int n) {
  if (n == 0) return x;
  if (n > 63) return x != 0;
  return (x >> n) | static_cast<std::uint64_t>((x << (64 - n)) != 0);
}

// Nearest even. The significand is below 2^63; its lowest bit may be sticky if it has 26 or more.
constexpr float round(parts x) {
  if (x.significand == 0) return assemble(x.negative, 0);
  int const leading = 63 - std::countl_zero(x.significand) + x.exponent;
  int last = leading < -126 ? -149 : leading - 23; // weight of the last bit kept
  int const drop = last - x.exponent;
  std::uint64_t kept = 0;
  if (drop <= 0) kept = x.significand << -drop;
  else if (drop < 64) {
    kept = x.significand >> drop;
    std::uint64_t const rest = x.significand & ((std::uint64_t{1} << drop) - 1);
    std::uint64_t const half = std::uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  }
  if (kept >> 24 != 0) kept >>= 1, ++last;
  if (last + 23 > 127) return infinity(x.negative);
  auto const fraction = static_cast<std::uint32_t>(kept);
  if (fraction < 0x800000u) return assemble(x.negative, fraction); // subnormal
  return assemble(x.negative,
                  (static_cast<std::uint32_t>(last + 150) << 23) | (fraction & 0x7fffffu));
}

// x + y rounded once; either may have up to 48 significant bits. An exact zero is +0 unless both
// are negative.
constexpr float sum(parts x, parts y) {
  if (x.significand == 0 && y.significand == 0) return assemble(x.negative && y.negative, 0);
  if (x.significand == 0) return round(y);
  if (y.significand == 0) return round(x);
  x = normalise(x, 61), y = normalise(y, 61);
  if (x.exponent < y.exponent) {
    parts const t = x;
    x = y, y = t;
  }
  // A difference of exponents of at least 2 cancels at most one bit; below, nothing is lost.
  y.significand = shift_right_sticky(y.significand, x.exponent - y.exponent);
  if (x.negative == y.negative)
    return round({x.negative, x.exponent, x.significand + y.significand});
  if (x.significand == y.significand) return assemble(false, 0);
  if (x.significand > y.significand)
    return round({x.negative, x.exponent, x.significand - y.significand});
  return round({y.negative, x.exponent, y.significand - x.significand});
}

constexpr float add(float a, float b) {
  if (is_nan(a) || is_nan(b)) return quiet_nan;
  if (is_infinite(a)) return is_infinite(b) && is_negative(a) != is_negative(b) ? quiet_nan : a;
  if (is_infinite(b)) return b;
  return sum(take_apart(a), take_apart(b));
}
constexpr float negate(float a) { return std::bit_cast<float>(bits(a) ^ sign_bit); }
constexpr float sub(float a, float b) { return add(a, negate(b)); }

constexpr parts product(float a, float b) {
  parts const x = take_apart(a), y = take_apart(b);
  return {x.negative != y.negative, x.exponent + y.exponent, x.significand * y.significand};
}

// inf * 0 is NaN; any other product with an infinity is an infinity.
constexpr bool has_no_product(float a, float b) {
  return is_nan(a) || is_nan(b) || (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
}

constexpr float mul(float a, float b) {
  if (has_no_product(a, b)) return quiet_nan;
  if (is_infinite(a) || is_infinite(b)) return infinity(is_negative(a) != is_negative(b));
  return round(product(a, b));
}

constexpr float fma(float a, float b, float c) {
  if (has_no_product(a, b) || is_nan(c)) return quiet_nan;
  if (is_infinite(a) || is_infinite(b)) return add(infinity(is_negative(a) != is_negative(b)), c);
  if (is_infinite(c)) return c;
  return sum(product(a, b), take_apart(c));
}

constexpr float div(float a, float b) {
  if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
    return quiet_nan;
  bool const negative = is_negative(a) != is_negative(b);
  if (is_infinite(a) || is_zero(b)) return infinity(negative);
  if (is_infinite(b) || is_zero(a)) return assemble(negative, 0);
  parts const n = normalise(take_apart(a), 62), d = normalise(take_apart(b), 23);
  bool const inexact = n.significand % d.significand != 0; // the quotient has 39 or 40 bits
  return round({negative, n.exponent - d.exponent, (n.significand / d.significand) | inexact});
}

constexpr float sqrt(float a) {
  if (is_nan(a) || is_zero(a)) return is_nan(a) ? quiet_nan : a;
  if (is_negative(a)) return quiet_nan;
  if (is_infinite(a)) return a;
  parts x = normalise(take_apart(a), 62);
  if (x.exponent % 2 != 0) x.significand >>= 1, ++x.exponent;
  std::uint64_t root = 0; // 31 or 32 bits
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= x.significand) root |= bit;
  bool const inexact = root * root != x.significand;
  return round({false, x.exponent / 2 - 1, (root << 1) | inexact});
}

constexpr float from_uint(std::uint32_t x) { return round({false, 0, x}); }
constexpr float from_int(std::int32_t x) {
  auto const wide = static_cast<std::int64_t>(x);
  return round({x < 0, 0, static_cast<std::uint64_t>(x < 0 ? -wide : wide)});
}

// Truncation; |x| < 2^32.
constexpr std::uint32_t magnitude_of(float x) {
  parts const p = take_apart(x);
  if (p.exponent >= 0) return static_cast<std::uint32_t>(p.significand << p.exponent);
  return p.exponent < -31 ? 0u : static_cast<std::uint32_t>(p.significand >> -p.exponent);
}
constexpr std::uint32_t to_uint(float x) { return magnitude_of(x); }
constexpr std::int32_t to_int(float x) {
  return static_cast<std::int32_t>(is_negative(x) ? 0u - magnitude_of(x) : magnitude_of(x));
}

} // namespace detail::soft
} // namespace weft::inline v0
