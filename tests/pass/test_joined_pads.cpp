// SPDX-License-Identifier: BSL-1.0
// Sums of parts with zeros around become one array of these parts, and keep every bit: zeros of both
// signs, NaN, any order of the parts and of the sums; what overlaps, leaves gaps, has another filler,
// is cropped or spread stays a sum.
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "sample.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/dce.hpp>
#include <weft/pass/simplify.hpp>

namespace {

using namespace test;

struct part {
  extent low, size, high; // along axis 1
  extent rows = 4, below = 0, spread = 0;
  double filler = 0;
};
// Parts in a sum from left to right, or pairwise.
constexpr graph sum_of(std::initializer_list<part> parts, dtype type, bool pairwise) {
  recorder r;
  handle sums[9];
  int count = 0;
  for (part const& p : parts) {
    handle const x = r.input(type, {3, {p.rows, p.size, 5}}, {count, 0, false});
    extent const around[] = {p.below, p.low, 0, 0, p.high, 0, 0, p.spread, 0};
    sums[count++] = pad(x, constant(r, p.filler, type, {}), {around, 9});
  }
  for (; count > 1; count = pairwise ? (count + 1) / 2 : count - 1)
    if (pairwise)
      for (int k = 0; k < (count + 1) / 2; ++k)
        sums[k] = 2 * k + 1 < count ? sums[2 * k] + sums[2 * k + 1] : sums[2 * k];
    else {
      sums[0] = sums[0] + sums[1];
      for (int k = 1; k + 1 < count; ++k) sums[k] = sums[k + 1];
    }
  r.finish({sums, 1});
  return std::move(r.result);
}
constexpr bool joins(std::initializer_list<part> parts, bool pairwise = false) {
  graph const s = dce(simplify(sum_of(parts, dtype::f32, pairwise)));
  return count(s, op::concat) == 1 && count(s, op::pad) == 0;
}
static_assert(joins({{0, 2, 3}, {2, 3, 0}}) && joins({{2, 3, 0}, {0, 2, 3}}));
static_assert(joins({{3, 1, 1}, {0, 1, 4}, {4, 1, 0}, {1, 2, 2}}));
static_assert(joins({{3, 1, 1}, {0, 1, 4}, {4, 1, 0}, {1, 2, 2}}, true));
static_assert(!joins({{0, 3, 2}, {2, 3, 0}}));                                   // overlap
static_assert(!joins({{0, 2, 3}, {3, 2, 0}}));                                   // a gap
static_assert(!joins({{1, 2, 2}, {3, 2, 0}}) && !joins({{0, 2, 3}, {2, 2, 1}})); // ends
static_assert(!joins({{0, 2, 3, 4, 0, 0, 1}, {2, 3, 0}}));                       // ones around
static_assert(!joins({{0, 2, 3, 4, 0, 0, -0.0}, {2, 3, 0}}));
static_assert(!joins({{0, 2, 2, 4, 0, 1}, {2, 3, 0}})); // spread
static_assert(!joins({{-1, 3, 3}, {2, 3, 0}}));         // cropped
static_assert(!joins({{0, 2, 3, 3, 1}, {2, 3, 0}}));    // along two axes
static_assert(!joins({{0, 5, 0}, {2, 3, 0}}));          // all of it
static_assert([] {                                      // derivatives may still come
  graph const g = sum_of({{0, 2, 3}, {2, 3, 0}}, dtype::f32, false);
  return count(simplify(g, stop_gradients::kept), op::concat) == 0;
}());
static_assert(!joins({{0, 1, 8},
                      {1, 1, 7},
                      {2, 1, 6},
                      {3, 1, 5},
                      {4, 1, 4},
                      {5, 1, 3},
                      {6, 1, 2},
                      {7, 1, 1},
                      {8, 1, 0}})); // more than eight

word sign_bit(dtype type) { return word{1} << (8 * size_of(type) - 1); }
TEST(joined_pads, keep_bits) {
  for (dtype const type : {dtype::f32, dtype::bf16, dtype::f64, dtype::i32, dtype::u8})
    for (bool const pairwise : {false, true})
      for (auto const& parts : {std::initializer_list<part>{{0, 2, 3}, {2, 3, 0}},
                                {{3, 1, 1}, {0, 1, 4}, {4, 1, 0}, {1, 2, 2}}}) {
        graph const g = sum_of(parts, type, pairwise), s = simplify(g);
        ASSERT_FALSE(verify(s)) << verify(s).node;
        ASSERT_EQ(count(s, op::concat), 1);
        for (std::uint64_t seed = 1; seed < 6; ++seed) {
          growing<dense> inputs;
          graph_view const of = g;
          test::random_source rng(seed);
          for (int p : of.parameters_of(0)) {
            dense d(type, of.shape(p));
            for (word& w : d.words)
              w = rng.chance(30) && is_float(type) ? sign_bit(type)
                                                   : test::random_word(rng, type, seed % 2 == 0);
            inputs.push(d);
          }
          EXPECT_TRUE(
              test::same_bits(seed, s, test::meaning_of(s, inputs), test::meaning_of(g, inputs)));
        }
      }
}

} // namespace
