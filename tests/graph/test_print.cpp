// SPDX-License-Identifier: BSL-1.0
// The printed form, whole.
#include "dense_values.hpp"

#include <weft/graph/print.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

TEST(print, elements) {
  EXPECT_EQ(print_element(word_of(1.5f), dtype::f32), "1.5");
  EXPECT_EQ(print_element(word_of(0.1f), dtype::f32), "0.1");
  EXPECT_EQ(print_element(0x80000000u, dtype::f32), "-0");
  EXPECT_EQ(print_element(0x7f800000u, dtype::f32), "inf");
  EXPECT_EQ(print_element(bf16(3.0f).bits, dtype::bf16), "3");
  EXPECT_EQ(print_element(0xffffffffu, dtype::i32), "-1");
  EXPECT_EQ(print_element(0xffffffffu, dtype::u32), "4294967295");
  EXPECT_EQ(print_element(1, dtype::boolean), "true");
}

TEST(print, a_layer) {
  extent const rows = pack_name("rows");
  recorder r;
  handle x = r.input(dtype::bf16, dims({rows, 3}), {0, 0, false});
  handle w = r.input(dtype::bf16, dims({3, 4}), {1, 0, false});
  handle key = r.input(dtype::u32, dims({2}), {2, 0, true});
  contraction c{.has_bias = true,
                .rank_a = 2,
                .rank_b = 2,
                .rank_out = 2,
                .a = {7, 5},
                .b = {5, 9},
                .out = {7, 9}};
  handle bias = broadcast_to(constant(r, 0.5, dtype::f32, {}), dims({rows, 4}));
  handle y = contract(x, w, c, dtype::f32, {}, bias);
  handle m = reduce(op::reduce_max, y, 2);
  extent const whole[] = {0, 0, rows, 4, 1, 2};
  extent const around[] = {0, -1, 0, 2, 0, 1};
  handle part = slice(y, {whole, 6}), filler = constant(r, 0, dtype::f32, {});
  handle outs[] = {m, part, reverse(y, 2), key, pad(part, filler, {around, 6})};
  r.finish({outs, 5});
  EXPECT_EQ(print(r.result), R"(%0 = parameter {0} : bf16(rows, 3)
%1 = parameter {1} : bf16(3, 4)
%2 = parameter {2, key} : ui32(2)
%3 = constant {0.5} : f32()
%4 = broadcast %3 {axes} : f32(rows, 4)
%5 = contract %0 %1 %4 {ab,bc->ac, chain, bias} : f32(rows, 4)
%6 = reduce_max %5 {axes 1} : f32(rows)
%7 = slice %5 {0:rows:1, 0:4:2} : f32(rows, 2)
%8 = constant {0} : f32()
%9 = reverse %5 {axes 1} : f32(rows, 4)
%10 = pad %7 %8 {0:0:0, -1:2:1} : f32(rows, 4)
return %6 %7 %9 %2 %10
)");
}

TEST(print, a_loop_with_a_captured_value) {
  recorder r;
  handle c = r.input(dtype::i32, {}, {0, 0, false}), k = r.input(dtype::i32, {}, {1, 0, false});
  for (word w = 0; w < 10; ++w) r.result.constants.push(w * w);
  extent const from[] = {0, 0};
  handle xs = r.emit(op::constant, dtype::i32, dims({10}), {}, {from, 2});
  int const body = r.begin_body();
  handle carry = r.parameter(dtype::i32, {}), x = r.parameter(dtype::i32, {});
  handle next = carry * k + x;
  growing<handle> operands;
  operands.push(c), operands.push(xs);
  operands.append(r.end_body(body, {&next, 1}));
  handle s = r.emit(op::scan, dtype::i32, {}, operands, encode(loop{1, 1, 0, 10, true}), body);
  r.set_owner(body, s.id);
  handle out = get(s, 0, dtype::i32, {});
  r.finish({&out, 1});
  EXPECT_EQ(print(r.result), R"(%0 = parameter {0} : i32()
%1 = parameter {1} : i32()
%2 = constant {table 0 1 4 9 16 25 36 49 ...} : i32(10)
%8 = scan %0 %2 %1 {carries 1, xs 1, ys 0, length 10, reverse}
    %3 = parameter {0} : i32()
    %4 = parameter {1} : i32()
    %5 = parameter {2} : i32()
    %6 = mul %3 %5 : i32()
    %7 = add %6 %4 : i32()
    return %7
%9 = get %8 {0} : i32()
return %9
)");
}

// The exact-size copy is the same graph.
constexpr graph small_graph() {
  recorder r;
  handle a = r.input(dtype::f32, dims({3}), {0, 0, false});
  handle one = constant(r, 1, dtype::f32, dims({3})), square = a * a;
  handle out = reduce(op::reduce_sum, square + one, 1);
  r.finish({&out, 1});
  return r.result;
}
constexpr graph_sizes small_sizes = sizes_of(small_graph());
constexpr auto small_frozen = freeze<small_sizes>(small_graph());
static_assert(interpret(small_frozen, arrays(vector({1.0f, 2.0f, 3.0f})))[0] ==
              scalar_value(17.0f));

TEST(graph, freezes_and_thaws) {
  EXPECT_EQ(print(small_frozen), print(small_graph()));
  EXPECT_EQ(print(thaw(small_frozen)), print(small_graph()));
}

} // namespace
