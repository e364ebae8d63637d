// SPDX-License-Identifier: BSL-1.0
// bf16 and f16: conversions from float, double and integers against the definition; ties,
// subnormals, overflow, NaN; the golden table.
#include "op/exact.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <string>

namespace {

using namespace test;
using weft::bf16, weft::f16;

constexpr float from_bits(std::uint32_t b) { return std::bit_cast<float>(b); }

// f16: ties go to even, 65520 is the first that overflows, 2^-25 the last that is zero
static_assert(f16(1.0f).bits == 0x3c00 && f16(-2.0f).bits == 0xc000 && f16(-0.0f).bits == 0x8000);
static_assert(f16(0x1.002p0f).bits == 0x3c00 && f16(0x1.006p0f).bits == 0x3c02);
static_assert(f16(0x1.002002p0f).bits == 0x3c01 && f16(0x1.001ffep0f).bits == 0x3c00);
static_assert(f16(65504.0f).bits == 0x7bff && f16(65519.996f).bits == 0x7bff);
static_assert(f16(65520.0f).bits == 0x7c00 && f16(-1e30f).bits == 0xfc00);
static_assert(f16(0x1p-14f).bits == 0x0400 && f16(0x1.ffbp-15f).bits == 0x03ff);
static_assert(f16(0x1.ffcp-15f).bits == 0x0400 && f16(0x1p-24f).bits == 1);
static_assert(f16(0x1p-25f).bits == 0 && f16(0x1.000002p-25f).bits == 1);
static_assert(f16(0x1.8p-24f).bits == 2 && f16(-0x1p-30f).bits == 0x8000);
static_assert(f16(from_bits(0x7fc00000u)).bits == 0x7e00 &&
              f16(from_bits(0xff800001u)).bits == 0xfe00);
static_assert(f16(from_bits(0x7f802000u)).bits == 0x7e01); // quiet, upper payload kept
static_assert(float(f16::from_bits(0x0001)) == 0x1p-24f &&
              float(f16::from_bits(0x03ff)) == 0x1.ff8p-15f);
static_assert(float(f16::from_bits(0x7c00)) == from_bits(0x7f800000u) &&
              float(f16::from_bits(0x7bff)) == 65504.0f);
static_assert(f16(0.0f) == f16(-0.0f) && !(f16::from_bits(0x7e00) == f16::from_bits(0x7e00)));
// one rounding: through float these would be ties
static_assert(f16(1.0 + 0x1p-11 + 0x1p-40).bits == 0x3c01 &&
              f16(1.0 + 0x3p-11 - 0x1p-40).bits == 0x3c01);
static_assert(bf16(1.0 + 0x1p-8 + 0x1p-40).bits == 0x3f81 &&
              bf16(1.0 + 0x3p-8 - 0x1p-40).bits == 0x3f81);
static_assert(f16(0x1p-25 + 0x1p-60).bits == 1 && bf16(0x1p-134 + 0x1p-170).bits == 1);
static_assert(bf16(0x1p-134).bits == 0 && bf16(0x1.ffp127).bits == 0x7f80 &&
              bf16(1e300).bits == 0x7f80);
static_assert(bf16(16777216 + 65536 + 1).bits == 0x4b81 && bf16(16777216 + 65536).bits == 0x4b80);
static_assert(f16((1 << 15) + (1 << 4) + 1).bits == f16(32800).bits && f16(65520).bits == 0x7c00);
static_assert(f16(std::int64_t{-9223372036854775807} - 1).bits == 0xfc00 &&
              bf16(~std::uint64_t{0}).bits == 0x5f80);
static_assert(f16(true).bits == 0x3c00 && f16(std::int8_t{-128}).bits == 0xd800);

template <class Half, class X> void expect_nearest(X x, dtype d) {
  Half const got(x);
  auto const exact = static_cast<long double>(x);
  if (std::isnan(exact)) {
    EXPECT_FALSE(got == got);
    EXPECT_NE(got.bits & (d == dtype::f16 ? 0x200 : 0x40), 0); // quiet
    return;
  }
  long double const nearest = rounded(exact, d);
  ASSERT_EQ(static_cast<long double>(static_cast<float>(got)), nearest) << exact;
  if (!std::is_integral_v<X>) {
    ASSERT_EQ(got.bits >> 15, std::signbit(exact)) << exact;
  }
}
template <class Half> void expect_all(dtype d) {
  std::uint32_t const infinity = d == dtype::f16 ? 0x7c00 : 0x7f80;
  for (std::uint32_t b = 0; b < 0x10000u; ++b) {
    Half const h = Half::from_bits(static_cast<std::uint16_t>(b));
    auto const x = static_cast<float>(h);
    std::uint32_t const quiet = d == dtype::f16 ? 0x200 : 0x40;
    ASSERT_EQ(Half(x).bits, std::isnan(x) ? b | quiet : b);
    ASSERT_EQ(Half(static_cast<double>(x)).bits, Half(x).bits);
    if ((b & 0x7fffu) >= infinity) continue;
    // the tie above, and what is next to it
    auto const next = static_cast<float>(Half::from_bits(static_cast<std::uint16_t>(b + 1)));
    bool const last = (b & 0x7fffu) + 1 == infinity;
    double const gap = last ? std::ldexp(1.0, d == dtype::f16 ? 5 : 120) : 0;
    double const tie = last ? x + std::copysign(gap / 2, x) : (static_cast<double>(x) + next) / 2;
    for (double y : {std::nextafter(tie, 0.0), tie, std::nextafter(tie, 2 * tie)}) {
      expect_nearest<Half>(y, d);
      expect_nearest<Half>(static_cast<float>(y), d);
    }
  }
  for (std::uint64_t b = 0; b <= 0xffffffffu; b += 4099)
    expect_nearest<Half>(from_bits(static_cast<std::uint32_t>(b)), d);
  for (dtype from : {dtype::i64, dtype::u64, dtype::i32, dtype::i16, dtype::u8})
    for (word w : edge_words(from))
      weft::detail::with_dtype(from, [&]<dtype D>() {
        if constexpr (weft::is_integer(D))
          expect_nearest<Half>(weft::element_of_word<weft::storage_of<D>>(w), d);
      });
}
TEST(half, f16_is_the_nearest) { expect_all<f16>(dtype::f16); }
TEST(half, bf16_is_the_nearest) { expect_all<bf16>(dtype::bf16); }

template <class Half> void expect_golden(char const* name) {
  std::string const path = std::string(WEFT_SHARED_DIR "/golden/ops/") + name;
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) GTEST_SKIP() << "no " << path;
  char line[200];
  int rows = 0;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (unsigned x = 0, y = 0; std::sscanf(line, "{%xu, %xu}", &x, &y) == 2) {
      ++rows;
      EXPECT_EQ(Half(from_bits(x)).bits, y) << line;
    }
  std::fclose(file);
  EXPECT_GT(rows, 100);
}
TEST(half, golden_f16) { expect_golden<f16>("f32_to_f16.inc"); }
TEST(half, golden_bf16) { expect_golden<bf16>("f32_to_bf16.inc"); }

// names, sizes and the ways between C++ types and tags
static_assert(weft::dtype_of<std::uint64_t> == dtype::u64 && weft::dtype_of<f16> == dtype::f16);
static_assert(std::is_same_v<weft::storage_of<dtype::i16>, std::int16_t>);
static_assert(weft::element<double> && !weft::element<long double> && !weft::element<char>);
static_assert(weft::size_of(dtype::f64) == 8 && weft::size_of(dtype::u16) == 2);
static_assert(weft::compute_of(dtype::i8) == dtype::i32 &&
              weft::accumulator_of(dtype::f16) == dtype::f32);
static_assert(weft::is_half(dtype::f16) && !weft::is_half(dtype::u16) && weft::is_wide(dtype::i64));
static_assert(weft::word_of(std::int8_t{-1}) == 0xff &&
              weft::element_of_word<std::int8_t>(0xff) == -1);

} // namespace
