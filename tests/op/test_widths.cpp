// SPDX-License-Identifier: BSL-1.0
// build: alone
// Integers of every width and conversions between all types, three ways: the meaning in the type
// itself (as executors run it), the interpreter's function of words, and a definition of its own
// here, in 128-bit integers and long double. 8 bits: every pair of operands.
#include "exact.hpp"

#include <weft/graph/interpret_elementwise.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace {

using namespace test;
using weft::op;

__extension__ typedef __int128 int128;

int128 integer_of(word w, dtype d) {
  return weft::is_signed(d) ? int128{static_cast<std::int64_t>(w << (64 - 8 * weft::size_of(d)))} >>
                                  (64 - 8 * weft::size_of(d))
                            : int128{w};
}
word wrap(int128 x, dtype d) { return static_cast<word>(x) & weft::detail::storage_mask(d); }

// What op o means on integers.
word expected(op o, dtype d, word x, word y) {
  int const width = 8 * weft::size_of(d);
  int128 const a = integer_of(x, d), b = integer_of(y, d);
  int128 const sign_extended = weft::is_signed(d)            ? a
                               : (x >> (width - 1) & 1) != 0 ? a - (int128{1} << width)
                                                             : a;
  bool const fits = y < static_cast<word>(width);
  switch (o) {
    case op::add: return wrap(a + b, d);
    case op::sub: return wrap(a - b, d);
    case op::mul: return wrap(a * b, d);
    case op::div: return b == 0 ? wrap(-1, d) : wrap(a / b, d);
    case op::neg: return wrap(-a, d);
    case op::abs: return wrap(a < 0 ? -a : a, d);
    case op::maximum: return a < b ? y : x;
    case op::minimum: return a < b ? x : y;
    case op::equal: return a == b;
    case op::not_equal: return a != b;
    case op::less: return a < b;
    case op::less_equal: return a <= b;
    case op::greater: return a > b;
    case op::greater_equal: return a >= b;
    case op::bit_and: return x & y;
    case op::bit_or: return x | y;
    case op::bit_xor: return x ^ y;
    case op::bit_not: return wrap(~x, d);
    case op::shift_left: return fits ? wrap(static_cast<int128>(x << y), d) : 0;
    case op::shift_right_logical: return fits ? x >> y : 0;
    case op::shift_right_arithmetic:
      return wrap(sign_extended >> (fits ? static_cast<int>(y) : width - 1), d);
    default: ADD_FAILURE(); return 0;
  }
}

// The bits of a result, whose value is extended: nothing above its width.
template <dtype D, class T> word stored(T const& x) {
  word const w = weft::detail::write_word<D>(x);
  if constexpr (weft::is_narrow_int<T>) {
    EXPECT_EQ(weft::detail::read_word<D>(w).value.value, x.value.value) << weft::name_of(D);
  }
  return w;
}
template <op O, dtype D> word in_own_type(word x, word y) {
  using weft::row, weft::detail::read_word;
  constexpr dtype out = row<O>::info.result == weft::type_rule::compare ? dtype::boolean : D;
  if constexpr (row<O>::info.arity == 1) return stored<out>(row<O>::meaning(read_word<D>(x)));
  else return stored<out>(row<O>::meaning(read_word<D>(x), read_word<D>(y)));
}
void expect_op(op code, dtype d, word (*own_type)(word, word), std::vector<word> const& words) {
  bool const compares = weft::info_of(code).result == weft::type_rule::compare;
  auto const interpreted = weft::word_function_of(code, d, compares ? dtype::boolean : d);
  ASSERT_TRUE(interpreted);
  for (word x : words)
    for (word y : words) {
      word const operands[2] = {x, y}, right = expected(code, d, x, y);
      word result[2]{};
      interpreted(operands, result);
      ASSERT_EQ(result[0], right) << weft::name_of(code) << ' ' << weft::name_of(d) << ' ' << x
                                  << ' ' << y << " interpreted";
      ASSERT_EQ(own_type(x, y), right)
          << weft::name_of(code) << ' ' << weft::name_of(d) << ' ' << x << ' ' << y;
    }
}
template <dtype D, op... O> void expect_ops() {
  std::vector<word> words = edge_words(D);
  if (weft::size_of(D) == 1) {
    words.clear();
    for (word w = 0; w < 256; ++w) words.push_back(w);
  }
  (expect_op(O, D, &in_own_type<O, D>, words), ...);
}
template <dtype D> void expect_integer() {
  expect_ops<D, op::add, op::sub, op::mul, op::div, op::neg, op::abs, op::maximum, op::minimum,
             op::equal, op::not_equal, op::less, op::less_equal, op::greater, op::greater_equal,
             op::bit_and, op::bit_or, op::bit_xor, op::bit_not, op::shift_left,
             op::shift_right_logical, op::shift_right_arithmetic>();
}
TEST(widths, integers) {
  expect_integer<dtype::i8>();
  expect_integer<dtype::i16>();
  expect_integer<dtype::i32>();
  expect_integer<dtype::i64>();
  expect_integer<dtype::u8>();
  expect_integer<dtype::u16>();
  expect_integer<dtype::u32>();
  expect_integer<dtype::u64>();
}

// conversions
bool is_nan(word w, dtype d) { return weft::is_float(d) && std::isnan(value_of(w, d)); }

template <dtype From, dtype To> word convert_in_own_type(word x) {
  using weft::detail::read_word;
  return stored<To>(weft::row<op::convert>::meaning<From, To>(read_word<From>(x)));
}
void expect_conversion(dtype from, dtype to, word (*own_type)(word)) {
  auto const interpreted = weft::word_function_of(op::convert, from, to);
  std::vector<word> words = edge_words(from);
  if (weft::size_of(from) <= 2 && from != dtype::boolean) {
    words.clear();
    for (word w = 0; w <= weft::detail::storage_mask(from); ++w) words.push_back(w);
  }
  for (word x : words) {
    word result[2]{};
    interpreted(&x, result);
    word const own = own_type(x);
    long double const right = converted(value_of(x, from), from, to);
    auto const where = [&] {
      return std::string(weft::name_of(from)) + " to " + weft::name_of(to) + " of " +
             std::to_string(x);
    };
    if (std::isnan(right)) {
      ASSERT_TRUE(is_nan(result[0], to) && is_nan(own, to)) << where();
      continue;
    }
    word const bits = word_of_value(right, to);
    ASSERT_EQ(result[0], bits) << where() << " interpreted";
    ASSERT_EQ(own, bits) << where();
  }
}
template <int... Pair> void expect_conversions(std::integer_sequence<int, Pair...>) {
  (expect_conversion(static_cast<dtype>(Pair / weft::dtype_count),
                     static_cast<dtype>(Pair % weft::dtype_count),
                     &convert_in_own_type<static_cast<dtype>(Pair / weft::dtype_count),
                                          static_cast<dtype>(Pair % weft::dtype_count)>),
   ...);
}
TEST(widths, conversions) {
  expect_conversions(std::make_integer_sequence<int, weft::dtype_count * weft::dtype_count>{});
}

// bitcasts: the bits; of a NaN, those of the quiet one
template <dtype From, dtype To> void expect_bitcast() {
  if constexpr (weft::is_typed(op::bitcast, From, To)) {
    using weft::detail::read_word, weft::detail::write_word;
    auto const interpreted = weft::word_function_of(op::bitcast, From, To);
    for (word x : edge_words(From)) {
      word result[2]{};
      interpreted(&x, result);
      word const quiet = word_of_value(std::numeric_limits<long double>::quiet_NaN(), From);
      word const right = From != To && is_nan(x, From) ? quiet & weft::detail::storage_mask(To) >> 1
                                                       : x;
      ASSERT_EQ(result[0], right) << weft::name_of(From) << ' ' << weft::name_of(To);
      word const own = write_word<To>(
          weft::row<op::bitcast>::meaning<From, To>(read_word<From>(x)));
      if (is_nan(right, To)) {
        ASSERT_TRUE(is_nan(own, To));
      } else {
        ASSERT_EQ(own, right) << weft::name_of(From) << ' ' << weft::name_of(To) << ' ' << x;
      }
    }
  }
}
template <int... Pair> void expect_bitcasts(std::integer_sequence<int, Pair...>) {
  (expect_bitcast<static_cast<dtype>(Pair / weft::dtype_count),
                  static_cast<dtype>(Pair % weft::dtype_count)>(),
   ...);
}
TEST(widths, bitcasts) {
  expect_bitcasts(std::make_integer_sequence<int, weft::dtype_count * weft::dtype_count>{});
  EXPECT_FALSE(weft::word_function_of(op::bitcast, dtype::f16, dtype::i8));
  EXPECT_TRUE(weft::word_function_of(op::bitcast, dtype::f16, dtype::bf16));
}

// In constant evaluation too.
namespace meaning = weft::meaning;
using namespace weft::scalar;
using i8 = weft::narrow_int<i32, 8>;
using u8 = weft::narrow_int<u32, 8>;
static_assert(meaning::div(i8(-128), i8(-1)).value.value == -128);
static_assert(meaning::div(u8(7), u8(0)).value.value == 255u);
static_assert(meaning::shift_right_logical(i8(-1), i8(1)).value.value == 127);
static_assert(meaning::shift_right_arithmetic(u8(128), u8(200)).value.value == 255u);
static_assert(meaning::neg(u64(1u)).value == ~std::uint64_t{0});
static_assert(meaning::shift_left(i64(1), i64(63)).value == INT64_MIN);
static_assert(meaning::maximum(f64(-0.0), f64(0.0)).value == 0);
static_assert(meaning::convert<dtype::f64, dtype::i8>(f64(-1e300)).value.value == -128);
static_assert(meaning::convert<dtype::f64, dtype::f16>(f64(1 + 0x1p-11 + 0x1p-40)).value ==
              0x1.004p0f);
static_assert(meaning::convert<dtype::i32, dtype::bf16>(i32(16842753)).value == 0x1.02p24f);
static_assert(meaning::convert<dtype::u64, dtype::f32>(u64(0x4000004000000001u)).value ==
              0x1.000002p62f);
static_assert(meaning::convert<dtype::i8, dtype::u64>(i8(-1)).value == ~std::uint64_t{0});
static_assert(meaning::bitcast<dtype::u16, dtype::f16>(weft::narrow_int<u32, 16>(0x3c01)).value ==
              0x1.004p0f);

} // namespace
