// SPDX-License-Identifier: BSL-1.0
// zeros_like, ones_like, full_like of structures: every array and number filled, the structure kept.
#include <weft/lang/like.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/run/jit.hpp>

#include <gtest/gtest.h>

namespace {

using weft::full_like, weft::ones_like, weft::sym, weft::tensor, weft::zeros_like;

constexpr sym rows{"rows"};

template <template <class, auto...> class array> struct layer {
  array<float, rows, 2> w;
  array<bool, 3> mask;
};
template <template <class, auto...> class array> struct params {
  std::array<layer<array>, 2> layers;
  array<std::int8_t> steps;
};

params<tensor> given() {
  params<tensor> p;
  p.layers[0].w = tensor<float, rows, 2>(3);
  p.layers[1].w = tensor<float, rows, 2>{{5, 7}};
  p.layers[1].mask = {true, false, true};
  p.steps = std::int8_t{9};
  return p;
}

TEST(like, of_structs_and_tuples) {
  params<tensor> const zero = zeros_like(given()), one = ones_like(given());
  EXPECT_EQ(zero.layers[0].w.shape(), (weft::extents{2, {3, 2}}));
  EXPECT_EQ(zero.layers[1].w, (tensor<float, rows, 2>{{0, 0}}));
  EXPECT_EQ(zero.layers[1].mask, (tensor<bool, 3>{false, false, false}));
  EXPECT_EQ(zero.steps(), 0);
  EXPECT_EQ(one.layers[0].w(2, 1), 1);
  EXPECT_EQ(one.layers[0].mask, (tensor<bool, 3>{true, true, true}));
  EXPECT_EQ(one.steps(), 1);
  auto const both = full_like(std::pair(tensor<double, 2>{1, 2}, std::tuple(4, tensor<int>(5))), 3);
  EXPECT_EQ(both.first, (tensor<double, 2>{3, 3}));
  EXPECT_EQ(std::get<0>(both.second), 3);
  EXPECT_EQ(std::get<1>(both.second)(), 3);
}

constexpr auto moments = [](auto const& p) {
  auto m = zeros_like(p), v = ones_like(p);
  m.layers[1].w = m.layers[1].w + full_like(std::pair(p.layers[0].w, p.steps), 2).first;
  return std::pair(m, v);
};
TEST(like, in_a_trace) {
  params<tensor> p = given();
  p.layers[0].w = tensor<float, rows, 2>{{1, 2}}; // one number of rows
  auto const [m, v] = weft::jit<moments>(p);
  EXPECT_EQ(m.layers[0].w, (tensor<float, rows, 2>{{0, 0}}));
  EXPECT_EQ(m.layers[1].w, (tensor<float, rows, 2>{{2, 2}}));
  EXPECT_EQ(v.layers[1].mask, (tensor<bool, 3>{true, true, true}));
  EXPECT_EQ(v.steps(), 1);
  EXPECT_EQ(m.steps(), 0);
}

} // namespace
