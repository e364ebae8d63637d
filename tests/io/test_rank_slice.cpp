// SPDX-License-Identifier: BSL-1.0
// What a rank has of an array that a sharding splits, as a slice; slices of arrays in memory.
// needs: nlohmann/json.hpp
#include <weft/io/host_arrays.hpp>
#include <weft/io/rank_slice.hpp>

#include <gtest/gtest.h>

namespace {

using weft::array_slice, weft::extent, weft::extents, weft::mesh_axes, weft::mesh_of, weft::tensor;

constexpr bool is(array_slice const& s, extents const& first, extents const& shape) {
  return s.first == first && s.shape == shape;
}
constexpr mesh_axes grid = mesh_of("data=2, model=3");
constexpr extents whole{2, {12, 6}};
constexpr array_slice of(char const* split, extent rank) {
  return rank_slice(whole, sharding_of(split, grid), grid, rank);
}
static_assert(is(of("[data, model]", 0), {2, {0, 0}}, {2, {6, 2}}));
static_assert(is(of("[data, model]", 4), {2, {6, 2}}, {2, {6, 2}}));
static_assert(is(of("[-, model]", 5), {2, {0, 4}}, {2, {12, 2}}));
static_assert(is(of("[model*data, -]", 1), {2, {4, 0}}, {2, {2, 6}})); // part 1 * 2 + 0 of six
static_assert(is(of("[model*data, -]", 3), {2, {2, 0}}, {2, {2, 6}})); // part 0 * 2 + 1
static_assert(is(of("", 3), {2, {0, 0}}, {2, {12, 6}}));

// The slices of all ranks are a grid, whatever is split.
static_assert([] {
  for (char const* split : {"", "[data, -]", "[model, data]", "[data*model, -]", "[-, model]"}) {
    weft::growing<int> seen(static_cast<int>(count_of(whole)), 0);
    for (extent rank = 0; rank < grid.ranks; ++rank) {
      array_slice const s = of(split, rank);
      weft::detail::each_run(whole, s, [&](extent to, extent, extent count) {
        for (extent i = 0; i < count; ++i) ++seen[static_cast<int>(to + i)];
        return true;
      });
    }
    for (int n : seen)
      if (n != seen[0] || n == 0) return false;
  }
  return true;
}());

TEST(rank_slice, of_an_array_in_memory) {
  tensor<int, 3, 4> const x = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
  weft::host_array const part = take_slice(weft::host_array(x), {{2, {1, 1}}, {2, {2, 2}}});
  tensor<int, 2, 2> const expected = {{5, 6}, {9, 10}};
  EXPECT_TRUE((part.as<int, 2, 2>() == expected));
  try {
    take_slice(weft::host_array(x), {{2, {2, 0}}, {2, {2, 4}}});
    ADD_FAILURE();
  } catch (weft::usage_error const& e) {
    EXPECT_STREQ(e.what(),
                 "weft: host_array: the slice (2, 4) at (2, 0) is outside of (3, 4); give "
                 "one that lies in it");
  }
}

} // namespace
