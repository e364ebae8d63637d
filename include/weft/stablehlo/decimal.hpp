// SPDX-License-Identifier: BSL-1.0
// Decimal numbers to floats of any format, rounded once, to nearest even: as IEEE 754 asks, in
// constant evaluation as at run time, without locale.
// Leaves: `float_bits(text, format)`; what is beyond the format is infinity.
// How: digits and power of ten go to an integer of 64 bits, times a power of two, and whether
// anything lies below it. Up to 10^27 that is one division of 128 bits; beyond, long division.
#pragma once

#include <weft/core/growing.hpp>

#include <bit>
#include <cstdint>

namespace weft::inline v0::stablehlo::detail {

struct float_format {
  int exponent_bits, fraction_bits;
};

__extension__ using wide_word = unsigned __int128;

// significand * 2^exponent, and some more than that but less than one unit if `inexact`.
struct scaled {
  std::uint64_t significand = 0;
  int exponent = 0;
  bool inexact = false;
};

// Its bits without sign; `infinite` tells that it is beyond the format's largest number.
constexpr std::uint64_t round_to(scaled x, float_format f, bool& infinite) {
  infinite = false;
  if (x.significand == 0) return 0;
  int const bias = (1 << (f.exponent_bits - 1)) - 1;
  int const top = x.exponent + 63 - std::countl_zero(x.significand); // 2^top <= x
  int const lowest = 1 - bias;
  int const unit = (top < lowest ? lowest : top) - f.fraction_bits; // of the last place
  int const drop = unit - x.exponent;
  std::uint64_t kept = 0;
  if (drop <= 0) kept = x.significand << -drop;
  else if (drop <= 64) {
    std::uint64_t const half = std::uint64_t{1} << (drop - 1);
    kept = drop == 64 ? 0 : x.significand >> drop;
    std::uint64_t const below = x.significand & (half - 1);
    bool const above_half = below != 0 || x.inexact;
    if ((x.significand & half) != 0 && (above_half || (kept & 1) != 0)) ++kept;
  }
  // A significand that rounded up carries into the exponent, which lies next to it.
  std::uint64_t const exponent = top < lowest ? 0 : static_cast<std::uint64_t>(top + bias - 1);
  std::uint64_t const bits = (exponent << f.fraction_bits) + kept;
  std::uint64_t const limit = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  infinite = top > bias || bits >= limit;
  return infinite ? limit : bits;
}

// An integer of many words, lowest first.
struct big_integer {
  growing<std::uint32_t> words;

  constexpr void multiply_add(std::uint32_t factor, std::uint32_t more) {
    std::uint64_t carry = more;
    for (std::uint32_t& w : words) {
      carry += std::uint64_t{w} * factor;
      w = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words.push(static_cast<std::uint32_t>(carry));
  }
  constexpr void multiply_power_of_five(int n) {
    for (; n >= 13; n -= 13) multiply_add(1220703125u, 0);
    for (; n > 0; --n) multiply_add(5, 0);
  }
  constexpr int bits() const {
    return words.empty() ? 0 : 32 * words.size() - std::countl_zero(words.back());
  }
  constexpr void shift_left(int n) {
    if (words.empty()) return;
    int const whole = n / 32, part = n % 32, size = words.size();
    words.resize(size + whole + 1);
    for (int i = size + whole; i >= 0; --i) {
      int const from = i - whole;
      std::uint64_t const high = from >= 0 && from < size ? words[from] : 0;
      std::uint64_t const low = from >= 1 ? words[from - 1] : 0;
      words[i] = static_cast<std::uint32_t>(((high << 32 | low) << part) >> 32);
    }
    while (words.back() == 0) words.pop();
  }
  constexpr bool below(big_integer const& b) const {
    if (words.size() != b.words.size()) return words.size() < b.words.size();
    for (int i = words.size() - 1; i >= 0; --i)
      if (words[i] != b.words[i]) return words[i] < b.words[i];
    return false;
  }
  constexpr void subtract(big_integer const& b) {
    std::int64_t borrow = 0;
    for (int i = 0; i < words.size(); ++i) {
      borrow += std::int64_t{words[i]} - (i < b.words.size() ? b.words[i] : 0);
      words[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    while (!words.empty() && words.back() == 0) words.pop();
  }
};

// The uppermost 64 bits of x * 2^exponent.
constexpr scaled top_of(big_integer const& x, int exponent) {
  int const drop = x.bits() - 64;
  scaled r{0, exponent + (drop > 0 ? drop : 0), false};
  for (int i = x.words.size() - 1; i >= 0; --i) {
    int const at = 32 * i - (drop > 0 ? drop : 0); // where the word's lowest bit goes
    std::uint64_t const w = x.words[i];
    if (at >= 0) r.significand |= w << at;
    else if (at > -32) r.significand |= w >> -at, r.inexact |= (w << (64 + at)) != 0;
    else r.inexact |= w != 0;
  }
  return r;
}

// digits * 10^power by long division.
constexpr scaled scale_long(big_integer digits, int power) {
  if (power >= 0) {
    digits.multiply_power_of_five(power);
    return top_of(digits, power);
  }
  big_integer divisor;
  divisor.words.push(1);
  divisor.multiply_power_of_five(-power);
  int const shift = divisor.bits() - digits.bits();
  if (shift > 0) digits.shift_left(shift);
  else divisor.shift_left(-shift);
  scaled r{0, power - shift - 63, false};
  for (int i = 0; i < 64; ++i) {
    r.significand <<= 1;
    if (!digits.below(divisor)) digits.subtract(divisor), r.significand |= 1;
    digits.shift_left(1);
  }
  r.inexact = !digits.words.empty();
  return r;
}

constexpr std::uint64_t power_of_five(int n) {
  std::uint64_t r = 1;
  while (n-- > 0) r *= 5;
  return r;
}

// digits * 10^power, |power| at most 27.
constexpr scaled scale_short(std::uint64_t digits, int power) {
  if (digits == 0) return {};
  if (power >= 0) {
    wide_word const x = wide_word{digits} * power_of_five(power);
    auto const high = static_cast<std::uint64_t>(x >> 64);
    if (high == 0) return {static_cast<std::uint64_t>(x), power, false};
    int const drop = 64 - std::countl_zero(high);
    return {static_cast<std::uint64_t>(x >> drop), power + drop,
            static_cast<std::uint64_t>(x << (128 - drop) >> 64) != 0 ||
                static_cast<std::uint64_t>(x << (128 - drop)) != 0};
  }
  std::uint64_t const divisor = power_of_five(-power);
  // Both with their uppermost bit set: the quotient has 64 or 65 bits, of which it keeps 64.
  int const up = std::countl_zero(digits), down = std::countl_zero(divisor);
  wide_word const x = wide_word{digits << up} << 63;
  std::uint64_t const d = divisor << down;
  return {static_cast<std::uint64_t>(x / d), power - 63 - up + down,
          static_cast<std::uint64_t>(x % d) != 0};
}

// Of [digits][.digits][e[+-]digits], without sign; at least one digit, nothing else in it.
constexpr std::uint64_t float_bits(view<char> text, float_format format, bool& infinite) {
  std::uint64_t small = 0;                      // the first 19 significant digits
  std::int64_t count = 0, power = 0, zeros = 0; // a text may have 2^31 digits
  int i = 0;
  bool behind_point = false;
  big_integer all; // from the twentieth digit on
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      behind_point = true;
      continue;
    }
    auto const digit = static_cast<std::uint32_t>(text[i] - '0');
    if (behind_point) --power;
    if (digit == 0) { // kept back: 1.000000 has one digit
      if (count > 0) ++zeros;
      continue;
    }
    // Beyond 800 digits only that something is there counts.
    for (; zeros >= 0; --zeros) {
      std::uint32_t const next = zeros == 0 ? digit : 0;
      if (++count <= 19) small = small * 10 + next;
      else if (count <= 801) {
        if (count == 20) {
          all.words.push(static_cast<std::uint32_t>(small));
          all.words.push(static_cast<std::uint32_t>(small >> 32));
        }
        all.multiply_add(10, count == 801 ? 1 : next);
      }
    }
    zeros = 0;
  }
  power += zeros + (count > 801 ? count - 801 : 0);
  count = count > 801 ? 801 : count;
  std::int64_t exponent = 0;
  if (i < text.size()) {
    bool const negative = ++i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    for (; i < text.size(); ++i)
      if (exponent < 10000000000) exponent = 10 * exponent + (text[i] - '0');
    power += negative ? -exponent : exponent;
  }
  infinite = false;
  if (count == 0 || power + count < -400) return 0;
  if (power + count > 400) power = 400; // infinite in every format
  if (all.words.empty()) {
    if (power >= -27 && power <= 27)
      return round_to(scale_short(small, static_cast<int>(power)), format, infinite);
    all.words.push(static_cast<std::uint32_t>(small));
    if (small >> 32 != 0) all.words.push(static_cast<std::uint32_t>(small >> 32));
  }
  return round_to(scale_long(all, static_cast<int>(power)), format, infinite);
}

} // namespace weft::inline v0::stablehlo::detail
