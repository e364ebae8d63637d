// SPDX-License-Identifier: BSL-1.0
// build: alone
// Generated from the op table: every elementwise op at every type it takes, over edge values and
// every length from 0 to 130 and one of many blocks, on the block executor against the definition.
#include "random/random_source.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/handle.hpp>
#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace test;
using weft::op;

// What arithmetic trips over, at each type.
std::vector<word> float_edges() {
  std::vector<float> positive = {0,
                                 1,
                                 0x1p-149f,
                                 0x1p-127f,
                                 0x1.fffffep-127f,
                                 0x1p-126f,
                                 0x1p-24f,
                                 0.5f,
                                 0x1.fffffep-1f,
                                 0x1.000002p+0f,
                                 1.5f,
                                 2.5f,
                                 3,
                                 0x1.62e43p-1f,
                                 8.7f,
                                 9.1f,
                                 88.7f,
                                 88.8f,
                                 103.9f,
                                 104.1f,
                                 255.5f,
                                 8388607.5f,
                                 0x1p+24f,
                                 0x1.fffffep+30f,
                                 0x1p+31f,
                                 0x1.fffffep+31f,
                                 0x1p+32f,
                                 0x1p+64f,
                                 0x1.fffffep+127f,
                                 INFINITY,
                                 NAN};
  std::vector<word> all;
  for (float x : positive)
    for (float sign : {1.0f, -1.0f}) all.push_back(weft::word_of(std::copysign(x, sign)));
  return all;
}
std::vector<word> double_edges() {
  std::vector<double> const more = {0x1p-1074,
                                    0x1.ffffffffffffep-1023,
                                    0x1p-1022,
                                    0x1.8p-150,
                                    0x1.fffffefp-127,
                                    0x1.0000000000001p+0,
                                    0x1.000001p+0,
                                    0x1.fffffffffffffp-1,
                                    709.7,
                                    709.8,
                                    745.2,
                                    65519.99,
                                    65520.0,
                                    0x1.fffffefp+127,
                                    0x1.ffffffp+127,
                                    0x1p+52,
                                    0x1.fffffffffffffp+52,
                                    0x1.fffffffffffffp+62,
                                    0x1p+63,
                                    0x1.fffffffffffffp+63,
                                    0x1.fffffffffffffp+1023};
  std::vector<word> all;
  for (word w : float_edges())
    all.push_back(weft::word_of(double{weft::element_of_word<float>(w)}));
  for (double x : more)
    for (double sign : {1.0, -1.0}) all.push_back(weft::word_of(x * sign));
  return all;
}
template <class T> std::vector<word> half_edges() {
  std::vector<word> all = {0x0001, 0x007f, 0x03ff, 0x0400, 0x3f81, 0x3c01, 0x7bff, 0x7f7f};
  for (word w : float_edges()) all.push_back(T(weft::element_of_word<float>(w)).bits);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
// 0 … 3, shift counts, extremes, what floats cannot hold.
std::vector<word> integer_edges(int bits) {
  word const top = word{1} << (bits - 1), mask = top | (top - 1);
  auto const width = static_cast<word>(bits);
  std::vector<word> all = {0,
                           1,
                           2,
                           3,
                           7,
                           width - 1,
                           width,
                           width + 1,
                           255,
                           65536,
                           16777217,
                           top,
                           top - 128,
                           top - 2,
                           top - 1,
                           top + 1,
                           ~word{128},
                           ~word{31},
                           ~word{1},
                           ~word{0},
                           0x7fffffff,
                           0x80000000,
                           0x80000001,
                           0xffffffff,
                           0x100000000,
                           0x0020000000000001,
                           0x7ffffffffffffdff,
                           0x8000000000000401};
  for (word& w : all) w &= mask;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
std::vector<word> edges(dtype d) {
  if (d == dtype::boolean) return {0, 1};
  if (weft::is_integer(d)) return integer_edges(8 * weft::size_of(d));
  if (d == dtype::f64) return double_edges();
  if (d == dtype::bf16) return half_edges<weft::bf16>();
  if (d == dtype::f16) return half_edges<weft::f16>();
  return float_edges();
}

// One op over arrays of n elements; every operand is a parameter, every result an output.
weft::graph one_op(op code, dtype from, dtype to) {
  weft::op_info const& info = weft::info_of(code);
  extents const shape{1, {weft::pack_name("n")}};
  weft::recorder r;
  growing<weft::handle> operands, outputs;
  for (int i = 0; i < info.arity; ++i) {
    bool const condition = i == 0 && info.result == weft::type_rule::choose;
    operands.push(r.input(condition ? dtype::boolean : from, shape, {i, 0, false}));
  }
  weft::handle const result = r.emit(code, to, shape, operands);
  if (weft::result_count(r.result, result.id) == 1) outputs.push(result);
  else
    for (int i = 0; i < 2; ++i) outputs.push(get(result, i, to, shape));
  r.finish(outputs);
  return r.result;
}

// Element i of operand k walks through the k-th digit of i in base `edges`: every pair of edge
// values meets where the array is as long as that; later operands start anywhere.
dense walk(dtype d, extent n, int k, extent base, extent from) {
  std::vector<word> const values = edges(d);
  dense x(d, {1, {n}});
  for (extent i = 0; i < n; ++i) {
    extent digit = i + from;
    for (int turn = 0; turn < k; ++turn) digit /= base;
    x[static_cast<int>(i)] = values[static_cast<std::size_t>(digit) % values.size()];
  }
  return x;
}

template <class Target>
testing::AssertionResult conforms(weft::graph const& g, dtype from, extent n, extent offset,
                                  block_runner<Target> const& blocks) {
  weft::cpu::serial here;
  growing<dense> inputs;
  auto const base = static_cast<extent>(edges(from).size());
  for (int i = 0; i < g.inputs.size(); ++i)
    inputs.push(walk(g[weft::graph_view(g).parameters_of(0)[i]].type, n, i, base, offset));
  return same_bits(static_cast<std::uint64_t>(n), g, blocks.run(inputs, here),
                   test::meaning_of(g, inputs));
}

struct op_case {
  op code;
  dtype from, to;
};
std::vector<op_case> every_case() {
  std::vector<op_case> all;
  for (int o = 0; o < weft::op_count; ++o)
    for (int from = 0; from < weft::dtype_count; ++from)
      for (int to = 0; to < weft::dtype_count; ++to) {
        op_case const c{static_cast<op>(o), static_cast<dtype>(from), static_cast<dtype>(to)};
        if (weft::is_elementwise(c.code) && weft::is_typed(c.code, c.from, c.to)) all.push_back(c);
      }
  return all;
}

class block_op : public testing::TestWithParam<op_case> {
protected:
  template <class Target> void run() const {
    auto const [code, from, to] = GetParam();
    weft::graph const g = one_op(code, from, to);
    ASSERT_FALSE(weft::verify(g)) << weft::print(g);
    block_runner<Target> const blocks(g, true);
    extent offset = 0;
    for (extent n = 0; n <= 130; offset += n++)
      ASSERT_TRUE(conforms(g, from, n, offset, blocks)) << "length " << n;
    auto const base = static_cast<extent>(edges(from).size());
    ASSERT_TRUE(conforms(g, from, g.inputs.size() < 3 ? base * base + 5 : 20011, 0, blocks));
  }
};
TEST_P(block_op, means_what_the_table_says) {
  run<weft::cpu::native_target>();
  if constexpr (!std::is_same_v<weft::cpu::native_target, weft::cpu::generic>)
    run<weft::cpu::generic>();
}
std::string name_of_case(testing::TestParamInfo<op_case> const& one) {
  auto const [code, from, to] = one.param;
  return std::string(weft::name_of(code)) + "_" + weft::name_of(from) + "_" + weft::name_of(to);
}
INSTANTIATE_TEST_SUITE_P(of_the_table, block_op, testing::ValuesIn(every_case()), name_of_case);

} // namespace
