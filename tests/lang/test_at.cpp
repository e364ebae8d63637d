// SPDX-License-Identifier: BSL-1.0
// Views and their assignment: the notation, the shapes, the values (NumPy's).
#include "recorded.hpp"

#include <weft/lang/at.hpp>

#include <numeric>

namespace {

using recorded::list, recorded::values;
using weft::sym, weft::tensor, weft::traced;
namespace detail = weft::detail;

constexpr sym batch{"batch"};
template <class X> X any() { return X{}; }

// the notation
static_assert(detail::view_of<":, 1:3,::-1 , new,$,...">.error < 0);
static_assert(detail::view_of<":, 1:3,::-1 , new,$,...">.count == 6);
static_assert(detail::view_of<"">.count == 0 && detail::view_of<"">.error < 0);
static_assert(detail::view_of<"1:2:0">.error >= 0);
static_assert(detail::view_of<"1:,,2">.error == 3);
static_assert(detail::view_of<"..., ...">.error >= 0);
static_assert(detail::view_of<"x">.error == 0 && detail::view_of<"1;2">.error == 1);

// the shapes, from the golden data (views/views.json, slice_*)
template <weft::fixed_string Spec, auto... E>
inline constexpr weft::extents shape_of = detail::plan_of<Spec, weft::shape<E...>>.result;
static_assert(shape_of<"8:1:-3", 10> == weft::extents{1, {3}});
static_assert(shape_of<"-3:", 10> == weft::extents{1, {3}});
static_assert(shape_of<":-8:-1", 10> == weft::extents{1, {7}});
static_assert(shape_of<"100::-4", 10> == weft::extents{1, {3}});
static_assert(shape_of<"7:2", 10> == weft::extents{1, {0}});
static_assert(shape_of<"-100:100:4", 10> == weft::extents{1, {3}});
static_assert(shape_of<"new, 1, new, 2::-1, ...", 2, 3, 4> == weft::extents{4, {1, 1, 3, 4}});
static_assert(shape_of<"1:, ..., 4::-2", 2, 3, 4, 5> == weft::extents{4, {1, 3, 4, 3}});
static_assert(shape_of<"::-1", 0, 3> == weft::extents{2, {0, 3}});
static_assert(shape_of<"new, new"> == weft::extents{2, {1, 1}});
static_assert(std::is_same_v<decltype(weft::at<"::-1, 2">(any<traced<float, batch, 3>>())),
                             traced<float, batch>>);

// What NumPy refuses (views.json, slice_invalid_*).
template <weft::fixed_string Spec, auto... E>
inline constexpr detail::view_plan plan = detail::plan_of<Spec, weft::shape<E...>>;
static_assert(plan<"3", 3>.bad_axis == 0 && plan<"-4", 3>.bad_index == -4);
static_assert(plan<"2", 3>.bad_axis == -1 && plan<"-3", 3>.bad_axis == -1);
static_assert(plan<"0, 0", 3>.too_many == 1 && plan<"0">.too_many == 1);
static_assert(detail::view_of<"0:2:0">.error >= 0 && detail::view_of<"..., ...">.error >= 0);
static_assert(plan<"new, ...", 1, 1, 1, 1, 1, 1, 1, 1>.result_rank == 9);

tensor<float, 10> const line = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
tensor<int, 2, 3> const grid = {{0, 1, 2}, {10, 11, 12}};

TEST(at, ranges) {
  EXPECT_EQ(values<float>([](auto x) { return weft::at<"2:7">(x); }, line),
            (list<float>{2, 3, 4, 5, 6}));
  EXPECT_EQ(values<float>([](auto x) { return weft::at<"8:1:-3">(x); }, line),
            (list<float>{8, 5, 2}));
  EXPECT_EQ(values<float>([](auto x) { return weft::at<"100::-4">(x); }, line),
            (list<float>{9, 5, 1}));
  EXPECT_EQ(values<float>([](auto x) { return weft::at<":-8:-1">(x); }, line),
            (list<float>{9, 8, 7, 6, 5, 4, 3}));
  EXPECT_EQ(values<float>([](auto x) { return weft::at<"5:5">(x); }, line), (list<float>{}));
}
TEST(at, axes) {
  EXPECT_EQ(values<int>([](auto x) { return weft::at<"-1">(x); }, grid), (list<int>{10, 11, 12}));
  EXPECT_EQ(values<int>([](auto x) { return weft::at<"..., 1">(x); }, grid), (list<int>{1, 11}));
  EXPECT_EQ(values<int>([](auto x) { return weft::at<":, new, ::-2">(x); }, grid),
            (list<int>{2, 0, 12, 10}));
}
TEST(at, run_time_indices_count_from_the_end_and_clamp) {
  auto const row = [](auto x, auto i) { return weft::at<"$">(x, i); };
  EXPECT_EQ(values<int>(row, grid, 1), (list<int>{10, 11, 12}));
  EXPECT_EQ(values<int>(row, grid, -2), (list<int>{0, 1, 2}));
  EXPECT_EQ(values<int>(row, grid, 7), (list<int>{10, 11, 12}));
  EXPECT_EQ(values<int>(row, grid, -9), (list<int>{0, 1, 2}));
  auto const one = [](auto x, auto i, auto j) { return weft::at<"$, $">(x, i, j); };
  EXPECT_EQ(values<int>(one, grid, 1, -1), (list<int>{12}));
  EXPECT_EQ(values<int>([](auto x) { return weft::at<"1:, $">(x, 1); }, grid), (list<int>{11}));
}
TEST(at, named_axes) {
  tensor<int, batch, 2> x(3);
  {
    auto m = x.mutate();
    std::iota(m.begin(), m.end(), 0);
  }
  EXPECT_EQ(values<int>([](auto a) { return weft::at<"-1, 0">(a); }, x), (list<int>{4}));
  EXPECT_EQ(values<int>([](auto a, auto i) { return weft::at<"$">(a, i); }, x, -2),
            (list<int>{2, 3}));
  EXPECT_EQ(values<int>([](auto a) { return weft::at<"::-1, 1">(a); }, x), (list<int>{5, 3, 1}));
}

TEST(set, static_views) {
  EXPECT_EQ(values<int>([](auto x) { return weft::set<"1">(x, 7); }, grid),
            (list<int>{0, 1, 2, 7, 7, 7}));
  auto const column = [](auto x, auto y) { return weft::set<":, 2">(x, y); };
  EXPECT_EQ(values<int>(column, grid, tensor<int, 2>{5, 6}), (list<int>{0, 1, 5, 10, 11, 6}));
  auto const backwards = [](auto x, auto y) { return weft::set<"0, ::-1">(x, y); };
  EXPECT_EQ(values<int>(backwards, grid, tensor<int, 3>{7, 8, 9}),
            (list<int>{9, 8, 7, 10, 11, 12}));
}
TEST(set, steps) {
  auto const every_other = [](auto x, auto y) { return weft::set<"::-1, ::2">(x, y); };
  EXPECT_EQ(values<int>(every_other, grid, tensor<int, 2, 2>{{1, 2}, {3, 4}}),
            (list<int>{3, 1, 4, 1, 11, 2}));
}
TEST(set, run_time_indices) {
  auto const row = [](auto x, auto i, auto y) { return weft::set<"$, 1:">(x, i, y); };
  EXPECT_EQ(values<int>(row, grid, -1, tensor<int, 2>{5, 6}), (list<int>{0, 1, 2, 10, 5, 6}));
  auto const element = [](auto x, auto i) { return weft::set<"$, $">(x, i, 0, -5); };
  EXPECT_EQ(values<int>(element, grid, 9), (list<int>{0, 1, 2, -5, 11, 12}));
}
TEST(set, many_run_time_indices_and_steps) {
  tensor<int, 2, 2, 2, 2> const x{};
  auto const four = [](auto a, auto i) { return weft::set<"$, $, $, $">(a, i, 0, i, -1, 7); };
  list<int> want(16);
  want[8 + 2 + 1] = 7;
  EXPECT_EQ(values<int>(four, x, 5), want);
  // A step, a new axis and an index of the run in one view.
  auto const mixed = [](auto a, auto i, auto y) { return weft::set<"$, new, ::-2">(a, i, y); };
  EXPECT_EQ(values<int>(mixed, grid, -1, tensor<int, 1, 2>{{5, 6}}),
            (list<int>{0, 1, 2, 6, 11, 5}));
  auto const both = [](auto a, auto i) { return weft::at<"$, 1::2, $">(a, i, i); };
  tensor<int, 2, 3, 2> const cube = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
  EXPECT_EQ(values<int>(both, cube, 1), (list<int>{10}));
}
TEST(set, of_every_type) {
  auto const last = [](auto a) { return weft::set<"::2">(a, weft::at<"-1">(a)); };
  EXPECT_EQ(values<bool>(last, tensor<bool, 3>{false, false, true}),
            (list<bool>{true, false, true}));
  EXPECT_EQ(values<weft::bf16>(last, tensor<weft::bf16, 3>{1, 2, 3}),
            (list<weft::bf16>{weft::bf16(3.0f), weft::bf16(2.0f), weft::bf16(3.0f)}));
}
TEST(set, named_axes) {
  tensor<int, batch, 4> x(2);
  auto const steps = [](auto a, auto i) { return weft::set<"$, 3::-2">(a, i, 1); };
  EXPECT_EQ(values<int>(steps, x, 1), (list<int>{0, 0, 0, 0, 0, 1, 0, 1}));
  auto const last = [](auto a) { return weft::set<"-1, 1::2">(a, 2); };
  EXPECT_EQ(values<int>(last, x), (list<int>{0, 0, 0, 0, 0, 2, 0, 2}));
  EXPECT_EQ(values<int>([](auto a) { return weft::set<"::-1, 0">(a, 3); }, x),
            (list<int>{3, 0, 0, 0, 3, 0, 0, 0}));
}

} // namespace
