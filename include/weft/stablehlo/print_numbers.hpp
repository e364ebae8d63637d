// SPDX-License-Identifier: BSL-1.0
// Numbers as text: floats as short as they are read back the same, 7 to 17 digits, or their bits;
// constants as one number for all, nested lists, or bytes in hexadecimal.
// Leaves: usable in constant evaluation; what parse_numbers.hpp reads as the same words.
#pragma once

#include <weft/stablehlo/parse_numbers.hpp>

namespace weft::inline v0::stablehlo::detail {

// A text that grows.
struct writer {
  growing<char> out;

  constexpr writer& add(char const* s) {
    while (*s != '\0') out.push(*s++);
    return *this;
  }
  constexpr writer& add(view<char> s) { return out.append(s), *this; }
  constexpr writer& add(char c) { return out.push(c), *this; }
  constexpr writer& number(std::uint64_t n) {
    char digits[20]{};
    int count = 0;
    do digits[count++] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    while (count > 0) out.push(digits[--count]);
    return *this;
  }
  constexpr writer& number(std::int64_t n) {
    if (n < 0) out.push('-');
    return number(n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n));
  }
  constexpr writer& number(int n) { return number(static_cast<std::int64_t>(n)); }
  // The lowest `digits` half bytes.
  constexpr writer& hexadecimal(word w, int digits) {
    while (digits-- > 0) out.push("0123456789ABCDEF"[w >> (4 * digits) & 15]);
    return *this;
  }
};

// The remainder of a division by `divisor`.
constexpr std::uint32_t divide(big_integer& x, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (int i = x.words.size() - 1; i >= 0; --i) {
    rest = rest << 32 | x.words[i];
    x.words[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  while (!x.words.empty() && x.words.back() == 0) x.words.pop();
  return static_cast<std::uint32_t>(rest);
}

// All digits of significand * 2^exponent, first one first, and the power of ten of the last.
constexpr growing<char> decimal_digits(std::uint64_t significand, int exponent, int& power) {
  int const even = std::countr_zero(significand);
  big_integer x;
  significand >>= even, exponent += even;
  x.words.push(static_cast<std::uint32_t>(significand));
  if (significand >> 32 != 0) x.words.push(static_cast<std::uint32_t>(significand >> 32));
  if (exponent >= 0) x.shift_left(exponent);
  else x.multiply_power_of_five(-exponent);
  power = exponent < 0 ? exponent : 0;
  growing<char> reversed, r;
  while (!x.words.empty()) {
    std::uint32_t part = divide(x, 1000000000u);
    for (int i = 0; i < 9 && (part != 0 || !x.words.empty()); ++i, part /= 10)
      reversed.push(static_cast<char>('0' + part % 10));
  }
  for (int i = reversed.size() - 1; i >= 0; --i) r.push(reversed[i]);
  return r;
}

// d.ddde+dd with `count` digits, rounded to nearest even.
constexpr growing<char> scientific(view<char> digits, int power, int count) {
  growing<char> kept;
  int exponent = power + digits.size() - 1;
  for (int i = 0; i < count; ++i) kept.push(i < digits.size() ? digits[i] : '0');
  if (digits.size() > count) {
    bool more = false;
    for (int i = count + 1; i < digits.size(); ++i) more = more || digits[i] != '0';
    bool const odd = (kept.back() - '0') % 2 != 0;
    if (digits[count] > '5' || (digits[count] == '5' && (more || odd))) {
      int i = count - 1;
      for (; i >= 0 && kept[i] == '9'; --i) kept[i] = '0';
      if (i >= 0) ++kept[i];
      else kept[0] = '1', ++exponent; // 9.99 is 10
    }
  }
  writer w;
  w.add(kept[0]).add('.').add(kept.part(1, count - 1)).add('e').add(exponent < 0 ? '-' : '+');
  int const magnitude = exponent < 0 ? -exponent : exponent;
  if (magnitude < 10) w.add('0');
  w.number(magnitude);
  return std::move(w.out);
}

constexpr void write_float(writer& w, word bits, dtype d) {
  float_format const f = format_of(d);
  int const size = f.exponent_bits + f.fraction_bits;
  word const magnitude = bits & ((word{1} << size) - 1);
  int const exponent = static_cast<int>(magnitude >> f.fraction_bits);
  if (exponent == (1 << f.exponent_bits) - 1) { // infinite, or no number
    w.add("0x").hexadecimal(bits, 2 * size_of(d));
    return;
  }
  if (bits != magnitude) w.add('-');
  if (magnitude == 0) {
    w.add("0.000000e+00");
    return;
  }
  word const fraction = magnitude & ((word{1} << f.fraction_bits) - 1);
  word const significand = exponent == 0 ? fraction : fraction | word{1} << f.fraction_bits;
  int const unit = (exponent == 0 ? 1 : exponent) - (1 << (f.exponent_bits - 1)) + 1 -
                   f.fraction_bits;
  int power = 0;
  growing<char> const digits = decimal_digits(significand, unit, power);
  for (int count = 7;; count += d == dtype::f64 && count == 7 ? 8 : 1) {
    growing<char> const text = scientific(digits, power, count);
    bool infinite = false;
    if (count < 17 && float_bits(text, f, infinite) != magnitude) continue;
    w.add(view<char>(text));
    return;
  }
}

constexpr void write_element(writer& w, word x, dtype d) {
  if (is_float(d)) write_float(w, x, d);
  else if (d == dtype::boolean) w.add(x != 0 ? "true" : "false");
  else if (is_unsigned(d)) w.number(x);
  else {
    int const unused = 64 - 8 * size_of(d);
    w.number(static_cast<std::int64_t>(x << unused) >> unused);
  }
}

inline constexpr int most_listed = 16; // elements; more are bytes in hexadecimal

constexpr void write_nested(writer& w, view<word>& rest, value_type const& t, int axis) {
  if (axis == t.shape.rank) {
    write_element(w, rest[0], t.element);
    rest = rest.part(1, rest.size() - 1);
    return;
  }
  w.add('[');
  for (extent i = 0; i < t.shape[axis]; ++i) {
    if (i > 0) w.add(", ");
    write_nested(w, rest, t, axis + 1);
  }
  w.add(']');
}

// The inside of dense<...>.
constexpr void write_literal(writer& w, view<word> words, value_type const& t) {
  if (words.empty()) return;
  if (words.size() == 1) return write_element(w, words[0], t.element);
  if (words.size() > most_listed && t.element != dtype::boolean) {
    w.add("\"0x");
    for (word x : words)
      for (int b = 0; b < size_of(t.element); ++b) w.hexadecimal(x >> (8 * b), 2);
    w.add('"');
    return;
  }
  view<word> rest = words;
  write_nested(w, rest, t, 0);
}

} // namespace weft::inline v0::stablehlo::detail
