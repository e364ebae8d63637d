// SPDX-License-Identifier: BSL-1.0
// Checks and prints inside compiled programs and on the block executor: the interpreter's texts, in
// the order of the data, at every step of a loop; a program that threw runs again.
#include "compiled.hpp"
#include "support/block.hpp"
#include "support/text_of.hpp"

#include <weft/run/block.hpp>
#include <weft/run/compiled.hpp>
#include <weft/weft.hpp>

#include <string>

namespace {

using namespace weft;
using test::text_of, test::lines_of;
using test::dense_leaves, test::filled;

constexpr sym rows{"rows"};

constexpr auto model = [](auto x, auto w) {
  auto h = check_finite<"h">(einsum<"bi,ij->bj">(x, w) * 2);
  return std::pair(log(h), debug_print<"total">(sum(h)));
};
using batch = tensor<float, 2, 3>;
using weights = tensor<float, 3, 2>;

TEST(compiled_observe, passes_values) {
  batch const x = {{1, 2, 3}, {4, 5, 6}};
  weights const w = {{1, 0}, {0, 1}, {1, 1}};
  std::string const meant = "total: f32() = 60\n";
  EXPECT_EQ(lines_of([&] { test::check<model>(x, w); }).substr(0, meant.size()), meant);
  EXPECT_EQ(lines_of([&] { jit<model>(x, w); }), meant);
  EXPECT_EQ(lines_of([&] { jit<model>(cpu::block, x, w); }), meant);
}
TEST(compiled_observe, throws_and_runs_again) {
  batch x = {{1, 2, 3}, {4, 5, 6}};
  weights const w = {{1, 0}, {0, 1}, {1, 1}};
  std::string const meant =
      "weft: check_finite: h: element (1, 0) of f32(2, 2) is inf; look at what it is computed from";
  compiled<model, batch, weights> f;
  for (int turn = 0; turn < 2; ++turn) {
    x.mutate()(1, 0) = 3e38f;
    EXPECT_EQ(text_of<value_error>([&] { jit<model>(x, w); }), meant);
    EXPECT_EQ(text_of<value_error>([&] { jit<model>(test::two_threads(), x, w); }), meant);
    EXPECT_EQ(text_of<value_error>([&] { jit<model>(cpu::block, x, w); }), meant);
    EXPECT_EQ(text_of<value_error>([&] { f(x, w); }), meant);
    x.mutate()(1, 0) = 4;
    EXPECT_EQ(lines_of([&] { EXPECT_EQ(f(x, w).second(), 60); }), "total: f32() = 60\n");
  }
}
// Every type, a strided operand, names, a loop.
constexpr auto columns = [](auto x) { return debug_print<"t">(transpose(x)); };
template <class T> void expect_line(char const* meant) {
  tensor<T, 2, 2> const x = {{T(1), T(0)}, {T(1), T(1)}};
  EXPECT_EQ(lines_of([&] { jit<columns>(x); }), meant);
  EXPECT_EQ(lines_of([&] { jit<columns>(cpu::block, x); }), meant);
  EXPECT_TRUE(test::same_bits(dense_leaves(jit<columns>(x)), dense_leaves(eval(transpose(x)))));
}
TEST(compiled_observe, every_width) {
  expect_line<bool>("t: i1(2, 2) = 1 1 0 1\n");
  expect_line<std::int8_t>("t: i8(2, 2) = 1 1 0 1\n");
  expect_line<std::uint16_t>("t: ui16(2, 2) = 1 1 0 1\n");
  expect_line<bf16>("t: bf16(2, 2) = 1 1 0 1\n");
  expect_line<std::int32_t>("t: i32(2, 2) = 1 1 0 1\n");
  expect_line<double>("t: f64(2, 2) = 1 1 0 1\n");
}
constexpr auto recurrence = [](auto x) {
  auto body = [](auto c, auto v) {
    auto next = debug_print<"c">(c + v);
    return std::pair(next, next * 2);
  };
  return scan(body, zeros_like(at<"0">(x)), x).second;
};
TEST(compiled_observe, every_step_of_a_loop) {
  tensor<float, rows, 2> x(3);
  for (int i = 0; i < 3; ++i) x.mutate()(i, 1) = static_cast<float>(i + 1);
  std::string const meant = "c: f32(2) = 0 1\nc: f32(2) = 0 3\nc: f32(2) = 0 6\n";
  EXPECT_EQ(lines_of([&] { jit<recurrence>(x); }), meant);
  EXPECT_EQ(lines_of([&] { jit<recurrence>(cpu::block, x); }), meant);
}
// What nothing reads is not computed; what a fused group would hold in registers is seen all the
// same.
constexpr auto unread = [](auto x) {
  (void)debug_print<"unread">(x * 3);
  return debug_print<"inside">(x * 2) + 1;
};
TEST(compiled_observe, what_is_read_is_seen) {
  EXPECT_EQ(lines_of([] { jit<unread>(tensor<float, 2>{1, 2}); }), "inside: f32(2) = 2 4\n");
}
// Equal lines are as many as the program says; one of nothing is a line, too.
constexpr auto twice = [](auto x) { return debug_print<"x">(x) + debug_print<"x">(x); };
constexpr auto of_nothing = [](auto x) { return debug_print<"none">(x) + 1; };
TEST(compiled_observe, every_line) {
  EXPECT_EQ(lines_of([] { jit<twice>(tensor<float, 1>{2}); }), "x: f32(1) = 2\nx: f32(1) = 2\n");
  EXPECT_EQ(lines_of([] { jit<of_nothing>(tensor<float, 0>{}); }), "none: f32(0) =\n");
  EXPECT_EQ(lines_of([] { jit<of_nothing>(tensor<float, rows>(0)); }), "none: f32(0) =\n");
}
constexpr auto roots = [](auto x) { return sum(sqrt(x) * x); };
TEST(compiled_observe, checked) {
  using row = tensor<float, 5>;
  std::string const meant =
      "weft: check_nan: %1 sqrt: element (3) of f32(5) is nan; look at what it is computed from";
  EXPECT_EQ(text_of<value_error>([] { jit<checked(roots)>(row{1, 2, 3, -4, 5}); }), meant);
  EXPECT_EQ(text_of<value_error>([] { checked(roots)(row{1, 2, 3, -4, 5}); }), meant);
  EXPECT_EQ(jit<checked(roots)>(row{0, 1, 4, 9, 16})(), jit<roots>(row{0, 1, 4, 9, 16})());
  EXPECT_NE(text_of<value_error>([] {
              jit<checked<observation::finite>(grad(roots))>(row{0, 1, 1, 1, 1});
            }),
            "nothing thrown"); // 1 / sqrt(0)
}

} // namespace
