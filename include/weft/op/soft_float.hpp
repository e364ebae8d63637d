// SPDX-License-Identifier: BSL-1.0
// float32 and float64 arithmetic in integers: add, sub, mul, div, fma, sqrt and the conversions,
// correctly rounded to nearest even, subnormals kept. The scalar world uses it in constant
// evaluation, where hardware arithmetic is refused (overflow, 0/0) or missing (fma, sqrt on clang);
// fma of doubles also runs on it where the machine has no such instruction.
// Needs: IEEE formats. Leaves: the bits of the hardware; a NaN result is the positive quiet one
// without payload.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/core/config.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {
namespace detail::soft {

__extension__ typedef unsigned __int128 uint128;

// `word` stores a value, `wide` holds an exact product of two significands and two bits more.
template <std::floating_point F> struct format;
template <> struct format<float> {
  using word = std::uint32_t;
  using wide = std::uint64_t;
  static constexpr int bits = 32, wide_bits = 64, fraction = 23, bias = 127;
};
template <> struct format<double> {
  using word = std::uint64_t;
  using wide = uint128;
  static constexpr int bits = 64, wide_bits = 128, fraction = 52, bias = 1023;
};
template <class F> using word_of = typename format<F>::word;

// Exponents of the last and of the first bit: of subnormals, of the smallest normal number.
template <class F> inline constexpr int smallest = 1 - format<F>::bias - format<F>::fraction;
template <class F> inline constexpr int smallest_normal = 1 - format<F>::bias;
template <class F> inline constexpr word_of<F> sign_bit = word_of<F>{1} << (format<F>::bits - 1);
template <class F> inline constexpr word_of<F> hidden_bit = word_of<F>{1} << format<F>::fraction;
template <class F> inline constexpr word_of<F> infinity_bits = sign_bit<F> - hidden_bit<F>;
template <class F>
inline constexpr F quiet_nan = std::bit_cast<F>(infinity_bits<F> | (hidden_bit<F> >> 1));

template <class F> constexpr word_of<F> bits(F x) { return std::bit_cast<word_of<F>>(x); }
template <class F> constexpr word_of<F> magnitude_bits(F x) { return bits(x) & ~sign_bit<F>; }
template <class F> constexpr bool is_negative(F x) { return (bits(x) & sign_bit<F>) != 0; }
template <class F> constexpr bool is_nan(F x) { return magnitude_bits(x) > infinity_bits<F>; }
template <class F> constexpr bool is_infinite(F x) { return magnitude_bits(x) == infinity_bits<F>; }
template <class F> constexpr bool is_zero(F x) { return magnitude_bits(x) == 0; }

template <class F> constexpr F assemble(bool negative, word_of<F> magnitude) {
  return std::bit_cast<F>((negative ? sign_bit<F> : word_of<F>{0}) | magnitude);
}
template <class F> constexpr F infinity(bool negative) {
  return assemble<F>(negative, infinity_bits<F>);
}

using detail::countl_zero;
constexpr int countl_zero(uint128 x) {
  auto const high = static_cast<std::uint64_t>(x >> 64), low = static_cast<std::uint64_t>(x);
  return high != 0 ? countl_zero(high) : 64 + countl_zero(low);
}

// A finite value: (negative ? -1 : 1) * significand * 2^exponent.
template <class F> struct parts {
  using wide = typename format<F>::wide;
  static constexpr int wide_bits = format<F>::wide_bits;
  bool negative;
  int exponent;
  wide significand;
};

template <class F> constexpr parts<F> take_apart(F x) {
  word_of<F> const fraction = bits(x) & (hidden_bit<F> - 1);
  int const field = static_cast<int>(magnitude_bits(x) >> format<F>::fraction);
  if (field == 0) return {is_negative(x), smallest<F>, fraction};
  return {is_negative(x), field - 1 + smallest<F>, fraction | hidden_bit<F>};
}

// The same value with its leading bit at index `top`; the significand is not zero and fits.
template <class F> constexpr parts<F> normalise(parts<F> x, int top) {
  int const shift = countl_zero(x.significand) - (x.wide_bits - 1 - top);
  return {x.negative, x.exponent - shift, x.significand << shift};
}

// x / 2^n, where the lowest bit also records that something below it was lost.
template <class Wide> constexpr Wide shift_right_sticky(Wide x, int n) {
  if (n >= static_cast<int>(8 * sizeof(Wide))) return x != 0;
  return (x >> n) | static_cast<Wide>(((x >> n) << n) != x);
}

// Nearest even. The highest bit of the significand is free; its lowest bit may be sticky if it has
// at least three bits more than a value of F.
template <class F> constexpr F round(parts<F> x) {
  using wide = typename format<F>::wide;
  constexpr int digits = format<F>::fraction;
  if (x.significand == 0) return assemble<F>(x.negative, 0);
  int const leading = x.wide_bits - 1 - countl_zero(x.significand) + x.exponent;
  int last = leading < smallest_normal<F> ? smallest<F> : leading - digits; // last bit kept
  int const drop = last - x.exponent;
  wide kept = 0;
  if (drop <= 0) kept = x.significand << -drop;
  else if (drop < x.wide_bits) {
    kept = x.significand >> drop;
    wide const rest = x.significand & ((wide{1} << drop) - 1), half = wide{1} << (drop - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  }
  if (kept >> (digits + 1) != 0) kept >>= 1, ++last;
  if (last + digits > format<F>::bias) return infinity<F>(x.negative);
  auto const fraction = static_cast<word_of<F>>(kept);
  if (fraction < hidden_bit<F>) return assemble<F>(x.negative, fraction); // subnormal
  int const exponent = last - smallest<F> + 1;
  auto const field = static_cast<word_of<F>>(exponent);
  return assemble<F>(x.negative, (field << digits) | (fraction & (hidden_bit<F> - 1)));
}

// x + y rounded once; either may be a product. An exact zero is +0 unless both are negative.
template <class F> constexpr F sum(parts<F> x, parts<F> y) {
  if (x.significand == 0 && y.significand == 0) return assemble<F>(x.negative && y.negative, 0);
  if (x.significand == 0) return round(y);
  if (y.significand == 0) return round(x);
  x = normalise(x, x.wide_bits - 3), y = normalise(y, y.wide_bits - 3);
  if (x.exponent < y.exponent) {
    parts<F> const t = x;
    x = y, y = t;
  }
  // A difference of exponents of at least 2 cancels at most one bit; below, nothing is lost.
  y.significand = shift_right_sticky(y.significand, x.exponent - y.exponent);
  if (x.negative == y.negative)
    return round<F>({x.negative, x.exponent, x.significand + y.significand});
  if (x.significand == y.significand) return assemble<F>(false, 0);
  if (x.significand > y.significand)
    return round<F>({x.negative, x.exponent, x.significand - y.significand});
  return round<F>({y.negative, x.exponent, y.significand - x.significand});
}

template <class F> constexpr F add(F a, F b) {
  if (is_nan(a) || is_nan(b)) return quiet_nan<F>;
  if (is_infinite(a)) return is_infinite(b) && is_negative(a) != is_negative(b) ? quiet_nan<F> : a;
  if (is_infinite(b)) return b;
  return sum(take_apart(a), take_apart(b));
}
template <class F> constexpr F negate(F a) { return std::bit_cast<F>(bits(a) ^ sign_bit<F>); }
template <class F> constexpr F sub(F a, F b) { return add(a, negate(b)); }

template <class F> constexpr parts<F> product(F a, F b) {
  parts<F> const x = take_apart(a), y = take_apart(b);
  return {x.negative != y.negative, x.exponent + y.exponent, x.significand * y.significand};
}

// inf * 0 is NaN; any other product with an infinity is an infinity.
template <class F> constexpr bool has_no_product(F a, F b) {
  return is_nan(a) || is_nan(b) || (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
}

template <class F> constexpr F mul(F a, F b) {
  if (has_no_product(a, b)) return quiet_nan<F>;
  if (is_infinite(a) || is_infinite(b)) return infinity<F>(is_negative(a) != is_negative(b));
  return round(product(a, b));
}

template <class F> constexpr F fma(F a, F b, F c) {
  if (has_no_product(a, b) || is_nan(c)) return quiet_nan<F>;
  if (is_infinite(a) || is_infinite(b))
    return add(infinity<F>(is_negative(a) != is_negative(b)), c);
  if (is_infinite(c)) return c;
  return sum(product(a, b), take_apart(c));
}

template <class F> constexpr F div(F a, F b) {
  if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
    return quiet_nan<F>;
  bool const negative = is_negative(a) != is_negative(b);
  if (is_infinite(a) || is_zero(b)) return infinity<F>(negative);
  if (is_infinite(b) || is_zero(a)) return assemble<F>(negative, 0);
  parts<F> const n = normalise(take_apart(a), format<F>::wide_bits - 2);
  parts<F> const d = normalise(take_apart(b), format<F>::fraction);
  bool const inexact = n.significand % d.significand != 0; // the quotient has 39 bits, or 74
  return round<F>({negative, n.exponent - d.exponent, (n.significand / d.significand) | inexact});
}

template <class F> constexpr F sqrt(F a) {
  using wide = typename format<F>::wide;
  if (is_nan(a) || is_zero(a)) return is_nan(a) ? quiet_nan<F> : a;
  if (is_negative(a)) return quiet_nan<F>;
  if (is_infinite(a)) return a;
  parts<F> x = normalise(take_apart(a), format<F>::wide_bits - 2);
  if (x.exponent % 2 != 0) x.significand >>= 1, ++x.exponent;
  wide root = 0; // half as many bits as `wide`
  for (wide bit = wide{1} << (x.wide_bits / 2 - 1); bit != 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= x.significand) root |= bit;
  bool const inexact = root * root != x.significand;
  return round<F>({false, x.exponent / 2 - 1, (root << 1) | inexact});
}

// Integers of as many bits as the float has.
template <class F> constexpr F from_magnitude(bool negative, word_of<F> x) {
  return round<F>({negative, 0, negative ? word_of<F>{0} - x : x});
}
constexpr float from_uint(std::uint32_t x) { return from_magnitude<float>(false, x); }
constexpr double from_uint(std::uint64_t x) { return from_magnitude<double>(false, x); }
constexpr float from_int(std::int32_t x) {
  return from_magnitude<float>(x < 0, static_cast<std::uint32_t>(x));
}
constexpr double from_int(std::int64_t x) {
  return from_magnitude<double>(x < 0, static_cast<std::uint64_t>(x));
}

// Truncation; |x| < 2^32 or 2^64.
template <class F> constexpr word_of<F> to_uint(F x) {
  parts<F> const p = take_apart(x);
  if (p.exponent >= 0) return static_cast<word_of<F>>(p.significand << p.exponent);
  if (p.exponent <= -format<F>::bits) return 0;
  return static_cast<word_of<F>>(p.significand >> -p.exponent);
}
template <class F> constexpr std::make_signed_t<word_of<F>> to_int(F x) {
  word_of<F> const magnitude = to_uint(x);
  return static_cast<std::make_signed_t<word_of<F>>>(is_negative(x) ? word_of<F>{0} - magnitude
                                                                    : magnitude);
}

// Between the formats: exact, and rounded.
constexpr double widen(float x) {
  if (is_nan(x)) return quiet_nan<double>;
  if (is_infinite(x)) return infinity<double>(is_negative(x));
  parts<float> const p = take_apart(x);
  return round<double>({p.negative, p.exponent, p.significand});
}
constexpr float narrow(double x) {
  if (is_nan(x)) return quiet_nan<float>;
  if (is_infinite(x)) return infinity<float>(is_negative(x));
  parts<double> const p = take_apart(x);
  return round<float>({p.negative, p.exponent, static_cast<std::uint64_t>(p.significand)});
}

} // namespace detail::soft
} // namespace weft::inline v0
