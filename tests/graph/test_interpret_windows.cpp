// SPDX-License-Identifier: BSL-1.0
// window and overlap_add by hand, and that each is the other's adjoint.
#include "dense_values.hpp"

#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

constexpr dense windows_of(dense const& x, std::initializer_list<extent> lists) {
  return value_of(arrays(x), [lists](recorder&, growing<handle> const& h) {
    return window(h[0], {lists.begin(), static_cast<int>(lists.size())});
  });
}
constexpr dense added(dense const& x, std::initializer_list<extent> whole,
                      std::initializer_list<extent> lists) {
  return value_of(arrays(x), [=](recorder&, growing<handle> const& h) {
    return overlap_add(h[0], dims(whole), {lists.begin(), static_cast<int>(lists.size())});
  });
}

// size 3; stride 2; dilation 2
static_assert(windows_of(vector({1, 2, 3, 4, 5}), {0, 3, 1, 1}) ==
              array({3, 3}, {1, 2, 3, 2, 3, 4, 3, 4, 5}));
static_assert(windows_of(vector({1, 2, 3, 4, 5, 6}), {0, 3, 2, 1}) ==
              array({2, 3}, {1, 2, 3, 3, 4, 5}));
static_assert(windows_of(vector({1, 2, 3, 4, 5}), {0, 2, 1, 3}) == array({2, 2}, {1, 4, 2, 5}));
static_assert(windows_of(vector({1, 2}), {0, 3, 1, 1}) == array<int>({0, 3}, {}));
// Axes in another order: the sizes stand as the axes do.
static_assert(windows_of(array({2, 3}, {1, 2, 3, 4, 5, 6}), {1, 0, 2, 1, 1, 1, 1, 1}) ==
              array({2, 2, 2, 1}, {1, 2, 2, 3, 4, 5, 5, 6}));
static_assert(windows_of(array({2, 3}, {1, 2, 3, 4, 5, 6}), {1, 0, 2, 2, 1, 1, 1, 1}) ==
              array({1, 2, 2, 2}, {1, 4, 2, 5, 2, 5, 3, 6}));

static_assert(added(array({3, 2}, {1, 2, 3, 4, 5, 6}), {4}, {0, 2, 1, 1}) ==
              vector({1, 2 + 3, 4 + 5, 6}));
static_assert(added(array({2, 2}, {1, 2, 3, 4}), {6}, {0, 2, 3, 1}) == vector({1, 2, 0, 3, 4, 0}));
static_assert(added(array({2, 2}, {1, 2, 3, 4}), {5}, {0, 2, 2, 2}) == vector({1, 0, 2 + 3, 0, 4}));
static_assert(added(array<int>({0, 3}, {}), {2}, {0, 3, 1, 1}) == vector({0, 0}));
// The sum starts as +0 and takes terms in the order of taps: tap 0 first.
static_assert(added(array({1, 1}, {-0.0f}), {1}, {0, 1, 1, 1}) == vector({0.0f}));
static_assert(added(array({3, 3}, {0.0f, 0.0f, 1.0f, 0.0f, 0x1p30f, 0.0f, -0x1p30f, 0.0f, 0.0f}),
                    {5}, {0, 3, 1, 1}) == vector({0.0f, 0.0f, 1.0f, 0.0f, 0.0f}));
// Of 16-bit floats in float, rounded once: 1 + 2^-8 + 2^-8.
constexpr bf16 one(1.0f), small(0x1p-8f);
static_assert(added(array({1, 3, 3}, {one, small, small, small, one, small, small, small, one}),
                    {1, 5}, {1, 3, 1, 1}) ==
              array({1, 5}, {one, bf16(0x1p-7f), bf16(1 + 0x1p-7f), bf16(0x1p-7f), one}));

// sum(window(x) * y) = sum(x * overlap_add(y)), of whole numbers.
TEST(overlap_add, is_the_adjoint_of_window) {
  int compared = 0;
  for (extent n = 0; n < 9; ++n)
    for (extent size = 1; size < 4; ++size)
      for (extent stride = 1; stride < 4; ++stride)
        for (extent dilation = 1; dilation < 4; ++dilation) {
          dense x(dtype::i32, dims({2, n}));
          for (int i = 0; i < x.size(); ++i) x[i] = static_cast<word>(i * i % 11 + 1);
          dense const w = windows_of(x, {1, size, stride, dilation});
          dense y = w;
          for (int i = 0; i < y.size(); ++i) y[i] = static_cast<word>(i % 7 + 1);
          dense const back = added(y, {2, n}, {1, size, stride, dilation});
          word left = 0, right = 0;
          for (int i = 0; i < w.size(); ++i) left += w[i] * y[i];
          for (int i = 0; i < x.size(); ++i) right += x[i] * back[i];
          ASSERT_EQ(left, right) << n << ' ' << size << ' ' << stride << ' ' << dilation;
          compared += left != 0;
        }
  EXPECT_GT(compared, 100);
}
TEST(window, is_printed) {
  recorder r;
  handle const x = r.input(dtype::f32, dims({7, 5}), {});
  extent const lists[] = {0, 1, 2, 3, 1, 2, 2, 1};
  handle const w = window(x, {lists, 8}), back = overlap_add(w, dims({7, 5}), {lists, 8});
  r.finish({&back, 1});
  EXPECT_EQ(print(r.result), "%0 = parameter {0} : f32(7, 5)\n"
                             "%1 = window %0 {0:2:1:2, 1:3:2:1} : f32(5, 2, 2, 3)\n"
                             "%2 = overlap_add %1 {0:2:1:2, 1:3:2:1} : f32(7, 5)\n"
                             "return %2\n");
  EXPECT_FALSE(verify(r.result));
}

} // namespace
