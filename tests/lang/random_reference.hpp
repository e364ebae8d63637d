// SPDX-License-Identifier: BSL-1.0
// For tests of random numbers: their definition a second time, in plain integers on lists.
#pragma once

#include <weft/lang/key.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace reference {

__extension__ typedef __int128 whole;
__extension__ typedef unsigned __int128 word;

using weft::key;
using numbers = std::vector<std::uint64_t>;

inline key threefry(key k, std::uint32_t a, std::uint32_t b) {
  constexpr int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  std::uint32_t const keys[] = {k.high, k.low, k.high ^ k.low ^ 0x1bd11bda};
  a += keys[0], b += keys[1];
  for (unsigned group = 0; group < 5; ++group) {
    for (int turn : turns[group % 2]) {
      a += b;
      b = ((b << turn) | (b >> (32 - turn))) ^ a;
    }
    a += keys[(group + 1) % 3];
    b += keys[(group + 2) % 3] + group + 1;
  }
  return key::of_words(a, b);
}
// Word i of n, of the layout that is not partitionable.
inline std::uint32_t word_of_halves(key k, std::size_t i, std::size_t n) {
  std::size_t const half = (n + 1) / 2, low = i < half ? i : i - half, high = low + half;
  key const both = threefry(k, static_cast<std::uint32_t>(low),
                            high < n ? static_cast<std::uint32_t>(high) : 0);
  return i < half ? both.high : both.low;
}
inline key split(key k, std::size_t i, std::size_t n, bool partitionable = true) {
  if (partitionable) return threefry(k, 0, static_cast<std::uint32_t>(i));
  return key::of_words(word_of_halves(k, 2 * i, 2 * n), word_of_halves(k, 2 * i + 1, 2 * n));
}
inline numbers bits(key k, std::size_t n, unsigned width, bool partitionable = true) {
  std::uint64_t const mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  numbers r;
  for (std::size_t i = 0; i < n; ++i) {
    if (partitionable) {
      key const both = threefry(k, 0, static_cast<std::uint32_t>(i));
      std::uint64_t const joined = (std::uint64_t{both.high} << 32) | both.low;
      r.push_back(width == 64 ? joined : (both.high ^ both.low) & mask);
    } else if (width == 64) {
      std::uint64_t const high = word_of_halves(k, i, 2 * n);
      r.push_back((high << 32) | word_of_halves(k, n + i, 2 * n));
    } else {
      std::size_t const parts = 32 / width, words = (n + parts - 1) / parts;
      r.push_back((word_of_halves(k, i / parts, words) >> (i % parts * width)) & mask);
    }
  }
  return r;
}
// Bounds as they are; `lowest` and `highest` of the type, `width` what it is drawn at.
struct integer_type {
  whole lowest, highest;
  unsigned width;
};
template <class T>
inline constexpr integer_type type_of{std::numeric_limits<T>::lowest(),
                                      std::numeric_limits<T>::max(),
                                      sizeof(T) < 4 ? 32u : 8u * static_cast<unsigned>(sizeof(T))};

inline whole within(whole x, whole low, whole high) { return x < low ? low : x > high ? high : x; }
template <class T>
std::vector<T> randint(key k, std::size_t n, whole low, whole high, bool partitionable = true) {
  integer_type const t = type_of<T>;
  low = within(low, t.lowest, t.highest);
  high = within(high, t.lowest, t.highest + (high > t.highest ? 1 : 0));
  word const all = word{1} << t.width;
  word span = high > low ? static_cast<word>(high - low) : 1;
  if (low == t.highest) span = 1;
  word const half = (word{1} << t.width / 2) % span, multiplier = half * half % all % span; // wraps
  numbers const upper = bits(split(k, 0, 2, partitionable), n, t.width, partitionable);
  numbers const lower = bits(split(k, 1, 2, partitionable), n, t.width, partitionable);
  std::vector<T> r;
  for (std::size_t i = 0; i < n; ++i) {
    word const product = upper[i] % span * multiplier % all; // wraps
    word const offset = (product + lower[i] % span) % all % span;
    r.push_back(static_cast<T>(low + static_cast<whole>(offset)));
  }
  return r;
}

} // namespace reference
