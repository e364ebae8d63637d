// SPDX-License-Identifier: BSL-1.0
// Reductions, contractions and loops against values computed by hand or by an independent loop; the
// canonical order is seen where another order would round differently.
#include "dense_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace test;

constexpr float inf = std::numeric_limits<float>::infinity();

dense sum(dense const& x, extent axes = 1) {
  return node_value(op::reduce_sum, x.type, without_axes(x.shape, axes), {x}, {axes});
}
dense largest(dense const& x, extent axes = 1) {
  return node_value(op::reduce_max, x.type, without_axes(x.shape, axes), {x}, {axes});
}
// Numbers of many magnitudes: every order of additions has its own last bits.
std::vector<float> rough(int n) {
  std::vector<float> x;
  for (int i = 0; i < n; ++i)
    x.push_back(std::ldexp(1.0f + static_cast<float>(i * 37 % 101) / 101.0f, i * 7 % 23));
  return x;
}
dense dense_of(std::vector<float> const& x) {
  dense d(dtype::f32, {1, {static_cast<extent>(x.size())}});
  for (int i = 0; i < d.size(); ++i) d[i] = word_of(x[static_cast<unsigned>(i)]);
  return d;
}
// The rule of docs/numerics.md, written a second time over plain floats.
float tree(float* lane) {
  for (int half : {32, 16, 8, 4, 2, 1})
    for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
  return lane[0];
}
float block(float const* x, int n) {
  float lane[64];
  for (float& l : lane) l = -0.0f;
  for (int i = 0; i < n; ++i) lane[i % 64] += x[i];
  return tree(lane);
}
float canonical(std::vector<float> const& x) {
  int const n = static_cast<int>(x.size());
  if (n <= 16384) return block(x.data(), n);
  std::vector<float> blocks;
  for (int i = 0; i < n; i += 16384) blocks.push_back(block(x.data() + i, std::min(16384, n - i)));
  return canonical(blocks);
}

TEST(interpret_reduce, sum_has_the_canonical_order) {
  for (int n : {1, 63, 64, 65, 130, 1000, 16384, 16385, 40000})
    EXPECT_EQ(sum(dense_of(rough(n)))[0], word_of(canonical(rough(n)))) << n;
  float sequential = 0;
  for (float x : rough(1000)) sequential += x;
  EXPECT_NE(word_of(sequential), word_of(canonical(rough(1000)))); // the order can be seen
}
TEST(interpret_reduce, sum_of_nothing_and_of_minus_zero) {
  EXPECT_EQ(sum(dense(dtype::f32, dims({0}))), scalar_value(0.0f));
  EXPECT_EQ(sum(dense(dtype::f32, dims({2, 0, 3})), 2), dense(dtype::f32, dims({2, 3})));
  EXPECT_EQ(sum(vector({-0.0f, -0.0f})), scalar_value(-0.0f));
}
TEST(interpret_reduce, several_axes_are_one_reduction) {
  dense x = dense_of(rough(2 * 3 * 50));
  x.shape = dims({2, 3, 50});
  dense const rows = sum(x, 0b101); // axes 0 and 2: 100 elements, row-major
  for (int j = 0; j < 3; ++j) {
    std::vector<float> elements;
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 50; ++k)
        elements.push_back(element_of_word<float>(x[(i * 3 + j) * 50 + k]));
    EXPECT_EQ(rows[j], word_of(canonical(elements)));
  }
}
TEST(interpret_reduce, sums_of_other_types) {
  EXPECT_EQ(sum(vector({2147483647, 1, 5})), scalar_value(-2147483647 - 1 + 5));
  EXPECT_EQ(sum(vector({0xffffffffu, 3u})), scalar_value(2u));
  dense halves(dtype::bf16, dims({512}), bf16(1.0f).bits);
  halves[0] = bf16(256.0f).bits; // 256 + 1 = 256 in bf16; in float 767 is exact, then rounds to 768
  EXPECT_EQ(sum(halves), scalar_value(bf16(768.0f)));
}
TEST(interpret_reduce, max) {
  EXPECT_EQ(largest(vector({-3.0f, -1.0f, -2.0f})), scalar_value(-1.0f));
  EXPECT_EQ(largest(vector({-0.0f, 0.0f})), scalar_value(0.0f));
  EXPECT_TRUE(std::isnan(element_of_word<float>(largest(vector({1.0f, std::nanf(""), 2.0f}))[0])));
  EXPECT_EQ(largest(dense(dtype::f32, dims({0}))), scalar_value(-inf));
  EXPECT_EQ(largest(dense(dtype::i32, dims({0}))), scalar_value(-2147483647 - 1));
  EXPECT_EQ(largest(dense(dtype::boolean, dims({0}))), scalar_value(false));
  EXPECT_EQ(largest(dense(dtype::bf16, dims({0}))), scalar_value(bf16(-inf)));
  EXPECT_EQ(largest(array({2, 2}, {1, 7, 5, 3}), 2), vector({7, 5}));
}

// "ij,jk->ik" from letters.
contraction parse(std::string const& text, contract_order order = contract_order::chain) {
  contraction c;
  c.order = order;
  std::size_t i = 0;
  for (; text[i] != ','; ++i) c.a[c.rank_a++] = text[i];
  for (++i; text[i] != '-'; ++i) c.b[c.rank_b++] = text[i];
  for (i += 2; i < text.size(); ++i) c.out[c.rank_out++] = text[i];
  return c;
}
dense product(contraction c, dtype type, arrays const& operands) {
  return value_of(operands, [&](recorder&, view<handle> x) {
    handle const last = c.has_bias ? x.back() : handle{};
    return contract(x[0], x[1], c, type, c.has_start ? x[2] : handle{}, last);
  });
}

TEST(interpret_contract, small_products) {
  dense const a = array({2, 3}, {1, 2, 3, 4, 5, 6}), b = array({3, 2}, {1, 0, 0, 1, 1, 1});
  EXPECT_EQ(product(parse("ij,jk->ik"), dtype::i32, {a, b}), array({2, 2}, {4, 5, 10, 11}));
  EXPECT_EQ(product(parse("ij,jk->ki"), dtype::i32, {a, b}), array({2, 2}, {4, 10, 5, 11}));
  EXPECT_EQ(product(parse("ij,ij->i"), dtype::i32, {a, a}), vector({14, 77}));
  EXPECT_EQ(product(parse("i,j->ij"), dtype::i32, {vector({1, 2}), vector({3, 4})}),
            array({2, 2}, {3, 4, 6, 8}));
  EXPECT_EQ(product(parse("i,i->", contract_order::lanes), dtype::f32,
                    {vector({1.0f, 2.0f}), vector({3.0f, 4.0f})}),
            scalar_value(11.0f));
}
TEST(interpret_contract, chain_and_lanes) {
  std::vector<float> const x = rough(200), y = rough(200);
  float chain = 0, lane[64] = {};
  for (unsigned i = 0; i < 200; ++i) {
    chain = std::fma(x[i], y[199 - i], chain);
    lane[i % 64] = std::fma(x[i], y[199 - i], lane[i % 64]);
  }
  std::vector<float> const back(y.rbegin(), y.rend());
  float const lanes = tree(lane);
  EXPECT_NE(word_of(chain), word_of(lanes));
  EXPECT_EQ(product(parse("i,i->"), dtype::f32, {dense_of(x), dense_of(back)})[0], word_of(chain));
  EXPECT_EQ(
      product(parse("i,i->", contract_order::lanes), dtype::f32, {dense_of(x), dense_of(back)})[0],
      word_of(lanes));
}
// Contracted labels run in a's order, whatever b's is: (i, j), j innermost.
TEST(interpret_contract, first_appearance_is_outermost) {
  std::vector<float> const x = rough(12), y = rough(15);
  dense a = dense_of(x), b = dense_of(std::vector<float>(y.begin(), y.begin() + 12));
  a.shape = dims({3, 4}), b.shape = dims({4, 3});
  float chain = 0;
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 4; ++j) chain = std::fma(x[i * 4 + j], y[j * 3 + i], chain);
  EXPECT_EQ(product(parse("ij,ji->"), dtype::f32, {a, b})[0], word_of(chain));
}
TEST(interpret_contract, start_bias_and_empty) {
  contraction c = parse("ij,jk->ik");
  c.has_start = c.has_bias = true;
  dense const a = array({1, 2}, {1.0f, 2.0f}), b = array({2, 1}, {3.0f, 4.0f});
  EXPECT_EQ(product(c, dtype::f32, {a, b, array({1, 1}, {100.0f}), array({1, 1}, {0.5f})}),
            array({1, 1}, {111.5f}));
  EXPECT_EQ(product(parse("ij,jk->ik"), dtype::f32,
                    {dense(dtype::f32, dims({2, 0})), dense(dtype::f32, dims({0, 1}))}),
            array({2, 1}, {0.0f, 0.0f}));
}
TEST(interpret_contract, bf16_rounds_once) {
  dense const a = vector({bf16(1.0f), bf16(1.0f)}), b = vector({bf16(1.0f), bf16(0x1p-8f)});
  EXPECT_EQ(product(parse("i,i->"), dtype::f32, {a, b}), scalar_value(1.00390625f));
  EXPECT_EQ(product(parse("i,i->"), dtype::bf16, {a, b}), scalar_value(bf16(1.0f)));
  contraction c = parse("i,i->");
  c.has_bias = true; // 1 + 2^-8 + 2^-8 rounds once, to 1 + 2^-7
  EXPECT_EQ(product(c, dtype::bf16, {a, b, scalar_value(bf16(0x1p-8f))}),
            scalar_value(bf16(1.0078125f)));
}

// carry' = 2 carry + x + k (k captured), y = carry'
growing<dense> horner(arrays const& in, extent length, bool reverse) {
  recorder r;
  growing<handle> const h = inputs_for(r, in);
  int const body = r.begin_body();
  handle carry = r.parameter(dtype::i32, {}), x = r.parameter(dtype::i32, {});
  handle next = carry + carry + x + h[2];
  handle outs[] = {next, next};
  growing<handle> operands;
  operands.append(growing<handle>(view<handle>(h).part(0, 2)));
  operands.append(r.end_body(body, {outs, 2}));
  handle s = r.emit(op::scan, dtype::i32, {}, operands, encode(loop{1, 1, 1, length, reverse}),
                    body);
  r.set_owner(body, s.id);
  handle results[] = {get(s, 0, dtype::i32, {}), get(s, 1, dtype::i32, {1, {length}})};
  r.finish({results, 2});
  return interpret(r.result, in);
}
TEST(interpret_scan, forward_backward_and_empty) {
  arrays const in{scalar_value(1), vector({1, 2, 3}), scalar_value(10)};
  growing<dense> const forward = horner(in, 3, false); // 13, 38, 89
  EXPECT_EQ(forward[0], scalar_value(89));
  EXPECT_EQ(forward[1], vector({13, 38, 89}));
  growing<dense> const backward = horner(in, 3, true); // 15, 42, 95, stored from the end
  EXPECT_EQ(backward[0], scalar_value(95));
  EXPECT_EQ(backward[1], vector({95, 42, 15}));
  growing<dense> const empty = horner(
      arrays(scalar_value(1), dense(dtype::i32, dims({0})), scalar_value(10)), 0, false);
  EXPECT_EQ(empty[0], scalar_value(1));
  EXPECT_EQ(empty[1], dense(dtype::i32, dims({0})));
}

// ---- inputs
graph sum_of_two(extents const& first, extents const& second) {
  recorder r;
  handle a = r.input(dtype::f32, first, {0, 0, false}),
         b = r.input(dtype::f32, second, {4, 0, false});
  handle outs[] = {a, b};
  r.finish({outs, 2});
  return r.result;
}
std::string error_of(graph_view g, arrays const& inputs) {
  try {
    interpret(g, inputs);
  } catch (weft::error const& e) {
    return e.what();
  }
  return "";
}
TEST(interpret, says_what_is_wrong_with_inputs) {
  extent const rows = pack_name("rows");
  graph const g = sum_of_two(dims({rows, 2}), dims({rows, 3}));
  auto zeros = [](std::initializer_list<extent> s) { return dense(dtype::f32, dims(s)); };
  EXPECT_EQ(error_of(g, arrays(zeros({24, 2}), zeros({24, 3}))), "");
  EXPECT_EQ(error_of(g, arrays(zeros({24, 2}), zeros({23, 3}))),
            "weft: argument 4 axis 0 (rows) is 23, expected 24");
  EXPECT_EQ(error_of(g, arrays(zeros({24, 2}), zeros({24, 4}))),
            "weft: argument 4 axis 1 is 4, expected 3");
  EXPECT_EQ(error_of(g, arrays(zeros({24, 2}), zeros({24}))),
            "weft: argument 4 has shape (24), expected (rows, 3)");
  EXPECT_EQ(error_of(g, arrays(zeros({24, 2}))),
            "weft: interpret: 1 arguments given, the program has 2");
  EXPECT_EQ(error_of(g, arrays(zeros({24, 2}), dense(dtype::i32, dims({24, 3})))),
            "weft: argument 4 is i32, expected f32");
}

} // namespace
