// SPDX-License-Identifier: BSL-1.0
// Reductions and movement of traced arrays.
#include "recorded.hpp"

#include <weft/lang/joining.hpp>
#include <weft/lang/padding.hpp>
#include <weft/lang/reductions.hpp>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::keep, weft::padding, weft::sym, weft::tensor, weft::traced;

constexpr sym batch{"batch"};
template <class X> X any() { return X{}; }
using cube = traced<float, 2, 3, 4>;

static_assert(std::is_same_v<decltype(sum<0, -1>(any<cube>())), traced<float, 3>>);
static_assert(std::is_same_v<decltype(sum<1, keep>(any<cube>())), traced<float, 2, 1, 4>>);
static_assert(std::is_same_v<decltype(sum<keep>(any<cube>())), traced<float, 1, 1, 1>>);
static_assert(std::is_same_v<decltype(max(any<cube>())), traced<float>>);
static_assert(std::is_same_v<decltype(transpose(any<cube>())), traced<float, 4, 3, 2>>);
static_assert(std::is_same_v<decltype(transpose(any<traced<float, 3>>())), traced<float, 3>>);
static_assert(std::is_same_v<decltype(transpose<-1, 0, 1>(any<cube>())), traced<float, 4, 2, 3>>);
static_assert(std::is_same_v<decltype(weft::reshape<4, batch>(any<traced<int, batch, 2, 2>>())),
                             traced<int, 4, batch>>);

tensor<float, 2, 3> const x = {{1, 5, 3}, {4, 2, 6}};

TEST(reductions, sums) {
  EXPECT_EQ(values<float>([](auto a) { return sum<1>(a); }, x), (list<float>{9, 12}));
  EXPECT_EQ(values<float>([](auto a) { return sum(a); }, x), (list<float>{21}));
  EXPECT_EQ(values<float>([](auto a) { return a - sum<0, keep>(a); }, x),
            (list<float>{-4, -2, -6, -1, -5, -3}));
}
TEST(reductions, extremes) {
  EXPECT_EQ(values<float>([](auto a) { return max<0>(a); }, x), (list<float>{4, 5, 6}));
  EXPECT_EQ(values<float>([](auto a) { return min<-1>(a); }, x), (list<float>{1, 2}));
  tensor<int, 3> const i = {INT32_MIN, 7, -7};
  EXPECT_EQ(values<int>([](auto a) { return min(a); }, i), (list<int>{INT32_MIN}));
  tensor<std::uint32_t, 3> const u = {0xffffffffu, 7, 9};
  EXPECT_EQ(values<std::uint32_t>([](auto a) { return min(a); }, u), (list<std::uint32_t>{7}));
}
TEST(reductions, products_and_logic) {
  EXPECT_EQ(values<float>([](auto a) { return prod<0>(a); }, x), (list<float>{4, 10, 18}));
  EXPECT_EQ(values<int>([](auto a) { return weft::prod(a); }, tensor<int, 3>{3, -2, 7}),
            (list<int>{-42}));
  tensor<bool, 2, 2> const b = {{false, true}, {false, false}};
  EXPECT_EQ(values<bool>([](auto a) { return any<1>(a); }, b), (list<bool>{true, false}));
  EXPECT_EQ(values<bool>([](auto a) { return weft::all(a); }, b), (list<bool>{false}));
  EXPECT_EQ(values<bool>([](auto a) { return all<0, keep>(a - 1); }, x),
            (list<bool>{false, true, true}));
}
TEST(reductions, mean_is_one_division) {
  EXPECT_EQ(values<float>([](auto a) { return mean<0>(a); }, x), (list<float>{2.5f, 3.5f, 4.5f}));
  EXPECT_EQ(values<float>([](auto a) { return mean(a); }, tensor<float, 3>{1, 1, 2}),
            (list<float>{4.0f / 3.0f}));
}
// 1 + 2^-9 + ... : bf16 keeps 8 bits, so rounding twice would show.
TEST(reductions, mean_of_bf16_rounds_once) {
  tensor<bf16, 4> const h = {1.0f, 1.0078125f, 1.0078125f, 1.0078125f};
  auto const m = values<bf16>([](auto a) { return mean(a); }, h);
  EXPECT_EQ(m[0], bf16((1.0f + 3 * 1.0078125f) / 4));
}
TEST(reductions, named_extents_are_counted_by_the_run) {
  for (int n : {1, 3, 8}) {
    tensor<float, batch, 2> b(n);
    {
      auto m = b.mutate();
      for (int i = 0; i < n; ++i) m(i, 0) = static_cast<float>(i), m(i, 1) = 1;
    }
    auto const f = [](auto a) { return std::pair(mean<0>(a), mean(a)); };
    auto const out = recorded::run(f, b);
    float const total = static_cast<float>(n * (n - 1) / 2);
    EXPECT_EQ(recorded::numbers<float>(out[0]), (list<float>{total / static_cast<float>(n), 1}));
    EXPECT_EQ(recorded::numbers<float>(out[1]),
              (list<float>{(total + static_cast<float>(n)) / static_cast<float>(2 * n)}));
  }
}

TEST(movement, arrangements) {
  EXPECT_EQ(values<float>([](auto a) { return transpose(a); }, x), (list<float>{1, 4, 5, 2, 3, 6}));
  EXPECT_EQ(values<float>([](auto a) { return weft::reshape<3, 2>(a); }, x),
            (list<float>{1, 5, 3, 4, 2, 6}));
  EXPECT_EQ(values<float>([](auto a) { return weft::flip<0>(a); }, x),
            (list<float>{4, 2, 6, 1, 5, 3}));
  EXPECT_EQ(values<float>([](auto a) { return weft::flip(a); }, x),
            (list<float>{6, 2, 4, 3, 5, 1}));
  EXPECT_EQ(
      values<float>([](auto a) { return weft::broadcast_to<2, 2>(a); }, tensor<float, 2>{1, 2}),
      (list<float>{1, 2, 1, 2}));
}
TEST(movement, joins_and_pads) {
  auto const joined = [](auto a) { return weft::concat<-1>(a, weft::zeros<float, 2, 1>(), a); };
  EXPECT_EQ(values<float>(joined, x), (list<float>{1, 5, 3, 0, 1, 5, 3, 4, 2, 6, 0, 4, 2, 6}));
  auto const padded = [](auto a) {
    return weft::pad<0, padding{.low = 1, .high = -1, .interior = 1}>(a, 9);
  };
  EXPECT_EQ(values<float>(padded, tensor<float, 3>{1, 2, 3}), (list<float>{9, 1, 9, 2, 9}));
}

} // namespace
