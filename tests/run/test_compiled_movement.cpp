// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Movement and statistics in compiled kernels and loops, static and named extents, against the
// interpreter, bit for bit.
#include "run/compiled.hpp"
#include "support/block.hpp"
#include "support/meaning.hpp"

#include <weft/run/block.hpp>
#include <weft/weft.hpp>

#include <string>

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
  EXPECT_TRUE(
      test::same_bits(dense_leaves(jit<F>(cpu::block, args...)),
                      test::meaning_of(record<argument_t<Args>...>(F), dense_leaves(args...))));
}
TEST(compiled_movement, blocks) {
  expect_blocks<moved>(filled<float, 7, 18>(1), -3);
  expect_blocks<moved>(filled<int, 7, 18>(1), 2);
  expect_blocks<summed>(filled<bf16, 9, 70>(1));
}

// The joined extents have names: the run adds them up, or checks the sum.
constexpr sym more{"more"};
constexpr sym all{"all"};
constexpr sym longer{"longer"};
constexpr auto joined = [](auto x, auto y) {
  auto z = concat<0, all>(x * 2, ones<float, 1, 3>(), y);
  auto w = pad<0, padding{.low = 2, .high = 1}, longer>(x, at<"-1, 0">(z));
  return std::tuple(z + 1, sum<0>(z), at<"-1">(z), w - 1);
};
constexpr auto joined_to = [](auto x, auto y, auto w) { return concat<0, all>(x, y) * w; };
constexpr auto joined_gradient = value_and_grad<0, 1>([](auto x, auto y, auto w) {
  return sum(concat<0, all>(x, at<":2">(w), y, x) * convert<float>(arange<int, all>() + 1));
});
TEST(joined_names, compiled) {
  for (int rows : {0, 1, 5})
    for (int others : {3, 0, 40})
      check<joined>(filled<float, n, 3>(1, rows), filled<float, more, 3>(2, others));
}
TEST(joined_names, checked_against_arguments) {
  auto const x = filled<float, n, 2>(1, 3), y = filled<float, n, 2>(3, 3);
  check<joined_to>(x, y, filled<float, all, 1>(5, 6));
  try {
    (void)jit<joined_to>(x, y, filled<float, all, 1>(5, 7));
    ADD_FAILURE() << "no error";
  } catch (shape_error const& e) {
    EXPECT_STREQ(e.what(), "weft: concat: the joined extents add up to 6, but all is 7");
  }
}
// A window that is larger than the array is known to the run only.
constexpr auto window = [](auto x) { return dynamic_slice<4>(x, 0) + 1; };
TEST(named_windows, must_fit) {
  auto const text_of = [](auto const& run) -> std::string {
    try {
      (void)run();
    } catch (shape_error const& e) {
      return e.what();
    }
    return "";
  };
  char const* words =
      "weft: dynamic_slice: the window has another rank than the array, or is larger: (4) of (2)";
  tensor<float, n> const x(2);
  EXPECT_EQ(text_of([&] { return jit<window>(x); }), words);
  EXPECT_EQ(
      text_of([&] { return test::meaning_of(record<tensor<float, n>>(window), dense_leaves(x)); }),
      words);
  EXPECT_EQ(text_of([&] { return top_k<4>(x).second; }),
            "weft: top_k: the last axis has fewer elements: (4) of (2)");
  EXPECT_NE(text_of([&] { return eval(at<"0">(tensor<float, n>(0)) + 1); }), "");
}
TEST(joined_names, gradients) {
  check<joined_gradient>(filled<float, n>(1, 3), filled<float, more>(1, 4), filled<float, 5>(1));
  tensor<float, n> const x(3);
  tensor<float, more> const y(1);
  auto const g = jit<joined_gradient>(x, y, tensor<float, 5>{}).second;
  EXPECT_EQ(std::get<0>(g), (tensor<float, n>{1 + 7, 2 + 8, 3 + 9}));
  EXPECT_EQ(std::get<1>(g), (tensor<float, more>{6}));
}
TEST(joined_names, immediate) {
  tensor<int, n, 2> const x = {{1, 2}, {3, 4}};
  tensor<int, more, 2> const y = {{5, 6}};
  auto const z = concat<0, all>(y, x + 1, zeros<int, 1, 2>());
  static_assert(std::is_same_v<decltype(z), tensor<int, all, 2> const>);
  EXPECT_EQ((pad<0, padding{.high = 1}, all>(x, 7)), (tensor<int, all, 2>{{1, 2}, {3, 4}, {7, 7}}));
  EXPECT_EQ(z, (tensor<int, all, 2>{{5, 6}, {2, 3}, {4, 5}, {0, 0}}));
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
