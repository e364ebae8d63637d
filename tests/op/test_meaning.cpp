// SPDX-License-Identifier: BSL-1.0
// Every rule of op/meaning.hpp, in constant evaluation; conversions against C++ and by table.
#include <weft/op/meaning.hpp>

#include <op/numbers.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace {

namespace meaning = weft::meaning;
using namespace weft::scalar;
using numbers::infinity, numbers::nan;

constexpr std::uint32_t bits_of(f32 x) { return bits(x).value; }
constexpr bool is_nan(f32 x) { return !(x == x).value; }
constexpr i32 lowest{INT32_MIN}, highest{INT32_MAX};

// maximum and minimum: NaN wins from either side, -0 < +0 in either order
static_assert(is_nan(meaning::maximum(f32(nan), f32(1.0f))) &&
              is_nan(meaning::maximum(f32(1.0f), f32(nan))));
static_assert(is_nan(meaning::minimum(f32(nan), f32(1.0f))) &&
              is_nan(meaning::minimum(f32(1.0f), f32(nan))));
static_assert(is_nan(meaning::maximum(f32(nan), f32(infinity))) &&
              is_nan(meaning::minimum(f32(-infinity), f32(nan))));
static_assert(bits_of(meaning::maximum(f32(-0.0f), f32(0.0f))) == 0u);
static_assert(bits_of(meaning::maximum(f32(0.0f), f32(-0.0f))) == 0u);
static_assert(bits_of(meaning::maximum(f32(-0.0f), f32(-0.0f))) == 0x80000000u);
static_assert(bits_of(meaning::minimum(f32(-0.0f), f32(0.0f))) == 0x80000000u);
static_assert(bits_of(meaning::minimum(f32(0.0f), f32(-0.0f))) == 0x80000000u);
static_assert(bits_of(meaning::minimum(f32(0.0f), f32(0.0f))) == 0u);
static_assert(meaning::maximum(f32(-2.0f), f32(-3.0f)).value == -2.0f &&
              meaning::minimum(f32(2.0f), f32(3.0f)).value == 2.0f);
static_assert(meaning::maximum(i32(-1), i32(1)).value == 1 &&
              meaning::maximum(u32(~0u), u32(1u)).value == ~0u);
static_assert(meaning::minimum(i32(-1), i32(1)).value == -1 &&
              meaning::minimum(u32(~0u), u32(1u)).value == 1u);
static_assert(meaning::maximum(mask(true), mask(false)).value &&
              !meaning::minimum(mask(true), mask(false)).value);

// integer division, negation, absolute value
static_assert(meaning::div(i32(7), i32(0)).value == -1 && meaning::div(i32(0), i32(0)).value == -1);
static_assert(meaning::div(u32(7u), u32(0u)).value == ~0u &&
              meaning::div(u32(7u), u32(2u)).value == 3u);
static_assert(meaning::div(lowest, i32(-1)).value == INT32_MIN &&
              meaning::div(lowest, i32(0)).value == -1);
static_assert(meaning::div(i32(-7), i32(2)).value == -3 &&
              meaning::div(i32(7), i32(-1)).value == -7);
static_assert(meaning::neg(lowest).value == INT32_MIN && meaning::abs(lowest).value == INT32_MIN);
static_assert(meaning::abs(i32(-5)).value == 5 && meaning::neg(u32(1u)).value == ~0u &&
              meaning::abs(u32(~0u)).value == ~0u);
static_assert(meaning::add(highest, i32(1)).value == INT32_MIN &&
              meaning::mul(u32(0x10000u), u32(0x10000u)).value == 0u);
static_assert(bits_of(meaning::neg(f32(0.0f))) == 0x80000000u &&
              bits_of(meaning::abs(f32(-0.0f))) == 0u);

// comparisons
static_assert(!meaning::equal(f32(nan), f32(nan)).value &&
              meaning::not_equal(f32(nan), f32(nan)).value);
static_assert(!meaning::less_equal(f32(nan), f32(0.0f)).value &&
              !meaning::greater_equal(f32(nan), f32(0.0f)).value);
static_assert(meaning::equal(f32(0.0f), f32(-0.0f)).value &&
              !meaning::less(f32(-0.0f), f32(0.0f)).value);
static_assert(meaning::less(i32(-1), i32(0)).value && meaning::greater(u32(~0u), u32(0u)).value);
static_assert(meaning::less_equal(u32(1u), u32(1u)).value &&
              meaning::greater_equal(i32(1), i32(1)).value);
static_assert(meaning::equal(mask(false), mask(false)).value &&
              meaning::not_equal(mask(true), mask(false)).value);
static_assert(meaning::select(mask(false), i32(1), i32(2)).value == 2 &&
              meaning::select(mask(true), mask(false), mask(true)).value == false);

// bits and shifts
static_assert(meaning::bit_and(i32(-1), i32(6)).value == 6 &&
              meaning::bit_or(i32(-8), i32(1)).value == -7);
static_assert(meaning::bit_xor(u32(5u), u32(1u)).value == 4u &&
              meaning::bit_not(i32(0)).value == -1);
static_assert(meaning::bit_xor(mask(true), mask(true)).value == false &&
              meaning::bit_not(mask(false)).value);
static_assert(meaning::bit_and(mask(true), mask(false)).value == false &&
              meaning::bit_or(mask(true), mask(false)).value);
static_assert(meaning::shift_left(i32(1), i32(31)).value == INT32_MIN &&
              meaning::shift_left(i32(1), i32(32)).value == 0);
static_assert(meaning::shift_left(u32(~0u), u32(~0u)).value == 0u &&
              meaning::shift_left(i32(1), i32(-1)).value == 0);
static_assert(meaning::shift_right_logical(i32(-1), i32(31)).value == 1 &&
              meaning::shift_right_logical(i32(-1), i32(32)).value == 0);
static_assert(meaning::shift_right_logical(u32(8u), u32(3u)).value == 1u &&
              meaning::shift_right_logical(u32(8u), u32(64u)).value == 0u);
static_assert(meaning::shift_right_arithmetic(i32(-8), i32(1)).value == -4 &&
              meaning::shift_right_arithmetic(i32(-8), i32(99)).value == -1);
static_assert(meaning::shift_right_arithmetic(i32(8), i32(-1)).value == 0 &&
              meaning::shift_right_arithmetic(lowest, i32(-1)).value == -1);
static_assert(meaning::shift_right_arithmetic(u32(0x80000000u), u32(40u)).value == ~0u);

// conversions
template <class To, class From> constexpr auto convert(From x) {
  return meaning::convert_to<To>(x).value;
}
static_assert(convert<i32>(f32(2.9f)) == 2 && convert<i32>(f32(-2.9f)) == -2 &&
              convert<i32>(f32(nan)) == 0);
static_assert(convert<i32>(f32(0x1p+31f)) == INT32_MAX &&
              convert<i32>(f32(0x1.fffffep+30f)) == 0x7fffff80);
static_assert(convert<i32>(f32(-0x1p+31f)) == INT32_MIN &&
              convert<i32>(f32(-0x1.000002p+31f)) == INT32_MIN);
static_assert(convert<i32>(f32(infinity)) == INT32_MAX &&
              convert<i32>(f32(-infinity)) == INT32_MIN);
static_assert(convert<u32>(f32(2.9f)) == 2u && convert<u32>(f32(-2.9f)) == 0u &&
              convert<u32>(f32(nan)) == 0u);
static_assert(convert<u32>(f32(0x1p+32f)) == ~0u &&
              convert<u32>(f32(0x1.fffffep+31f)) == 0xffffff00u);
static_assert(convert<u32>(f32(0x1p+31f)) == 0x80000000u && convert<u32>(f32(infinity)) == ~0u &&
              convert<u32>(f32(-infinity)) == 0u);
static_assert(convert<f32>(i32(16777217)) == 0x1p+24f &&
              convert<f32>(i32(16777219)) == 0x1.000004p+24f);
static_assert(convert<f32>(u32(~0u)) == 0x1p+32f && convert<f32>(lowest) == -0x1p+31f);
static_assert(convert<mask>(f32(nan)) && convert<mask>(f32(0x1p-149f)) &&
              !convert<mask>(f32(-0.0f)));
static_assert(convert<mask>(i32(-1)) && !convert<mask>(u32(0u)) && convert<mask>(lowest));
static_assert(convert<f32>(mask(true)) == 1.0f && convert<i32>(mask(true)) == 1 &&
              convert<u32>(mask(false)) == 0u);
static_assert(convert<u32>(i32(-1)) == ~0u && convert<i32>(u32(~0u)) == -1 &&
              convert<mask>(mask(true)));

// bitcasts: a NaN that becomes an integer is canonical, nothing else changes
static_assert(meaning::bitcast_to<u32>(f32(-1.5f)).value == 0xbfc00000u);
static_assert(meaning::bitcast_to<u32>(f32(std::bit_cast<float>(0xffc12345u))).value ==
              0x7fc00000u);
static_assert(meaning::bitcast_to<i32>(f32(std::bit_cast<float>(0x7f812345u))).value == 0x7fc00000);
static_assert(meaning::bitcast_to<i32>(f32(-0.0f)).value == INT32_MIN);
static_assert(meaning::bitcast_to<f32>(u32(0x3f800000u)).value == 1.0f &&
              meaning::bitcast_to<f32>(lowest).value == 0.0f);
static_assert(meaning::bitcast_to<i32>(u32(~0u)).value == -1 &&
              meaning::bitcast_to<u32>(i32(-1)).value == ~0u);

static_assert(meaning::fma(f32(2.0f), f32(3.0f), f32(4.0f)).value == 10.0f &&
              meaning::sqrt(f32(9.0f)).value == 3.0f);

TEST(meaning, float_to_integer_saturates_everywhere) {
  auto expected = [](double x, double low, double high) {
    return std::isnan(x) ? 0.0 : std::fmin(std::fmax(std::trunc(x), low), high);
  };
  numbers::for_each_float([&](float x) {
    auto const i = meaning::convert_to<i32>(f32(x)).value;
    auto const u = meaning::convert_to<u32>(f32(x)).value;
    ASSERT_EQ(static_cast<double>(i), expected(static_cast<double>(x), -0x1p+31, 0x1p+31 - 1)) << x;
    ASSERT_EQ(static_cast<double>(u), expected(static_cast<double>(x), 0, 0x1p+32 - 1)) << x;
  });
}

} // namespace
