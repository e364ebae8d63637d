// SPDX-License-Identifier: BSL-1.0
// Graphs over every width: sums, maxima, contractions, iotas, tables, loops, printing, folding.
#include "dense_values.hpp"

#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>
#include <weft/pass/pipeline.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace test;
using i8 = std::int8_t;
using u8 = std::uint8_t;
using u64 = std::uint64_t;

constexpr dense reduced(op code, dense const& x) { return node_value(code, x.type, {}, x, {1}); }
constexpr i8 small(int x) { return static_cast<i8>(x); }

static_assert(apply(op::add, {vector<i8>({127, -128}), vector<i8>({1, -1})}) ==
              vector<i8>({-128, 127}));
static_assert(apply(op::mul, {vector<u8>({16, 255}), vector<u8>({17, 255})}) ==
              vector<u8>({16, 1}));
static_assert(apply(op::div, {vector<double>({1, -1}), vector<double>({3, 0})}) ==
              vector<double>({1.0 / 3, -std::numeric_limits<double>::infinity()}));
static_assert(apply(op::convert, dtype::f16, {vector<double>({1 + 0x1p-11 + 0x1p-40})}) ==
              vector({f16(0x1.004p0f)}));
static_assert(apply(op::bitcast, dtype::u64, {vector<double>({1.0, 0.0})}) ==
              vector<u64>({0x3ff0000000000000u, 0}));

TEST(interpret_widths, sums) {
  EXPECT_EQ(reduced(op::reduce_sum, vector<i8>({100, 100, 100})), scalar_value(small(300 - 256)));
  EXPECT_EQ(reduced(op::reduce_sum, vector<u64>({~u64{0}, 5})), scalar_value(u64{4}));
  // 256 + 1 is 2048-ulp exact in float, and only the total is rounded to f16
  dense halves(dtype::f16, dims({512}), f16(1.0f).bits);
  halves[0] = f16(2048.0f).bits; // 2048 + 1 = 2048 in f16; 2559 rounds to 2560
  EXPECT_EQ(reduced(op::reduce_sum, halves), scalar_value(f16(2560.0f)));
  // f64 in the canonical order, in double
  dense x(dtype::f64, dims({200}));
  double lane[64];
  for (double& sum : lane) sum = -0.0;
  for (int i = 0; i < 200; ++i) {
    double const e = std::sin(i) * std::exp2(i % 40);
    x[i] = word_of(e);
    lane[i % 64] += e;
  }
  for (int half = 32; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
  EXPECT_EQ(reduced(op::reduce_sum, x), scalar_value(lane[0]));
  EXPECT_EQ(reduced(op::reduce_sum, dense(dtype::f64, dims({0}))), scalar_value(0.0));
}
TEST(interpret_widths, maxima) {
  EXPECT_EQ(reduced(op::reduce_max, vector<i8>({-3, -128})), scalar_value(small(-3)));
  EXPECT_EQ(reduced(op::reduce_max, vector<u64>({1, u64{1} << 63})), scalar_value(u64{1} << 63));
  EXPECT_EQ(reduced(op::reduce_max, dense(dtype::i8, dims({0}))), scalar_value(small(-128)));
  EXPECT_EQ(reduced(op::reduce_max, dense(dtype::i64, dims({0}))), scalar_value(INT64_MIN));
  EXPECT_EQ(reduced(op::reduce_max, dense(dtype::u16, dims({0}))), scalar_value(std::uint16_t{0}));
  EXPECT_EQ(reduced(op::reduce_max, dense(dtype::f64, dims({0}))),
            scalar_value(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(reduced(op::reduce_max, dense(dtype::f16, dims({0}))),
            scalar_value(f16::from_bits(0xfc00)));
}
TEST(interpret_widths, contractions) {
  contraction c;
  c.rank_a = c.rank_b = 1; // i,i->
  growing<extent> const labels = encode(c);
  auto product = [&](dense const& a, dense const& b, dtype out) {
    return value_of({a, b}, [&](recorder& r, view<handle> x) {
      return r.emit(op::contract, out, {}, x, labels);
    });
  };
  EXPECT_EQ(product(vector<i8>({100, 3}), vector<i8>({3, 5}), dtype::i8),
            scalar_value(small(315 - 256)));
  EXPECT_EQ(product(vector<u64>({u64{1} << 40, 1}), vector<u64>({u64{1} << 30, 7}), dtype::u64),
            scalar_value(u64{7}));
  dense const x = vector<double>({0.1, 0.2, 0.3}), y = vector<double>({1.1, 1.3, 1.7});
  EXPECT_EQ(product(x, y, dtype::f64),
            scalar_value(std::fma(0.3, 1.7, std::fma(0.2, 1.3, std::fma(0.1, 1.1, 0.0)))));
  dense const a = vector({f16(200.0f), f16(1.0f)}), b = vector({f16(200.0f), f16(1.0f)});
  EXPECT_EQ(product(a, b, dtype::f16), scalar_value(f16(40001.0f)));
  EXPECT_EQ(product(a, b, dtype::f32), scalar_value(40001.0f)); // the accumulation type
}
TEST(interpret_widths, iotas_wrap_and_round) {
  auto counted = [](dtype d, extent n) { return node_value(op::iota, d, dims({n}), {}, {0}); };
  dense const bytes = counted(dtype::u8, 300), halves = counted(dtype::f16, 2052);
  EXPECT_EQ(bytes[299], word{43});
  EXPECT_EQ(counted(dtype::i8, 200)[199], word_of(small(199 - 256)));
  EXPECT_EQ(element_of_word<f16>(halves[2049]), f16(2048.0f));
  EXPECT_EQ(counted(dtype::f64, 3), vector<double>({0, 1, 2}));
  EXPECT_EQ(counted(dtype::u64, 3), vector<u64>({0, 1, 2}));
}
// Constants of 64 bits, in an attribute and in a table; printed, folded, simplified.
TEST(interpret_widths, constants_keep_64_bits) {
  recorder r;
  handle const big = constant_bits(r, static_cast<extent>(~u64{0}), dtype::u64, dims({2}));
  r.result.constants.push(u64{1} << 63);
  r.result.constants.push(3);
  extent const at[] = {0, 0};
  handle const table = r.emit(op::constant, dtype::u64, dims({2}), {}, {at, 2});
  handle const third = constant(r, 1.0 / 3, dtype::f64, {});
  handle const outputs[] = {table + big, big * big, third * third, convert(third, dtype::f16)};
  r.finish({outputs, 4});
  EXPECT_FALSE(verify(r.result));
  EXPECT_EQ(print(r.result), "%0 = constant {18446744073709551615} : ui64(2)\n"
                             "%1 = constant {table 9223372036854775808 3} : ui64(2)\n"
                             "%2 = constant {0.3333333333333333} : f64()\n"
                             "%3 = add %1 %0 : ui64(2)\n%4 = mul %0 %0 : ui64(2)\n"
                             "%5 = mul %2 %2 : f64()\n%6 = convert %2 : f16()\n"
                             "return %3 %4 %5 %6\n");
  graph const better = optimise(r.result);
  EXPECT_FALSE(verify(better));
  for (graph_view g : {graph_view(r.result), graph_view(better)}) {
    growing<dense> const out = interpret(g, {});
    EXPECT_EQ(out[0], vector<u64>({(u64{1} << 63) - 1, 2}));
    EXPECT_EQ(out[1], vector<u64>({1, 1}));
    EXPECT_EQ(out[2], scalar_value(1.0 / 3 * (1.0 / 3)));
    EXPECT_EQ(out[3], scalar_value(f16(1.0 / 3)));
  }
  EXPECT_LT(better.nodes.size(), r.result.nodes.size());
}
TEST(interpret_widths, verify_refuses_bits_that_the_type_lacks) {
  auto is_sound = [](dtype d, extent bits) {
    recorder r;
    handle const x = constant_bits(r, bits, d, {});
    r.finish({&x, 1});
    return !verify(r.result);
  };
  EXPECT_TRUE(is_sound(dtype::u8, 255) && is_sound(dtype::f16, 0xffff) && is_sound(dtype::i64, -1));
  EXPECT_FALSE(is_sound(dtype::u8, 256) || is_sound(dtype::i16, 0x10000) ||
               is_sound(dtype::u32, -1));
}
TEST(interpret_widths, identities_of_every_type_are_removed) {
  for (int t = 0; t < dtype_count; ++t) {
    dtype const d = static_cast<dtype>(t);
    if (d == dtype::boolean) continue;
    recorder r;
    handle const x = r.input(d, dims({3}), {0, 0, false});
    handle const y = (x * constant(r, 1, d, dims({3}))) / constant(r, 1, d, dims({3}));
    dtype const through = is_float(d) ? dtype::f64 : dtype::u64;
    handle const z = convert(convert(y, through), d);
    r.finish({&z, 1});
    EXPECT_EQ(optimise(r.result).nodes.size(), 1) << name_of(d);
  }
}

} // namespace
