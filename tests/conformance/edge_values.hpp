// SPDX-License-Identifier: BSL-1.0
// Edge values of every type: what arithmetic trips over, and arrays in which they meet.
#pragma once

#include "random/random_source.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace test {

inline std::vector<word> float_edges() {
  std::vector<float> positive = {0,
                                 1,
                                 0x1p-149f,
                                 0x1p-127f,
                                 0x1.fffffep-127f,
                                 0x1p-126f,
                                 0x1p-24f,
                                 0.5f,
                                 0x1.fffffep-1f,
                                 0x1.000002p+0f,
                                 1.5f,
                                 2.5f,
                                 3,
                                 0x1.62e43p-1f,
                                 8.7f,
                                 9.1f,
                                 88.7f,
                                 88.8f,
                                 103.9f,
                                 104.1f,
                                 255.5f,
                                 8388607.5f,
                                 0x1p+24f,
                                 0x1.fffffep+30f,
                                 0x1p+31f,
                                 0x1.fffffep+31f,
                                 0x1p+32f,
                                 0x1p+64f,
                                 0x1.fffffep+127f,
                                 INFINITY,
                                 NAN};
  std::vector<word> all;
  for (float x : positive)
    for (float sign : {1.0f, -1.0f}) all.push_back(weft::word_of(std::copysign(x, sign)));
  return all;
}
inline std::vector<word> double_edges() {
  std::vector<double> const more = {0x1p-1074,
                                    0x1.ffffffffffffep-1023,
                                    0x1p-1022,
                                    0x1.8p-150,
                                    0x1.fffffefp-127,
                                    0x1.0000000000001p+0,
                                    0x1.000001p+0,
                                    0x1.fffffffffffffp-1,
                                    709.7,
                                    709.8,
                                    745.2,
                                    65519.99,
                                    65520.0,
                                    0x1.fffffefp+127,
                                    0x1.ffffffp+127,
                                    0x1p+52,
                                    0x1.fffffffffffffp+52,
                                    0x1.fffffffffffffp+62,
                                    0x1p+63,
                                    0x1.fffffffffffffp+63,
                                    0x1.fffffffffffffp+1023};
  std::vector<word> all;
  for (word w : float_edges())
    all.push_back(weft::word_of(double{weft::element_of_word<float>(w)}));
  for (double x : more)
    for (double sign : {1.0, -1.0}) all.push_back(weft::word_of(x * sign));
  return all;
}
template <class T> std::vector<word> half_edges() {
  std::vector<word> all = {0x0001, 0x007f, 0x03ff, 0x0400, 0x3f81, 0x3c01, 0x7bff, 0x7f7f};
  for (word w : float_edges()) all.push_back(T(weft::element_of_word<float>(w)).bits);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
// 0 … 3, shift counts, extremes, what floats cannot hold.
inline std::vector<word> integer_edges(int bits) {
  word const top = word{1} << (bits - 1), mask = top | (top - 1);
  auto const width = static_cast<word>(bits);
  std::vector<word> all = {0,
                           1,
                           2,
                           3,
                           7,
                           width - 1,
                           width,
                           width + 1,
                           255,
                           65536,
                           16777217,
                           top,
                           top - 128,
                           top - 2,
                           top - 1,
                           top + 1,
                           ~word{128},
                           ~word{31},
                           ~word{1},
                           ~word{0},
                           0x7fffffff,
                           0x80000000,
                           0x80000001,
                           0xffffffff,
                           0x100000000,
                           0x0020000000000001,
                           0x7ffffffffffffdff,
                           0x8000000000000401};
  for (word& w : all) w &= mask;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
inline std::vector<word> edges(dtype d) {
  if (d == dtype::boolean) return {0, 1};
  if (weft::is_integer(d)) return integer_edges(8 * weft::size_of(d));
  if (d == dtype::f64) return double_edges();
  if (d == dtype::bf16) return half_edges<weft::bf16>();
  if (d == dtype::f16) return half_edges<weft::f16>();
  return float_edges();
}

// Element i of operand k walks through the k-th digit of i in base `edges`: every pair of edge
// values meets where the array is as long as that; later operands start anywhere.
inline dense walk(dtype d, extent n, int k, extent base, extent from) {
  std::vector<word> const values = edges(d);
  dense x(d, {1, {n}});
  for (extent i = 0; i < n; ++i) {
    extent digit = i + from;
    for (int turn = 0; turn < k; ++turn) digit /= base;
    x[static_cast<int>(i)] = values[static_cast<std::size_t>(digit) % values.size()];
  }
  return x;
}

} // namespace test
