// SPDX-License-Identifier: BSL-1.0
// arg_max and arg_min of rows that lie one element behind the other go by packs: as by the loop that
// serves all strides, at every length, with ties, NaN, infinities and both zeros; long rows of floats
// block by block.
#include <weft/cpu/arg_reduce.hpp>
#include <weft/weft.hpp>

#include "support/targets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>

namespace {

using namespace weft;

template <class T> T number(std::mt19937& random, int turn) {
  auto const kind = static_cast<int>(random() % 40);
  if constexpr (std::is_integral_v<T>) {
    if (turn % 2 == 0) return static_cast<T>(random() % 5); // ties
    return static_cast<T>((std::uint64_t{random()} << 32) + random());
  } else {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    switch (kind) {
      case 0: return T(turn % 3 == 0 ? std::nanf("") : 1.0f);
      case 1: return T(-0.0f);
      case 2: return T(infinity);
      case 3: return T(-infinity);
      default: return T(static_cast<float>(kind % 7) - 3);
    }
  }
}

template <class T> class extremes : public testing::Test {};
using types =
    testing::Types<float, double, bf16, f16, bool, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(extremes, types);

TYPED_TEST(extremes, of_rows_are_those_of_the_loop) {
  using T = TypeParam;
  std::mt19937 random(7);
  for (extent n = 1; n < 150; ++n)
    for (int turn = 0; turn < 12; ++turn) {
      auto const row = std::make_unique<T[]>(static_cast<std::size_t>(n)); // no element behind it
      for (extent i = 0; i < n; ++i) row[static_cast<std::size_t>(i)] = number<T>(random, turn);
      auto const* const first = reinterpret_cast<std::byte const*>(row.get());
      extents const shape{1, {n}}, step[1] = {{1, {1}}};
      for (bool smallest : {false, true}) {
        auto const meant = detail::find_extreme<T>(first, cpu::walk<1>(shape, step), n, smallest);
        char const* const what = smallest ? ", smallest" : ", largest";
        ASSERT_EQ((detail::find_extreme_in_row<T, 4>(first, n, smallest)), meant) << n << what;
        ASSERT_EQ((detail::find_extreme_in_row<T, 8>(first, n, smallest)), meant) << n << what;
        ASSERT_EQ((detail::find_extreme_in_row<T, 16>(first, n, smallest)), meant) << n << what;
      }
    }
}

// Rows of few and of all different numbers, below and around 0, of zeros alone, and one that stands
// out: in any block and beyond the last whole one.
float number_of_row(std::mt19937& random, int kind) {
  auto const few = static_cast<float>(random() % 3),
             any = static_cast<float>(random() % (1u << 24));
  switch (kind) {
    case 0: return few + 1;
    case 1: return -few - 1;
    case 2: return few - 1; // the largest is 1, or 0
    case 3: return random() % 2 == 0 ? 0.0f : -0.0f;
    default: return any - 0x1p+23f;
  }
}
template <class Target> void expect_extremes_of_blocks() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float special[] = {std::numeric_limits<float>::quiet_NaN(),
                               infinity,
                               -infinity,
                               0.0f,
                               -0.0f,
                               0x1p+30f,
                               -0x1p+30f,
                               0x1p-149f};
  std::mt19937 random(3);
  for (extent n : {64, 65, 127, 128, 129, 1000, 2047, 2048, 2049, 4096, 9001})
    for (int kind = 0; kind < 5; ++kind)
      for (int turn = 0; turn < 20; ++turn) {
        auto const count = static_cast<std::size_t>(n);
        auto const row = std::make_unique<float[]>(count); // no element behind it
        for (std::size_t i = 0; i < count; ++i) row[i] = number_of_row(random, kind);
        for (int k = 0; k < turn % 4; ++k) row[random() % count] = special[random() % 8];
        auto const* const first = reinterpret_cast<std::byte const*>(row.get());
        extents const shape{1, {n}}, step[1] = {{1, {1}}};
        auto const meant = [&](bool smallest) {
          return detail::find_extreme<float>(first, cpu::walk<1>(shape, step), n, smallest);
        };
        ASSERT_EQ((detail::float_extremes<Target, false>::find(first, n)), meant(false)) << n;
        ASSERT_EQ((detail::float_extremes<Target, true>::find(first, n)), meant(true)) << n;
      }
}
TEST(extremes_of_blocks, are_those_of_the_loop) {
  expect_extremes_of_blocks<test::narrow_target>();
  expect_extremes_of_blocks<cpu::native_target>();
}

} // namespace
