// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Texts of 64-bit, 8-bit and 16-bit types: golden ones, and OpenCL C that a compiler accepts
// (clang-16, where it is installed) for every op of every type and every conversion.
#include "text_functions.hpp"

#include <weft/op/meaning.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace {

namespace meaning = weft::meaning;
namespace text = weft::opencl::text;
using text::body, text::program, text::f32, text::i32, text::f64, text::i64, text::u64;
using weft::dtype, weft::is_half, weft::is_narrow_int;

using test::functions, test::operand, test::text_of;

template <class T> void add_numbers(functions& to) {
  to.add<T, T>([](T a, T b) { return meaning::add(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::sub(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::mul(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::div(a, b); });
  to.add<T>([](T a) { return meaning::neg(a); });
  to.add<T>([](T a) { return meaning::abs(a); });
  to.add<T, T>([](T a, T b) { return meaning::maximum(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::minimum(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::less_equal(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::not_equal(a, b); });
  to.add<text::mask, T, T>([](text::mask c, T a, T b) { return meaning::select(c, a, b); });
}
template <class T> void add_integers(functions& to) {
  to.add<T, T>([](T a, T b) { return meaning::bit_and(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::bit_or(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::bit_xor(a, b); });
  to.add<T>([](T a) { return meaning::bit_not(a); });
  to.add<T, T>([](T a, T b) { return meaning::shift_left(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::shift_right_logical(a, b); });
  to.add<T, T>([](T a, T b) { return meaning::shift_right_arithmetic(a, b); });
}
void add_floats(functions& to) {
  to.add<f64, f64, f64>([](f64 a, f64 b, f64 c) { return meaning::fma(a, b, c); });
  to.add<f64>([](f64 a) { return meaning::sqrt(a); });
  to.add<f64>([](f64 a) { return meaning::exp(a); });
  to.add<f64>([](f64 a) { return meaning::log(a); });
  to.add<f64>([](f64 a) { return meaning::tanh(a); });
  to.add<f64>([](f64 a) { return meaning::sigmoid(a); });
}
template <dtype From, dtype To> void add_conversion(functions& to) {
  using T = text_of<From>;
  if constexpr (From != To) to.add<T>([](T a) { return meaning::convert<From, To>(a); });
  if constexpr (From != To && From != dtype::boolean && To != dtype::boolean &&
                weft::size_of(From) == weft::size_of(To))
    to.add<T>([](T a) { return meaning::bitcast<From, To>(a); });
}
template <int... Pair> void add_conversions(functions& to, std::integer_sequence<int, Pair...>) {
  (add_conversion<static_cast<dtype>(Pair / weft::dtype_count),
                  static_cast<dtype>(Pair % weft::dtype_count)>(to),
   ...);
}
template <dtype... D> void add_types(functions& to) {
  (add_numbers<text_of<D>>(to), ...);
  ((weft::is_integer(D) ? add_integers<std::conditional_t<weft::is_integer(D), text_of<D>, i32>>(to)
                        : void()),
   ...);
}

TEST(text_wide, writes_literals_and_primitives) {
  program p;
  body b(p);
  EXPECT_EQ(name(f64(0.1)), "0x1.999999999999ap-4");
  EXPECT_EQ(name(f64(-std::numeric_limits<double>::infinity())), "as_double(0xfff0000000000000ul)");
  EXPECT_EQ(name(i64(-7)), "(-7l)");
  EXPECT_EQ(name(i64(INT64_MIN)), "as_long(0x8000000000000000ul)");
  EXPECT_EQ(name(u64(~std::uint64_t{0})), "18446744073709551615ul");
  i64 const n = b.value<i64>("n");
  narrow(-(n + n));
  EXPECT_EQ(b.text(), "  const long t0 = as_long(as_ulong(n) + as_ulong(n));\n"
                      "  const long t1 = as_long(0ul - as_ulong(t0));\n"
                      "  const int t2 = as_int((uint)as_ulong(t1));\n");
}
TEST(text_wide, wraps_narrow_integers) {
  program p;
  body b(p);
  using i8 = text_of<dtype::i8>;
  i8 const x = operand<i8>(b, "x");
  meaning::add(x, x);
  EXPECT_EQ(b.text(), "  const int t0 = as_int(as_uint(x) + as_uint(x));\n"
                      "  const uint t1 = as_uint(t0);\n  const uint t2 = t1 << 24;\n"
                      "  const int t3 = as_int(t2);\n  const int t4 = t3 >> 24;\n");
}
// In the locale C.
TEST(text_wide, writes_doubles_as_printf_does) {
  using limits = std::numeric_limits<double>;
  for (double x : {0.0, -0.0, 1.0, -1.5, 0.1, -1e300, limits::max(), limits::min(),
                   limits::denorm_min(), -limits::min() / 3}) {
    program p;
    body b(p);
    char expected[40];
    std::snprintf(expected, sizeof expected, std::signbit(x) ? "(%a)" : "%a", x);
    EXPECT_EQ(b.name(f64(x).id), expected);
  }
}
TEST(text_wide, writes_every_meaning_in_opencl_c) {
  functions all;
  add_types<dtype::f64, dtype::i8, dtype::i16, dtype::i64, dtype::u8, dtype::u16, dtype::u64>(all);
  add_floats(all);
  add_conversions(all, std::make_integer_sequence<int, weft::dtype_count * weft::dtype_count>{});
  EXPECT_EQ(all.count, 7 * 11 + 6 * 7 + 6 + 13 * 12 + 12 + 2 * 6 + 2);
  EXPECT_EQ(all.text.find('$'), std::string::npos);
  if (!test::has_opencl_compiler()) GTEST_SKIP() << "clang-16 is not installed";
  EXPECT_TRUE(test::compiles(all)) << all.text;
}

} // namespace
