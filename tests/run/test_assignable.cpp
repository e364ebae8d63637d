// SPDX-License-Identifier: BSL-1.0
// Assignment in place, through mutate: elements, views of every kind, what the right side may be.
#include "support/text_of.hpp"

#include <weft/run/evaluate.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using weft::at, weft::sym, weft::tensor;

constexpr sym rows{"rows"};

using grid = tensor<int, 3, 4>;
constexpr grid counted = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};

// In constant evaluation, too.
constexpr grid with_corners() {
  grid a = counted;
  auto m = a.mutate();
  at<"::2, ::3">(m) = -1;
  return a;
}
static_assert(with_corners() == grid{{-1, 1, 2, -1}, {10, 11, 12, 13}, {-1, 21, 22, -1}});
constexpr grid turned() {
  grid a = counted;
  auto m = a.mutate();
  m.at<"1, ::-1">() = at<"1">(m); // the value is taken first
  m.at<"$, 3:0:-2">(-1) = tensor<int, 2>{7, 8};
  return a;
}
static_assert(turned() == grid{{0, 1, 2, 3}, {13, 12, 11, 10}, {20, 8, 22, 7}});

TEST(assignable, broadcasts_and_expressions) {
  tensor<float, 4, 3> a = weft::ones<float, 4, 3>();
  tensor<float, 3> const row = {1, 2, 3};
  {
    auto m = a.mutate();
    at<"1:3">(m) = row * 2;
    at<":, 2">(m) += 0.5f;
    at<"-1, :2">(m) = weft::arange<float, 2>();
    at<"0, 0">(m) *= 9;
    at<"0, new, 1:">(m) -= row(0);
    at<"$, $">(m, 100, -1) /= 3;
  }
  EXPECT_EQ(a, (tensor<float, 4, 3>{{9, 0, 0.5f}, {2, 4, 6.5f}, {2, 4, 6.5f}, {0, 1, 0.5f}}));
}
TEST(assignable, names_and_views_of_views) {
  tensor<int, rows, 4> a(3);
  {
    auto m = a.mutate();
    at<"...">(m) = 1;
    auto odd = at<"::-1, 1::2">(m);
    static_assert(std::is_same_v<decltype(odd)::shape_type, weft::shape<rows, 2>>);
    EXPECT_EQ(odd.extent(0), 3);
    EXPECT_EQ(odd.stride(0), -4);
    EXPECT_EQ(odd.stride(1), 2);
    odd(0, 1) = 5;
    at<"$, ::-1">(odd, -1) = tensor<int, 2>{6, 7};
    at<"-2, 0">(m) = 9;
    EXPECT_THROW((void)odd(3, 0), weft::index_error);
    tensor<int, rows, 2> const other(2);
    EXPECT_EQ(test::text_of([&] { return (odd = other).rank; }),
              "weft: set: the value does not broadcast to the view: (2, 2) to (3, 2)");
    EXPECT_EQ(odd.value()(2, 0), 7);
  }
  EXPECT_EQ(a, (tensor<int, rows, 4>{{1, 7, 1, 6}, {9, 1, 1, 1}, {1, 1, 1, 5}}));
}
// A copy made before is untouched, one made meanwhile is its own.
TEST(assignable, nobody_else_sees_it) {
  tensor<int, 40> a = weft::arange<int, 40>();
  auto const before = a;
  auto m = a.mutate();
  auto const meanwhile = a;
  at<"1:">(m) = at<":-1">(a); // an expression owns what it reads
  EXPECT_EQ(before(39), 39);
  EXPECT_EQ(meanwhile(39), 39);
  EXPECT_EQ(a(39), 38);
  EXPECT_EQ(a(1), 0);
}
TEST(assignable, empty_views) {
  tensor<int, 4> a = {1, 2, 3, 4};
  auto m = a.mutate();
  at<"2:2">(m) = 7;
  at<":0">(m) = tensor<int, 0>{};
  EXPECT_EQ(a(2), 3);
  tensor<int, rows> none(0);
  auto w = none.mutate();
  at<"::-1">(w) = 7;
  EXPECT_EQ(test::text_of([&] { return at<"$">(w, 0).rank; }),
            "weft: take, at, set or pad: the axis has no element to take: axis 0");
}

} // namespace
