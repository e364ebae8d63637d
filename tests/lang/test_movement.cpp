// SPDX-License-Identifier: BSL-1.0
// build: alone
// Movement of elements: shapes by static_assert, values against NumPy's index formulas.
#include "recorded.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/grids.hpp>
#include <weft/lang/joining.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/padding.hpp>
#include <weft/lang/repetition.hpp>
#include <weft/lang/windows.hpp>

#include <climits>

namespace {

using recorded::list, recorded::values;
using weft::extents, weft::pad_mode, weft::padding, weft::sym, weft::tensor, weft::traced;

constexpr sym n{"n"}, m{"m"};
template <class X> X any() { return X{}; }
template <class X> inline constexpr extents shape_of = X::shape_type::value;

using cube = traced<float, 2, 3, 4>;
using named = traced<float, n, 3, m>;

// reshape and its like
static_assert(shape_of<decltype(weft::reshape<-1, 2>(any<cube>()))> == extents{2, {12, 2}});
static_assert(
    std::is_same_v<decltype(weft::reshape<3, -1, m>(any<named>())), traced<float, 3, n, m>>);
static_assert(
    std::is_same_v<decltype(weft::reshape<m, n, -1>(any<named>())), traced<float, m, n, 3>>);
static_assert(std::is_same_v<decltype(weft::reshape<n, -1>(any<traced<int, n, 2, 6>>())),
                             traced<int, n, 12>>);
static_assert(std::is_same_v<decltype(weft::ravel(any<cube>())), traced<float, 24>>);
static_assert(std::is_same_v<decltype(weft::ravel(any<traced<int>>())), traced<int, 1>>);
static_assert(std::is_same_v<decltype(weft::flatten(any<traced<int, 1, n>>())), traced<int, n>>);
static_assert(!weft::detail::rest_can_be_known<weft::shape<n, m>, -1>);
static_assert(!weft::detail::rest_can_be_known<weft::shape<0, 3>, 0, -1>);
static_assert(!weft::detail::rest_can_be_known<weft::shape<2, 3>, 4, -1>);
static_assert(std::is_same_v<decltype(weft::squeeze(any<traced<int, 1, 3, 1>>())), traced<int, 3>>);
static_assert(
    std::is_same_v<decltype(weft::squeeze<-1>(any<traced<int, 1, n, 1>>())), traced<int, 1, n>>);
static_assert(std::is_same_v<decltype(weft::expand_dims<0, -1>(any<traced<int, n>>())),
                             traced<int, 1, n, 1>>);
static_assert(
    std::is_same_v<decltype(weft::move_axis<0, -1>(any<cube>())), traced<float, 3, 4, 2>>);
static_assert(
    std::is_same_v<decltype(weft::move_axis<-1, 1>(any<named>())), traced<float, n, m, 3>>);
static_assert(
    std::is_same_v<decltype(weft::swap_axes<0, -1>(any<named>())), traced<float, m, 3, n>>);
static_assert(std::is_same_v<decltype(weft::stack<-1>(any<named>(), any<named>())),
                             traced<float, n, 3, m, 2>>);
static_assert(
    std::is_same_v<decltype(weft::tile<2, 1>(any<traced<int, 3, n>>())), traced<int, 6, n>>);
static_assert(std::is_same_v<decltype(weft::repeat<3, 1>(any<named>())), traced<float, n, 9, m>>);
static_assert(std::is_same_v<decltype(weft::tril(any<named>())), named>);
static_assert(shape_of<decltype(weft::diff<2>(any<cube>()))> == extents{3, {2, 3, 2}});
static_assert(shape_of<decltype(weft::diff<5>(any<cube>()))> == extents{3, {2, 3, 0}});

tensor<int, 3, 4> const grid = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};
tensor<int, 5> const line = {1, 2, 3, 4, 5};

TEST(movement, axes) {
  EXPECT_EQ(values<int>([](auto x) { return weft::swap_axes<0, 1>(x); }, grid),
            (list<int>{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23}));
  tensor<int, 2, 1, 3> const x = {{{1, 2, 3}}, {{4, 5, 6}}};
  EXPECT_EQ(values<int>([](auto a) { return weft::move_axis<0, 2>(a); }, x),
            (list<int>{1, 4, 2, 5, 3, 6}));
}

TEST(movement, joining) {
  EXPECT_EQ(values<int>([](auto x) { return weft::stack<1>(x, x * 10, 7 - x); }, line),
            (list<int>{1, 10, 6, 2, 20, 5, 3, 30, 4, 4, 40, 3, 5, 50, 2}));
  auto const ends = [](auto x) {
    auto parts = weft::split<2, 1>(x);
    return weft::concatenate<-1>(parts[1], parts[0], weft::zeros<int, 3, 1>());
  };
  EXPECT_EQ(values<int>(ends, grid),
            (list<int>{2, 3, 0, 1, 0, 12, 13, 10, 11, 0, 22, 23, 20, 21, 0}));
  auto const sizes = [](auto x) {
    auto parts = weft::split_sizes<0, 1, 0, 2>(x);
    static_assert(std::tuple_size_v<decltype(parts)> == 3);
    return weft::concat<0>(std::get<2>(parts), std::get<1>(parts), std::get<0>(parts));
  };
  EXPECT_EQ(values<int>(sizes, grid), (list<int>{10, 11, 12, 13, 20, 21, 22, 23, 0, 1, 2, 3}));
  auto const columns = [](auto x) {
    auto all = weft::unstack<-1>(x);
    return weft::stack(all[3], all[0]);
  };
  EXPECT_EQ(values<int>(columns, grid), (list<int>{3, 13, 23, 0, 10, 20}));
}

// The element that NumPy puts at position j, by walking: outwards one step at a time.
int walked(int j, int length, pad_mode mode) {
  int at = 0, step = 1;
  for (int k = 0; k < (j < 0 ? -j : j); ++k) {
    int const towards = j < 0 ? -step : step;
    int const next = at + towards;
    if (next >= 0 && next < length) at = next;
    else if (mode == pad_mode::wrap) at = next < 0 ? length - 1 : 0;
    else if (mode == pad_mode::symmetric) step = -step; // the end twice
    else if (mode == pad_mode::reflect && length > 1) step = -step, at += j < 0 ? -step : step;
  }
  return at;
}
TEST(movement, padding_rules) {
  for (pad_mode mode : {pad_mode::edge, pad_mode::reflect, pad_mode::symmetric, pad_mode::wrap})
    for (int length : {1, 2, 3, 5})
      for (int j = -13; j < length + 13; ++j)
        EXPECT_EQ(weft::detail::padded_index(j, length, mode), walked(j, length, mode))
            << j << " of " << length << " mode " << static_cast<int>(mode);
}
// The compiler's steps are counted by what is added.
constexpr int nodes_of_long_padding() {
  return weft::record<tensor<float, 1000000>>([](auto x) {
           return weft::pad<padding{.low = 3, .high = 2, .mode = pad_mode::reflect}>(x);
         })
      .size();
}
static_assert(nodes_of_long_padding() < 10);
constexpr padding some{.low = 2, .high = 1}, far{.low = 5, .high = 4, .mode = pad_mode::reflect};
constexpr padding sides{.low = 1, .high = 2, .mode = pad_mode::symmetric};
constexpr padding spread{.low = -1, .high = 1, .interior = 1};
TEST(movement, padding) {
  EXPECT_EQ(values<int>([](auto x) { return weft::pad<some>(x, 7); }, line),
            (list<int>{7, 7, 1, 2, 3, 4, 5, 7}));
  EXPECT_EQ(values<int>([](auto x) { return weft::pad<some>(x, weft::at<"-1">(x)); }, line),
            (list<int>{5, 5, 1, 2, 3, 4, 5, 5}));
  EXPECT_EQ(values<int>([](auto x) { return weft::pad<far>(weft::at<":2">(x)); }, line),
            (list<int>{2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(values<int>([](auto x) { return weft::pad<padding{}, spread>(x); }, grid),
            (list<int>{0, 1, 0, 2, 0, 3, 0, 0, 11, 0, 12, 0, 13, 0, 0, 21, 0, 22, 0, 23, 0}));
  auto const mixed = [](auto x) {
    return weft::pad<padding{.low = 1}, sides>(weft::at<":2, :2">(x), 9);
  };
  EXPECT_EQ(values<int>(mixed, grid),
            (list<int>{9, 9, 9, 9, 9, 0, 0, 1, 1, 0, 10, 10, 11, 11, 10}));
  EXPECT_EQ(values<bool>([](auto x) { return weft::pad<0, some>(weft::at<":2">(x) > 1); }, line),
            (list<bool>{false, false, false, true, false}));
}

TEST(movement, roll) {
  auto rolled = [](int shift) {
    list<int> r(5);
    for (int i = 0; i < 5; ++i) r[static_cast<unsigned>(((i + shift) % 5 + 5) % 5)] = i + 1;
    return r;
  };
  EXPECT_EQ(values<int>([](auto x) { return weft::roll<2, 0>(x); }, line), rolled(2));
  EXPECT_EQ(values<int>([](auto x) { return weft::roll<-13, 0>(x); }, line), rolled(-13));
  EXPECT_EQ(values<int>([](auto x) { return weft::roll<5>(weft::at<":2, :3">(x)); }, grid),
            (list<int>{1, 2, 10, 11, 12, 0}));
  EXPECT_EQ(values<int>([](auto x) { return weft::roll<1, 0, 1>(weft::at<":2, :3">(x)); }, grid),
            (list<int>{12, 10, 11, 2, 0, 1}));
  auto const by = [](auto x, auto i) { return weft::roll<0>(x, i); };
  for (int shift : {0, 1, 4, 5, 12, -1, -5, -7})
    EXPECT_EQ(values<int>(by, line, shift), rolled(shift));
}
TEST(movement, repetition) {
  EXPECT_EQ(values<int>([](auto x) { return weft::repeat<2>(weft::at<":2, :2">(x)); }, grid),
            (list<int>{0, 0, 1, 1, 10, 10, 11, 11}));
  EXPECT_EQ(values<int>([](auto x) { return weft::repeat<2, 0>(weft::at<":2, :2">(x)); }, grid),
            (list<int>{0, 1, 0, 1, 10, 11, 10, 11}));
  EXPECT_EQ(values<int>([](auto x) { return weft::repeat<0, 0>(x); }, grid), (list<int>{}));
  EXPECT_EQ(values<int>([](auto x) { return weft::tile<2, 2>(weft::at<":2, :2">(x)); }, grid),
            (list<int>{0, 1, 0, 1, 10, 11, 10, 11, 0, 1, 0, 1, 10, 11, 10, 11}));
  EXPECT_EQ(values<int>([](auto x) { return weft::tile<3>(weft::at<"1:3">(x)); }, line),
            (list<int>{2, 3, 2, 3, 2, 3}));
  // Eight axes: there is no ninth to repeat along.
  auto const full = [](auto x) {
    auto y = weft::reshape<1, 1, 1, 1, 1, 1, 1, 5>(x);
    return weft::ravel(weft::repeat<2, 7>(y)) + weft::ravel(weft::tile<2>(y));
  };
  EXPECT_EQ(values<int>(full, line), (list<int>{2, 3, 5, 6, 8, 4, 6, 7, 9, 10}));
}
TEST(movement, named_repetition) {
  tensor<int, n, 2> x(2);
  {
    auto w = x.mutate();
    for (int i = 0; i < 4; ++i) w.data()[i] = i;
  }
  EXPECT_EQ(values<int>([](auto a) { return weft::repeat<2, 1>(a); }, x),
            (list<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(values<int>([](auto a) { return weft::roll<1, 1>(a); }, x), (list<int>{1, 0, 3, 2}));
  EXPECT_EQ(values<int>([](auto a) { return weft::triu<1>(a); }, x), (list<int>{0, 1, 0, 0}));
}
TEST(movement, windows) {
  auto const part = [](auto x, auto i) { return weft::dynamic_slice<2, 3>(x, i, 1); };
  EXPECT_EQ(values<int>(part, grid, 0), (list<int>{1, 2, 3, 11, 12, 13}));
  EXPECT_EQ(values<int>(part, grid, 9), (list<int>{11, 12, 13, 21, 22, 23}));
  EXPECT_EQ(values<int>(part, grid, -1), (list<int>{1, 2, 3, 11, 12, 13}));
  auto const put = [](auto x, auto i) {
    return weft::dynamic_update_slice(x, weft::full<int, 2>(7), i);
  };
  EXPECT_EQ(values<int>(put, line, 9), (list<int>{1, 2, 3, 7, 7}));
}
TEST(movement, differences) {
  tensor<int, 4> const squares = {1, 4, 9, 16};
  EXPECT_EQ(values<int>([](auto x) { return weft::diff(x); }, squares), (list<int>{3, 5, 7}));
  EXPECT_EQ(values<int>([](auto x) { return weft::diff<2>(x); }, squares), (list<int>{2, 2}));
  EXPECT_EQ(values<int>([](auto x) { return weft::diff<1, 0>(x); }, grid),
            (list<int>{10, 10, 10, 10, 10, 10, 10, 10}));
  EXPECT_EQ(values<bool>([](auto x) { return weft::diff((x & 1) == 0); }, tensor<int, 3>{1, 3, 4}),
            (list<bool>{false, true}));
}

TEST(movement, triangles_and_grids) {
  EXPECT_EQ(values<int>([](auto x) { return weft::tril<INT_MAX>(x); }, grid),
            values<int>([](auto x) { return x; }, grid));
  EXPECT_EQ(values<int>([](auto x) { return weft::tril<-1>(x + 1); }, grid),
            (list<int>{0, 0, 0, 0, 11, 0, 0, 0, 21, 22, 0, 0}));
  EXPECT_EQ(values<int>([](auto x) { return weft::triu<2>(x + 1); }, grid),
            (list<int>{0, 0, 3, 4, 0, 0, 0, 14, 0, 0, 0, 0}));
  auto const both = [](auto x) {
    auto xy = weft::meshgrid(x, weft::arange<int, 2>());
    auto ij = weft::meshgrid<weft::indexing::ij>(x, weft::arange<int, 2>());
    return weft::concat<0>(weft::ravel(xy[0]), weft::ravel(xy[1]), weft::ravel(ij[0]),
                           weft::ravel(ij[1]));
  };
  EXPECT_EQ(values<int>(both, tensor<int, 3>{7, 8, 9}),
            (list<int>{7, 8, 9, 7, 8, 9, 0, 0, 0, 1, 1, 1, 7, 7, 8, 8, 9, 9, 0, 1, 0, 1, 0, 1}));
}

} // namespace
