// SPDX-License-Identifier: BSL-1.0
// take, take_along_axis, gather, one_hot and scatter of traced arrays.
#include "recorded.hpp"
#include "support/text_of.hpp"

#include <weft/lang/indexing.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::sym, weft::tensor, weft::traced;

constexpr sym rows{"rows"};
constexpr sym batch{"batch"};
template <class X> X any() { return X{}; }
using cube = traced<float, 2, 5, 3>;

static_assert(std::is_same_v<decltype(take<1>(any<cube>(), any<traced<int, 4, 6>>())),
                             traced<float, 2, 4, 6, 3>>);
static_assert(
    std::is_same_v<decltype(take<-1>(any<cube>(), any<traced<int>>())), traced<float, 2, 5>>);
static_assert(
    std::is_same_v<decltype(take<0>(any<traced<float, rows, 3>>(), any<traced<int, batch>>())),
                   traced<float, batch, 3>>);
static_assert(std::is_same_v<decltype(take_along_axis<1>(any<cube>(), any<traced<int, 2, 7, 3>>())),
                             traced<float, 2, 7, 3>>);
static_assert(std::is_same_v<decltype(weft::gather<0, 2>(any<cube>(), any<traced<int, 9, 2>>())),
                             traced<float, 9, 5>>);
static_assert(
    std::is_same_v<decltype(weft::one_hot<10>(any<traced<int, 4>>())), traced<float, 4, 10>>);

tensor<float, 2, 3> const x = {{1, 5, 3}, {4, 2, 6}};
tensor<int, 4> const i = {2, -1, 0, 7};

TEST(indexing, takes) {
  EXPECT_EQ(values<float>([](auto a, auto k) { return take<1>(a, k); }, x, i),
            (list<float>{3, 3, 1, 3, 6, 6, 4, 6})); // -1 is the last, 7 is clamped
  EXPECT_EQ(values<float>([](auto a) { return weft::take<0>(a, -9); }, x), (list<float>{1, 5, 3}));
  EXPECT_EQ(values<float>([](auto a, auto k) { return take<0>(a, k); }, x,
                          tensor<int, 2, 2>{{1, 0}, {0, 1}}),
            (list<float>{4, 2, 6, 1, 5, 3, 1, 5, 3, 4, 2, 6}));
}
TEST(indexing, takes_along_an_axis) {
  tensor<int, 2, 2> const k = {{0, -1}, {1, 1}};
  EXPECT_EQ(values<float>([](auto a, auto j) { return take_along_axis<1>(a, j); }, x, k),
            (list<float>{1, 3, 2, 2}));
  tensor<int, 1, 3> const l = {{1, 0, 1}};
  EXPECT_EQ(values<float>([](auto a, auto j) { return take_along_axis<0>(a, j); }, x, l),
            (list<float>{4, 5, 6}));
}
TEST(indexing, takes_along_an_axis_of_what_broadcasts) {
  auto const along = [](auto a, auto j) { return take_along_axis<1>(a, j); };
  tensor<float, 1, 3> const row = {{7, 8, 9}};
  tensor<int, 2, 2> const k = {{0, -1}, {1, 1}};
  EXPECT_EQ(values<float>(along, row, k), (list<float>{7, 9, 8, 8}));
  static_assert(std::is_same_v<decltype(take_along_axis<1>(any<traced<float, 1, 5, 3, 4>>(),
                                                           any<traced<int, 6, 2, 1, 4>>())),
                               traced<float, 6, 2, 3, 4>>);
  static_assert(std::is_same_v<decltype(take_along_axis<-1>(any<traced<float, 1, 5>>(),
                                                            any<traced<int, rows, 2>>())),
                               traced<float, rows, 2>>);
}
TEST(indexing, reads_nothing_from_an_empty_axis) {
  tensor<float, 0, 3> const none;
  tensor<int, 0> const nowhere;
  EXPECT_EQ(values<float>([](auto a, auto j) { return take<0>(a, j); }, none, nowhere),
            list<float>{});
  static_assert(
      std::is_same_v<decltype(take<0>(any<traced<float, 0, 3>>(), any<traced<int, 5, 0>>())),
                     traced<float, 5, 0, 3>>);
  static_assert(std::is_same_v<decltype(take_along_axis<0>(any<traced<float, 0, 3>>(),
                                                           any<traced<int, 0, 3>>())),
                               traced<float, 0, 3>>);
  static_assert(std::is_same_v<decltype(weft::gather<0>(any<traced<float, 0, 3>>(),
                                                        any<traced<int, 0, 1>>())),
                               traced<float, 0, 3>>);
}
TEST(indexing, gathers_by_vectors) {
  tensor<int, 3, 2> const k = {{0, 2}, {1, -1}, {-2, 0}};
  EXPECT_EQ(values<float>([](auto a, auto j) { return weft::gather<0, 1>(a, j); }, x, k),
            (list<float>{3, 6, 1}));
}
TEST(indexing, one_hot) {
  EXPECT_EQ(values<int>([](auto k) { return weft::one_hot<3, int>(k); }, i),
            (list<int>{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0}));
}
TEST(indexing, scatters) {
  tensor<float, 4> const v = {10, 20, 30, 40};
  tensor<float, 3> const y = {1, 2, 3};
  EXPECT_EQ(
      values<float>([](auto a, auto k, auto u) { return weft::scatter<0>(a, k, u); }, y, i, v),
      (list<float>{30, 2, 20})); // 2 and -1 are one place: the last stays; 7 is dropped
  EXPECT_EQ(values<float>([](auto a, auto k, auto u) { return scatter_add<0>(a, k, u); }, y, i, v),
            (list<float>{31, 2, 33}));
  EXPECT_EQ(values<float>([](auto a, auto k) { return scatter_mul<1>(a, k, 2); }, x, i),
            (list<float>{2, 5, 12, 8, 2, 24}));
  EXPECT_EQ(
      values<float>([](auto a, auto k, auto u) { return scatter_min<0>(a, k, u - 20); }, y, i, v),
      (list<float>{1, 2, -10}));
  EXPECT_EQ(
      values<float>([](auto a, auto k, auto u) { return scatter_max<0>(a, k, u - 20); }, y, i, v),
      (list<float>{10, 2, 3}));
  tensor<int, 2, 2> const k = {{0, 2}, {1, -1}};
  EXPECT_EQ(values<float>([](auto a, auto j) { return weft::scatter<0, 1>(a, j, 0); }, x, k),
            (list<float>{1, 5, 0, 4, 2, 0}));
}
// An embedding: gradients of rows that are read twice add.
TEST(indexing, gradient_of_take) {
  auto const f = [](auto table, auto k) {
    return weft::value_and_grad(
        [&](auto t) { return sum(take<0>(t, k) * weft::arange<float, 3>()); })(table);
  };
  auto const out = recorded::run(f, x, tensor<int, 3>{1, 1, -2});
  EXPECT_EQ(recorded::numbers<float>(out[1]), (list<float>{0, 1, 2, 0, 2, 4}));
}
TEST(indexing, named_extents) {
  tensor<float, rows, 2> a(3);
  {
    auto m = a.mutate();
    for (int r = 0; r < 3; ++r) m(r, 0) = static_cast<float>(r), m(r, 1) = -1;
  }
  EXPECT_EQ(values<float>([](auto t, auto k) { return take<0>(t, k); }, a, tensor<int, 2>{-1, 9}),
            (list<float>{2, -1, 2, -1}));
  EXPECT_EQ(values<float>([](auto t) { return scatter_add<0>(t, -3, 5); }, a),
            (list<float>{5, 4, 1, -1, 2, -1}));
  tensor<float, rows, 2> const none(0);
  auto const taken = [](auto t) { return weft::take<0>(t, 0); };
  EXPECT_EQ(test::text_of([&] { return recorded::run(taken, none); }),
            "weft: take, at, set or pad: the axis has no element to take: (1, 2) of (0, 2)");
}

} // namespace
