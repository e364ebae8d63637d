// SPDX-License-Identifier: BSL-1.0
// borrowed: foreign memory read in place, with any strides, and copied into tensors.
#include "support/text_of.hpp"

#include <weft/array/borrowed.hpp>

#include <gtest/gtest.h>

namespace {

using weft::borrow, weft::borrowed, weft::strides, weft::sym, weft::tensor;

constexpr sym rows{"rows"};
constexpr sym cols{"cols"};
constexpr float numbers[] = {1, 2, 3, 4, 5, 6};

constexpr auto plain = borrow<2, 3>(numbers);
static_assert(std::is_same_v<decltype(plain), borrowed<float, 2, 3> const>);
static_assert(plain(1, 0) == 4 && plain.unchecked(0, 2) == 3 && plain.is_contiguous());
static_assert(plain.stride(0) == 3 && plain.stride(-1) == 1 && plain.data() == numbers);

constexpr auto transposed = borrow<3, 2>(numbers, strides{1, 3});
static_assert(transposed(0, 1) == 4 && transposed(2, 0) == 3 && !transposed.is_contiguous());
static_assert(tensor<float, 3, 2>(transposed) == tensor<float, 3, 2>{{1, 4}, {2, 5}, {3, 6}});

constexpr auto backwards = borrow<6>(numbers + 5, strides{-1});
static_assert(tensor<float, 6>(backwards) == tensor<float, 6>{6, 5, 4, 3, 2, 1});
constexpr auto repeated = borrow<2, 3>(numbers, strides{0, 1});
static_assert(tensor<float, 2, 3>(repeated) == tensor<float, 2, 3>{{1, 2, 3}, {1, 2, 3}});
static_assert(borrow<>(numbers + 2) == 3.0f);
static_assert(borrow<1, 3>(numbers, strides{77, 1}).is_contiguous());

TEST(borrowed, names_and_checks) {
  auto x = borrow<rows, 3>(numbers, 2);
  EXPECT_EQ(x.extent(0), 2);
  EXPECT_EQ(x(1, 2), 6);
  EXPECT_THROW((void)x(2, 0), weft::index_error);
  EXPECT_THROW((borrow<rows, 3>(numbers, -2)), weft::shape_error);
  auto y = borrow<rows, cols>(numbers, weft::extents{2, {3, 2}}, strides{1, 3});
  EXPECT_EQ(y(2, 1), 6);
  EXPECT_THROW((borrow<rows, rows>(numbers, weft::extents{2, {3, 2}}, strides{1, 3})),
               weft::shape_error);
}

TEST(borrowed, elements_have_an_address) {
  float const* const none = nullptr;
  auto const says = [](auto make) { return test::text_of([&] { (void)make(); }); };
  EXPECT_EQ(says([&] { return borrow<rows>(none, 3); }),
            "weft: borrow: the pointer is null, and shape (3) has elements; give their address");
  EXPECT_EQ(says([&] { return borrow<2, 3>(none); }),
            "weft: borrow: the pointer is null, and shape (2, 3) has elements; give their address");
  EXPECT_EQ(says([&] { return borrow<>(none); }),
            "weft: borrow: the pointer is null, and shape () has elements; give their address");
  EXPECT_THROW((borrow<2>(none, strides{1})), weft::usage_error);
  EXPECT_EQ((borrow<rows, 3>(none, 0).size()), 0);
  EXPECT_EQ((tensor<float, 0, 3>(borrow<0, 3>(none)).size()), 0);
  // Their number is a number, too.
  EXPECT_EQ(says([&] { return borrow<rows, 3>(numbers, std::int64_t{1} << 62); }),
            "weft: array: shape (4611686018427387904, 3) has more elements than 64 bits count");
}

TEST(borrowed, a_tensor_made_from_it_is_a_copy) {
  float memory[] = {1, 2, 3, 4};
  auto view = borrow<rows, 2>(memory, 2);
  tensor<float, rows, 2> copy = view;
  memory[0] = 9;
  EXPECT_EQ(view(0, 0), 9);
  EXPECT_EQ(copy(0, 0), 1);
  {
    auto m = copy.mutate();
    m = view;
  }
  EXPECT_EQ(copy(0, 0), 9);
  EXPECT_EQ((tensor<float, rows, 2>(borrow<rows, 2>(memory, 0)).size()), 0);
}

} // namespace
