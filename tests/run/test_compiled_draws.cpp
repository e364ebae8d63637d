// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Draws as compiled programs, on the block executor, from tensors now, and in loops: the
// interpreter's bits.
#include "../lang/recorded.hpp"
#include "compiled.hpp"
#include "support/block.hpp"

#include <weft/run/block.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::dense_leaves;

constexpr random_options halves{.partitionable = false};
constexpr sym rows{"rows"};

constexpr auto words = [](auto k) {
  auto keys = split_keys<4>(fold_in(k, 1));
  return std::tuple(bits<std::uint8_t, 37>(fold_in(k, 2)), bits<std::uint64_t, 3, 5>(fold_in(k, 3)),
                    bits<std::uint16_t, halves, 21>(fold_in(k, 4)), key_data(keys),
                    uniform<double, 19>(fold_in(k, 5)), uniform<bf16, 40>(fold_in(k, 6)));
};
constexpr auto integers = [](auto k, auto high) {
  return std::tuple(randint<std::uint8_t, 70>(fold_in(k, 1), 3, 256),
                    randint(fold_in(k, 2), -5, high),
                    randint<std::int64_t, halves, 9>(fold_in(k, 3), -5, 1ll << 40));
};
constexpr auto masked = [](auto k, auto x) {
  return std::pair(dropout<halves>(k, 0.5f, x), bernoulli(fold_in(k, 1), x));
};

// As kernels and as blocks.
template <auto F, class... Args> void expect_same(Args const&... args) {
  growing<dense> const meant = recorded::run(F, args...);
  EXPECT_TRUE(test::same_bits(dense_leaves(jit<F>(args...)), meant)) << "kernels";
  EXPECT_TRUE(test::same_bits(dense_leaves(jit<F>(cpu::block, args...)), meant)) << "blocks";
}
TEST(compiled_draws, words) { expect_same<words>(key(1)); }
TEST(compiled_draws, integers) {
  tensor<int, rows> high(33);
  {
    auto m = high.mutate();
    for (int i = 0; i < 33; ++i) m(i) = i * i * i - 9;
  }
  expect_same<integers>(key(2), high);
}
TEST(compiled_draws, named_extents) {
  for (int n : {0, 1, 50}) expect_same<masked>(key(4), test::filled<float, 3, rows>(1, n));
}

// A draw of every step: the loop, and its steps one by one.
constexpr auto in_a_loop = [](auto k) {
  auto const step = [&](auto i, auto) {
    auto const own = fold_in(k, i);
    return std::pair(i + 1, std::pair(uniform<5>(own), randint<3>(fold_in(own, 1), 0, 100)));
  };
  return scan<scan_options{.length = 4}>(step, convert<int>(bits(fold_in(k, 9)) & 0u), none).second;
};
TEST(compiled_draws, a_loop_is_its_steps) {
  key const k(5);
  auto const [u, n] = jit<in_a_loop>(k);
  auto const one = [](auto own) {
    return std::pair(uniform<5>(own), randint<3>(fold_in(own, 1), 0, 100));
  };
  for (int i = 0; i < 4; ++i) {
    growing<dense> const step = recorded::run(one, fold_in(k, i));
    for (int j = 0; j < 5; ++j) EXPECT_EQ(u(i, j), recorded::numbers<float>(step[0])[unsigned(j)]);
    for (int j = 0; j < 3; ++j) EXPECT_EQ(n(i, j), recorded::numbers<int>(step[1])[unsigned(j)]);
  }
}
// The program is built once; another key gives other numbers, the same one the same.
TEST(compiled_draws, depend_on_the_key_alone) {
  auto const first = jit<words>(key(6)), again = jit<words>(key(6)), other = jit<words>(key(7));
  EXPECT_EQ(first, again);
  EXPECT_NE(std::get<0>(first), std::get<0>(other));
}

} // namespace
