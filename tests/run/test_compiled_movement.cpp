// SPDX-License-Identifier: BSL-1.0
// build: alone
// Movement and statistics in compiled kernels and loops, static and named extents, against the
// interpreter, bit for bit.
#include "run/compiled.hpp"

#include <weft/run/block.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::check, test::dense_leaves, test::filled;

constexpr sym n{"n"};
constexpr padding mirror{.low = 3, .high = 5, .mode = pad_mode::symmetric};
constexpr padding between{.low = 2, .high = -1, .interior = 2};

constexpr auto moved = [](auto x, auto i) {
  auto parts = split<2, 1>(x * 2);
  return std::tuple(pad<mirror>(x) + 1, pad<0, between>(x, at<"0, 0">(x)), roll<1>(x, i),
                    concat<1>(parts[1], x, parts[0]), tile<2, 1>(repeat<3, 1>(x)) - 1,
                    set<"$, ::-3">(x, i, at<"1, ::3">(x)), diff<2, 0>(stack<0>(x, x * x, -x)));
};
constexpr auto summed = [](auto x) {
  return std::tuple(var<0, ddof{1}>(x), weft::std<keep>(x), norm<-1>(x), logsumexp<0>(x),
                    count_nonzero<1>(x), clip(triu<1>(x), -1, at<":, :1">(x)), sum<no_axes>(x));
};

constexpr auto few = [](auto x, auto i) {
  return std::pair(roll<1>(pad<mirror>(x), i), var<0>(set<"$, ::-3">(x, i, 2)));
};

TEST(compiled_movement, kernels) {
  check<few>(filled<float, 7, 18>(1), -3);
  for (int rows : {0, 1, 5, 64}) check<summed>(filled<float, n, 18>(3, rows));
}
// The same loops around other kernels; any element type.
template <auto F, class... Args> void expect_blocks(Args const&... args) {
  EXPECT_TRUE(test::same_bits(dense_leaves(jit<F>(cpu::block, args...)),
                              interpret(record<argument_t<Args>...>(F), dense_leaves(args...))));
}
TEST(compiled_movement, blocks) {
  expect_blocks<moved>(filled<float, 7, 18>(1), -3);
  expect_blocks<moved>(filled<int, 7, 18>(1), 2);
  expect_blocks<summed>(filled<bf16, 9, 70>(1));
}

// Borrowed memory, with strides of every kind, is an operand wherever a tensor is.
constexpr auto total = [](auto x) { return sum<0>(x * x); };
TEST(borrowed_operands, at_every_door) {
  float memory[] = {1, 2, 3, 4, 5, 6};
  auto const turned = borrow<3, 2>(memory + 5, strides{-1, -3});
  auto const repeated = borrow<3, 2>(memory, strides{0, 1});
  tensor<float, 3, 2> const plain = turned, ones = repeated;
  EXPECT_EQ(plain, (tensor<float, 3, 2>{{6, 3}, {5, 2}, {4, 1}}));
  EXPECT_EQ((tensor<float, 3, 2>(turned + repeated)), (tensor<float, 3, 2>(plain + ones)));
  EXPECT_EQ(jit<total>(turned), jit<total>(plain));
  EXPECT_EQ(jit<total>(cpu::block, turned), jit<total>(plain));
  EXPECT_EQ(concat<0>(turned, repeated), concat<0>(plain, ones));
  EXPECT_EQ(set<"1">(turned, at<"0">(repeated)), set<"1">(plain, at<"0">(ones)));
  EXPECT_EQ((unstack<1>(turned)[1]), (tensor<float, 3>{3, 2, 1}));
  EXPECT_EQ(eval(turned), plain);
  EXPECT_TRUE(allclose(turned, plain));
  auto const both = scan([](auto h, auto x) { return std::pair(h + x, h); }, at<"0">(turned),
                         turned);
  EXPECT_EQ(both.first, (tensor<float, 2>{21, 9}));
  EXPECT_EQ(zeros_like(turned), (tensor<float, 3, 2>{}));
  tensor<float, 3, 2> target;
  {
    auto m = target.mutate();
    at<"::-1">(m) = turned;
  }
  EXPECT_EQ(target, (tensor<float, 3, 2>{{4, 1}, {5, 2}, {6, 3}}));
  auto const named = borrow<n, 2>(memory, extents{2, {3, 2}}, strides{2, 1});
  EXPECT_EQ(jit<total>(named), jit<total>(tensor<float, n, 2>(named)));
}

} // namespace
