// SPDX-License-Identifier: BSL-1.0
// Two substances that react, u + 2v -> 3v, and spread over a square whose edges meet (Pearson: Complex
// Patterns in a Simple System, 1993): from a few drops of v grow spots, stripes or coral.
// Shapes: a field (side, side); a picture (side, side, 3), red, green and blue in [0, 1].
#pragma once

#include <weft/weft.hpp>

#include <utility>

namespace stencil {

using weft::tensor;

inline constexpr int side = 256;
using field = tensor<float, side, side>;
using fields = std::pair<field, field>; // u, v

inline constexpr float spread_u = 0.16f, spread_v = 0.08f; // cells squared a step

// The sum of the four neighbours less four times the cell. A row, or a column, of the other side
// stands at both ends, so that neighbours are slices, which cost nothing. (roll<1, 0>(x) and its like
// say the same in fewer words; each of the four is a copy.)
inline constexpr auto laplacian = [](auto x) {
  auto rows = weft::concat<0>(at<"-1:">(x), x, at<":1">(x));
  auto columns = weft::concat<1>(at<":, -1:">(x), x, at<":, :1">(x));
  auto above_and_below = at<":-2">(rows) + at<"2:">(rows);
  return above_and_below + (at<":, :-2">(columns) + at<":, 2:">(columns)) - 4 * x;
};
// u is fed, v dies; feed and death are rates per step.
inline constexpr auto step = [](auto u, auto v, auto feed, auto death) {
  auto reaction = u * v * v;
  return std::pair(u + (spread_u * laplacian(u) - reaction + feed * (1 - u)),
                   v + (spread_v * laplacian(v) + reaction - (feed + death) * v));
};
inline constexpr auto advance = [](auto now, auto steps, auto feed, auto death) {
  auto once = [&](auto, auto state) { return step(state.first, state.second, feed, death); };
  return weft::fori_loop(0, steps, once, now);
};

// Squares of 8 x 8 cells, one in thirty, have v.
inline constexpr auto drops = [](auto key) {
  constexpr int squares = side / 8;
  auto chosen = convert<float>(weft::uniform<squares, 1, squares, 1>(key) < 1 / 30.0f);
  auto drop = reshape<side, side>(weft::broadcast_to<squares, 8, squares, 8>(chosen));
  return std::pair(1 - 0.5f * drop, 0.25f * drop);
};
// Paper where there is no v, ink where there is much, in 32 shades: they make a small file.
inline constexpr auto picture = [](auto v) {
  auto t = floor(clip(v * 2.6f, 0, 1) * 31) / 31;
  return weft::stack<2>(0.98f - 0.90f * t, 0.96f - 0.71f * t, 0.90f - 0.42f * t);
};

struct advance_fields : weft::program<advance, fields, int, float, float> {};
struct first_fields : weft::program<drops, weft::key> {};
struct draw_field : weft::program<picture, field> {};

} // namespace stencil
