// SPDX-License-Identifier: BSL-1.0
// number_limits and bits against the standard's, and the bits of elements of every type.
#include <weft/graph/handle.hpp>
#include <weft/op/numeric_wide.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace {

using namespace weft::detail;
using weft::bf16, weft::bits_of, weft::dtype, weft::f16;

template <class T>
constexpr bool as_the_standard = highest_number<T> == std::numeric_limits<T>::max() &&
                                 lowest_number<T> == std::numeric_limits<T>::min() &&
                                 value_digits<T> == std::numeric_limits<T>::digits;
static_assert(as_the_standard<bool> && as_the_standard<std::int8_t>);
static_assert(as_the_standard<std::int16_t> && as_the_standard<std::int32_t>);
static_assert(as_the_standard<std::int64_t> && as_the_standard<std::uint8_t>);
static_assert(as_the_standard<std::uint16_t> && as_the_standard<std::uint32_t>);
static_assert(as_the_standard<std::uint64_t>);
static_assert(value_digits<float> == 24 && value_digits<double> == 53);
static_assert(value_digits<f16> == 11 && value_digits<bf16> == 8);
static_assert(infinity_f32 == std::numeric_limits<float>::infinity() && nan_f64 != nan_f64);
static_assert(infinity_f64 == std::numeric_limits<double>::infinity());
static_assert(largest_f32 == std::numeric_limits<float>::max());
static_assert(largest_f64 == std::numeric_limits<double>::max());

constexpr bool bits_as_the_standard(std::uint64_t x) {
  return weft::detail::popcount(x) == std::popcount(x) &&
         weft::detail::countl_zero(x) == std::countl_zero(x) &&
         weft::detail::countr_zero(x) == std::countr_zero(x) &&
         weft::detail::bit_floor(x) == std::bit_floor(x);
}
TEST(numbers, bits_are_the_standards) {
  EXPECT_TRUE(bits_as_the_standard(0) && bits_as_the_standard(~std::uint64_t{0}));
  for (int k = 0; k < 64; ++k) {
    std::uint64_t const power = std::uint64_t{1} << k;
    for (std::uint64_t x : {power - 1, power, power + 1}) EXPECT_TRUE(bits_as_the_standard(x)) << x;
  }
}
TEST(numbers, rotl_is_the_standards) {
  for (int n = -70; n <= 70; ++n) {
    std::uint32_t const x = 0x80000123u;
    std::uint64_t const wide = 0x8000000000000123u;
    EXPECT_EQ(rotl(weft::scalar::u32(x), n).value, std::rotl(x, n)) << n;
    EXPECT_EQ(rotl(weft::scalar::u64(wide), n).value, std::rotl(wide, n)) << n;
  }
}

// A number as an element: floats are rounded once, integers wrap.
static_assert(bits_of(-1, dtype::u8) == 0xff && bits_of(-1, dtype::i8) == 0xff);
static_assert(bits_of(-1, dtype::u16) == 0xffff && bits_of(-1, dtype::i16) == 0xffff);
static_assert(bits_of(-1, dtype::u32) == 0xffffffff && bits_of(-1, dtype::i32) == 0xffffffff);
static_assert(bits_of(-1, dtype::u64) == -1 && bits_of(-1, dtype::i64) == -1);
static_assert(bits_of(0x1p63, dtype::u64) == lowest_number<std::int64_t>);
static_assert(bits_of(255, dtype::u8) == 255 && bits_of(256, dtype::u8) == 0);
static_assert(bits_of(255, dtype::i8) == 255 && bits_of(-128, dtype::i8) == 128);
static_assert(bits_of(0.5, dtype::boolean) == 1 && bits_of(-0.0, dtype::boolean) == 0);
static_assert(bits_of(1.5, dtype::f32) == 0x3fc00000);
static_assert(bits_of(1.5, dtype::f64) == 0x3ff8000000000000);
static_assert(bits_of(1.5, dtype::bf16) == 0x3fc0 && bits_of(1.5, dtype::f16) == 0x3e00);
static_assert(bits_of(1e9, dtype::f16) == 0x7c00);
static_assert(bits_of(0x1.010000001p0, dtype::bf16) == 0x3f81); // by way of float a tie

template <class T> constexpr bool words_hold(T x) {
  return weft::element_of_word<T>(weft::word_of(x)) == x;
}
static_assert(words_hold(true) && words_hold(std::int8_t(-128)) && words_hold(std::int16_t(-2)));
static_assert(words_hold(-3) && words_hold(std::int64_t(-4)) && words_hold(std::uint8_t(255)));
static_assert(words_hold(std::uint16_t(65535)) && words_hold(4000000000u));
static_assert(words_hold(~std::uint64_t{0}) && words_hold(-1.25f) && words_hold(1e300));
static_assert(weft::word_of(std::int8_t(-1)) == 255 && weft::word_of(f16(1.5f)) == 0x3e00);
static_assert(weft::element_of_word<bf16>(0x3fc0).bits == 0x3fc0);

} // namespace
