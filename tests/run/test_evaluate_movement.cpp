// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Movement and statistics of tensors: the immediate door against constants, and against the
// interpreter's bits of the same functions traced.
#include "test_evaluate.hpp"

namespace {

using evaluated::expect_same, evaluated::numbers;
using weft::at, weft::padding, weft::sym, weft::tensor;

constexpr sym rows{"rows"};
constexpr padding around{.low = 2, .high = 1, .mode = weft::pad_mode::reflect};

constexpr tensor<float, 2, 3> a = {{1, 2, 3}, {4, 5, 6}};
constexpr tensor<float, 3> b = {10, 20, 30};
// Parts are copied, no program is made.
static_assert(weft::split<3>(b)[1] == tensor<float, 1>{20});
static_assert(weft::split<3, 1>(a)[2] == tensor<float, 2, 1>{{3}, {6}});
static_assert(weft::unstack<1>(a)[2] == tensor<float, 2>{3, 6});
static_assert(weft::unstack(a)[1] == tensor<float, 3>{4, 5, 6});
static_assert(std::get<1>(weft::split_sizes<-1, 1, 2>(a)) == tensor<float, 2, 2>{{2, 3}, {5, 6}});
static_assert(weft::allclose(a, a + 1e-7f) && !weft::allclose(a, a + 1e-3f));
static_assert(weft::meshgrid(b, b)[1](2, 0) == 30);

// One program: what every call gives, end to end.
TEST(evaluate_movement, joins_and_repetition) {
  auto x = numbers<float, 4, 6>();
  expect_same(
      [](auto y) {
        return weft::concat<1>(weft::stack<1>(y, y * 2),
                               weft::expand_dims<1>(weft::tile<2>(at<":, :3">(y))));
      },
      x);
  expect_same([](auto y) { return weft::roll<2, 0, 1>(weft::pad<around>(y)); }, x);
  expect_same([](auto y, auto i) { return weft::roll<1>(y, i); }, x, -2);
  expect_same([](auto y) { return weft::repeat<3, 0>(weft::diff(weft::move_axis<0, 1>(y))); }, x);
  expect_same(
      [](auto y, auto i) {
        return weft::dynamic_update_slice(y, weft::dynamic_slice<2, 2>(y, 0, i), i, i);
      },
      x, 3);
  expect_same([](auto y) { return weft::squeeze(weft::tril(y * 3) + weft::triu<1>(y)); }, x);
}
TEST(evaluate_movement, statistics) {
  auto x = numbers<float, 4, 6>();
  expect_same([](auto y) { return weft::var<0, weft::ddof{1}>(y * 2); }, x);
  expect_same([](auto y) { return weft::std<weft::keep>(y) + weft::norm<1, weft::keep>(y); }, x);
  expect_same([](auto y) { return weft::logsumexp(y) + weft::average<0>(y, at<":, :1">(y)); }, x);
  expect_same([](auto y) { return weft::clip(weft::nan_to_num(y), -0.5f, at<"0">(y)); }, x);
  EXPECT_EQ(weft::count_nonzero(x > 0).rank, 0);
}
TEST(evaluate_movement, names) {
  auto x = numbers<float, rows, 3>({2, {5, 3}}, 1);
  expect_same([](auto y) { return weft::var<0>(weft::flip<0>(y)); }, x);
  expect_same([](auto y) { return weft::repeat<2, 2>(weft::stack<0>(y, -y)); }, x);
  auto columns = weft::split<3, 1>(x);
  EXPECT_EQ(columns[2].shape(), (weft::extents{2, {5, 1}}));
  EXPECT_EQ(columns[2](4, 0), x(4, 2));
}

} // namespace
