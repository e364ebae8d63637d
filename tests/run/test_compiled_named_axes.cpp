// SPDX-License-Identifier: BSL-1.0
// build: alone long
// What moves along named axes, and middles of any axes, in compiled kernels, on the block executor
// and at the immediate door, against the interpreter, bit for bit.
#include "run/compiled.hpp"
#include "support/block.hpp"
#include "test_evaluate.hpp"

#include <weft/run/block.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using evaluated::expect_same;
using test::check, test::dense_leaves, test::filled;

constexpr sym n{"n"};
constexpr sym rest{"rest"};
constexpr sym half{"half"};
constexpr sym more{"more"};
constexpr sym all{"all"};
constexpr sym flat{"flat"};
constexpr sym wide{"wide"};
constexpr padding mirror{.low = 3, .high = 5, .mode = pad_mode::reflect};

constexpr auto ranges = [](auto x) {
  auto d = at<"1:", rest>(x) - at<":-1", rest>(x);
  return std::tuple(d, at<"::-2", half>(x) * at<"-1">(x), at<"-2:">(x) + at<":2">(x),
                    set<"::2", half>(x, at<"::2", half>(x) + 1), diff<1, 0, rest>(x) * d);
};
constexpr auto copies = [](auto x) {
  return std::tuple(roll<2, 0>(x) + x, roll<3>(x), tile<2, 1, more>(x) - repeat<2, 0, more>(x),
                    pad<0, mirror, all>(x), ravel<flat>(x), split<3, 1>(x)[1],
                    pad<0, padding{.low = 2, .interior = 1}, wide>(x));
};
constexpr auto moved = [](auto x) {
  return std::tuple(at<"1:", rest>(x) + diff<1, 0, rest>(x), tile<2, 1, more>(x),
                    pad<0, mirror, all>(roll<2, 0>(x)));
};
constexpr auto slope = value_and_grad([](auto x) {
  auto y = at<"1::2", half>(x * x) * at<"-1">(x);
  return sum(y) + sum(roll<1, 0>(x) * x) + sum(repeat<2, 0, more>(x)) + sum(at<"1:", rest>(x));
});
constexpr auto middles = [](auto x) {
  return std::tuple(median(x), median<0, -1, keep>(x), quantile<0>(x, 0.3),
                    quantile<no_axes>(x, 0));
};

TEST(compiled_named_axes, kernels) {
  for (int rows : {2, 3, 8, 41}) {
    check<moved>(filled<float, n, 3>(1, rows));
    check<slope>(filled<float, n, 3>(3, rows));
  }
}
template <auto F, class... Args> void expect_blocks(Args const&... args) {
  EXPECT_TRUE(
      test::same_bits(dense_leaves(jit<F>(cpu::block, args...)),
                      test::meaning_of(record<argument_t<Args>...>(F), dense_leaves(args...))));
}
TEST(compiled_named_axes, blocks) {
  for (int rows : {2, 7, 300}) {
    expect_blocks<ranges>(filled<float, n, 3>(1, rows));
    expect_blocks<ranges>(filled<bf16, n, 3>(2, rows));
    expect_blocks<copies>(filled<int, n, 3>(1, rows));
    expect_blocks<middles>(filled<double, n, 3>(1, rows));
    expect_blocks<middles>(filled<bf16, n, 3>(1, rows));
    expect_blocks<middles>(filled<f16, n, 3, n>(2, 6));
    expect_blocks<middles>(filled<int, 4, n>(1, rows));
  }
  expect_blocks<middles>(filled<float, n, 2>(1, 0));
  expect_blocks<copies>(filled<float, n, 3>(1, 1));
}
TEST(compiled_named_axes, of_tensors) {
  auto const x = filled<float, n, 3>(1, 5);
  expect_same([](auto t) { return at<"1:", rest>(t) - diff<1, 0, rest>(t); }, x);
  expect_same([](auto t) { return set<"1:, ::2", rest>(t, 3); }, x);
  expect_same([](auto t) { return pad<0, mirror, more>(roll<7>(t)); }, x);
  expect_same([](auto t) { return quantile<-1, keep>(t, 0.25) + median(t); }, x);
  EXPECT_EQ(median(tensor<int, 4>{7, 1, 2, 9})(), 4.5);
  EXPECT_EQ((quantile<0>(tensor<int, 3>{5, 1, 3}, 0.25)()), 2.0);
}

} // namespace
