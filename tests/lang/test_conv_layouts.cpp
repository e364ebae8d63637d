// SPDX-License-Identifier: BSL-1.0
// build: alone
// The same bytes of a filter read as each of six layouts, as the text says, plain and reversed
// (IREE's issue 20473: an im2col in the input's order read CHF as HCF).
#include <weft/graph/interpret.hpp>
#include <weft/lang/conv.hpp>
#include <weft/lang/record.hpp>

#include <gtest/gtest.h>

namespace {

using weft::conv_options, weft::dense, weft::extents, weft::fixed_string, weft::growing,
    weft::tensor;

constexpr dense floats(extents const& shape, std::initializer_list<float> list) {
  dense d(weft::dtype::f32, shape);
  int i = 0;
  for (float x : list) d[i++] = weft::word_of(x);
  return d;
}
// x: one at h = 0, c = 1.
template <fixed_string Spec, int Reverse> constexpr dense convolved() {
  weft::graph const g = weft::record<tensor<float, 1, 3, 2>, tensor<float, 2, 2, 2>>(
      [](auto x, auto w) { return weft::conv<Spec, conv_options{.reverse = Reverse}>(x, w); });
  growing<dense> in;
  in.push(floats({3, {1, 3, 2}}, {0, 1, 0, 0, 0, 0}));
  in.push(floats({3, {2, 2, 2}}, {1, 2, 3, 4, 5, 6, 7, 8}));
  return weft::interpret(g, in)[0];
}
template <fixed_string Spec, int Reverse> constexpr bool gives(float a, float b) {
  dense const y = convolved<Spec, Reverse>(), wanted = floats({3, {1, 2, 2}}, {a, b, 0, 0});
  if (!(y.shape == wanted.shape)) return false;
  for (int i = 0; i < 4; ++i)
    if (y[i] != wanted[i]) return false;
  return true;
}

static_assert(gives<"NHC,CHF->NHF", 0>(5, 6) && gives<"NHC,CHF->NHF", 1>(7, 8));
static_assert(gives<"NHC,CFH->NHF", 0>(5, 7) && gives<"NHC,CFH->NHF", 1>(6, 8));
static_assert(gives<"NHC,HCF->NHF", 0>(3, 4) && gives<"NHC,HCF->NHF", 1>(7, 8));
static_assert(gives<"NHC,HFC->NHF", 0>(2, 4) && gives<"NHC,HFC->NHF", 1>(6, 8));
static_assert(gives<"NHC,FCH->NHF", 0>(3, 7) && gives<"NHC,FCH->NHF", 1>(4, 8));
static_assert(gives<"NHC,FHC->NHF", 0>(2, 6) && gives<"NHC,FHC->NHF", 1>(4, 8));

TEST(conv_layouts, run_gives_what_the_compiler_says) {
  EXPECT_TRUE((gives<"NHC,CHF->NHF", 0>(5, 6)));
  EXPECT_FALSE((gives<"NHC,CHF->NHF", 0>(3, 4)));
}

} // namespace
