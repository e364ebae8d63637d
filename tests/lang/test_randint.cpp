// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Random integers: JAX's values (0.10.2), and every type and kind of bound against the definition
// in plain integers.
#include "random_reference.hpp"
#include "recorded.hpp"

#include <weft/lang/randint.hpp>

#include <limits>

namespace {

using recorded::list, recorded::values;
using weft::key, weft::random_options, weft::tensor;

constexpr random_options halves{.partitionable = false};

TEST(randint, as_jax) {
  auto const ten = [](auto k) { return weft::randint<8>(k, 0, 10); };
  EXPECT_EQ(values<int>(ten, key(0)), (list<int>{9, 0, 2, 3, 1, 7, 2, 3}));
  EXPECT_EQ(values<int>(ten, key(42)), (list<int>{4, 4, 1, 9, 9, 9, 7, 7}));
  auto const bytes = [](auto k) { return weft::randint<std::uint8_t, 4>(k, 0, 256); };
  EXPECT_EQ(values<std::uint8_t>(bytes, key(3)), (list<std::uint8_t>{75, 115, 157, 170}));
  auto const all = [](auto k) { return weft::randint<3>(k, 0, 2147483648); };
  EXPECT_EQ(values<int>(all, key(1)), (list<int>{1733648124, 210002863, 956228320}));
}
// Of equal or exchanged bounds: the lower one.
TEST(randint, without_a_number_between) {
  EXPECT_EQ(values<int>([](auto k) { return weft::randint<3>(k, 5, 5); }, key(2)),
            (list<int>{5, 5, 5}));
  EXPECT_EQ(values<int>([](auto k) { return weft::randint<2>(k, 9, 5); }, key(2)),
            (list<int>{9, 9}));
  auto const by_arrays = [](auto k, auto a, auto b) { return weft::randint<2>(k, a, b); };
  EXPECT_EQ(values<int>(by_arrays, key(2), 9, 5), (list<int>{9, 9}));
}

// Numbers as bounds, and the same ones as arrays.
template <class T, auto Low, auto High> void expect_randint(key k) {
  auto const numbers = [](auto x) { return weft::randint<T, 5>(x, Low, High); };
  EXPECT_EQ(values<T>(numbers, k), (reference::randint<T>(k, 5, Low, High)));
  auto const by_halves = [](auto x) { return weft::randint<T, halves, 5>(x, Low, High); };
  EXPECT_EQ(values<T>(by_halves, k), (reference::randint<T>(k, 5, Low, High, false)));
  auto const mixed = [](auto x, auto low) { return weft::randint<T, 5>(x, low, High); };
  if constexpr (std::cmp_greater_equal(Low, std::numeric_limits<T>::lowest())) {
    EXPECT_EQ(values<T>(mixed, k, tensor<T>(static_cast<T>(Low))), values<T>(numbers, k));
  }
}
template <class T> void expect_type() {
  using limits = std::numeric_limits<T>;
  constexpr T half = static_cast<T>(limits::max() / 2 + 1);
  expect_randint<T, 0, 10>(key(1));
  expect_randint<T, 3, 4>(key(2));
  expect_randint<T, 0, 64>(key(3)); // a power of two
  expect_randint<T, limits::lowest(), limits::max()>(key(4));
  expect_randint<T, 1, half>(key(5));
  expect_randint<T, -300, 70000>(key(6));
  expect_randint<T, limits::lowest(), ~std::uint64_t{0}>(key(7));
  expect_randint<T, std::numeric_limits<std::int64_t>::lowest(), 1>(key(8));
}
TEST(randint, signed_types) {
  expect_type<std::int8_t>();
  expect_type<std::int16_t>();
  expect_type<std::int32_t>();
  expect_type<std::int64_t>();
}
TEST(randint, unsigned_types) {
  expect_type<std::uint8_t>();
  expect_type<std::uint16_t>();
  expect_type<std::uint32_t>();
  expect_type<std::uint64_t>();
}
// Bounds of their own for every element, whose shape is the draw's.
TEST(randint, arrays_as_bounds) {
  tensor<int, 4> high;
  {
    auto m = high.mutate();
    m(0) = 1, m(1) = 7, m(2) = 1 << 30, m(3) = -3;
  }
  auto const f = [](auto k, auto b) { return weft::randint(k, -2, b); };
  list<int> const got = values<int>(f, key(5), high);
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(got[i], reference::randint<int>(key(5), 4, -2, high(static_cast<int>(i)))[i]);
}

} // namespace
