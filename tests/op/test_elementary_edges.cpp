// SPDX-License-Identifier: BSL-1.0
// build: alone
// Elementary functions at zeros, infinities and NaN; two-argument functions on random pairs; exact
// functions bit for bit; integers of every width; constant evaluation against run time.
#include <weft/graph/interpret.hpp>

#include <op/numbers.hpp>
#include <random/same_bits.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace {

using namespace weft::scalar;
using numbers::infinity, numbers::nan, numbers::same;
using weft::dtype, weft::op, weft::word;

// Constant evaluation, in integers.
template <op O> constexpr float one(float x) { return weft::row<O>::meaning(f32(x)).value; }
template <op O> constexpr float two(float x, float y) {
  return weft::row<O>::meaning(f32(x), f32(y)).value;
}
static_assert(one<op::exp2>(10.0f) == 1024.0f && one<op::exp2>(-149.0f) == 0x1p-149f);
static_assert(one<op::log2>(0x1p-149f) == -149.0f && one<op::log10>(1000.0f) == 3.0f);
static_assert(one<op::sin>(1e30f) == -0x1.951360p-1f);
static_assert(two<op::pow>(-2.0f, 3.0f) == -8.0f && two<op::pow>(0.0f, -1.0f) == infinity);
static_assert(two<op::remainder>(0x1p+100f, 3.0f) == 1.0f &&
              two<op::mod_floor>(-1.0f, 3.0f) == 2.0f);
static_assert(two<op::atan2>(0.0f, -1.0f) == 0x1.921fb6p+1f);
static_assert(one<op::round_even>(2.5f) == 2.0f && one<op::round_away>(2.5f) == 3.0f);
static_assert(one<op::floor>(-0.5f) == -1.0f && one<op::erf>(infinity) == 1.0f);
static_assert(weft::row<op::popcount>::meaning(u32(0xf0f0u)).value == 8u);
static_assert(weft::row<op::count_leading_zeros>::meaning(u32(1u)).value == 31u);

constexpr float edges[] = {0.0f,
                           -0.0f,
                           1.0f,
                           -1.0f,
                           infinity,
                           -infinity,
                           nan,
                           0x1p-149f,
                           -0x1p-149f,
                           0x1p-126f,
                           0x1.fffffep+127f,
                           -0x1.fffffep+127f,
                           2.0f,
                           -2.0f,
                           3.0f,
                           -3.0f,
                           0.5f,
                           -0.5f,
                           2.5f,
                           0x1p+23f,
                           0x1.000002p+23f,
                           0x1p+24f,
                           16777213.0f};

// Same class, same sign, within the row's ulp.
template <op O> void expect_like(float x, float y, double exact) {
  float const mine = two<O>(x, y);
  double const e = numbers::error_in_ulp(mine, exact);
  EXPECT_LE(e, weft::info_of(O).ulp) << weft::name_of(O) << '(' << x << ", " << y << ") = " << mine;
  if (!std::isnan(mine)) {
    EXPECT_EQ(std::signbit(mine), std::signbit(exact))
        << weft::name_of(O) << '(' << x << ", " << y << ')';
  }
}
// NumPy's mod, by its description.
double mod_floor(float x, float y) {
  double const r = std::fmod(x, y);
  if (r == 0) return std::copysign(0.0, static_cast<double>(y));
  return (r < 0) != (y < 0) ? r + static_cast<double>(y) : r;
}
void expect_all(float x, float y) {
  double const a = x, b = y;
  expect_like<op::pow>(x, y, std::pow(a, b));
  expect_like<op::atan2>(x, y, std::atan2(a, b));
  expect_like<op::hypot>(x, y, std::hypot(a, b));
  expect_like<op::copysign>(x, y, std::copysign(a, b == b ? b : 1)); // NaN has no sign
  EXPECT_TRUE(same(two<op::remainder>(x, y), std::fmod(x, y))) << x << ' ' << y;
  expect_like<op::mod_floor>(x, y, mod_floor(x, y));
}
TEST(elementary_edges, of_two_arguments) {
  for (float x : edges)
    for (float y : edges) expect_all(x, y);
  numbers::generator g;
  std::mt19937 bits(11);
  std::uniform_real_distribution<float> base(0.5f, 3.0f), exponent(-90.0f, 90.0f);
  for (int k = 0; k < 20000; ++k) {
    expect_all(g.any_float(), g.any_float());
    expect_all(g.hard_float(), g.hard_float());
    expect_all(base(bits), exponent(bits));
  }
}

// Scalars and packs make NaNs of either sign: nothing may read it.
TEST(elementary_edges, the_sign_of_a_nan_is_positive) {
  // floor_divide of a NaN is NaN, whatever sign it has.
  for (float const x : {nan, -nan})
    for (float const y : {infinity, -infinity})
      EXPECT_TRUE(std::isnan(two<op::floor_divide>(x, y)));
  EXPECT_EQ(two<op::copysign>(1.0f, nan), 1.0f);
  EXPECT_EQ(two<op::copysign>(-1.0f, -nan), 1.0f);
}

TEST(elementary_edges, of_one_argument) {
  struct value {
    float (*f)(float);
    float x, y;
  };
  value const values[] = {
      {one<op::exp2>, -infinity, 0},
      {one<op::exp2>, 128, infinity},
      {one<op::expm1>, -infinity, -1},
      {one<op::expm1>, -0.0f, -0.0f},
      {one<op::log1p>, -1, -infinity},
      {one<op::log1p>, -0.0f, -0.0f},
      {one<op::log1p>, -2, nan},
      {one<op::log2>, 0, -infinity},
      {one<op::log10>, -1, nan},
      {one<op::softplus>, -infinity, 0},
      {one<op::softplus>, infinity, infinity},
      {one<op::rsqrt>, -0.0f, -infinity},
      {one<op::rsqrt>, 0, infinity},
      {one<op::reciprocal>, -infinity, -0.0f},
      {one<op::cbrt>, -8, -2},
      {one<op::cbrt>, -0.0f, -0.0f},
      {one<op::sin>, -0.0f, -0.0f},
      {one<op::sin>, infinity, nan},
      {one<op::cos>, -infinity, nan},
      {one<op::tan>, -0.0f, -0.0f},
      {one<op::asin>, 1.5f, nan},
      {one<op::acos>, 1, 0},
      {one<op::acos>, -1, 0x1.921fb6p+1f},
      {one<op::atan>, -infinity, -0x1.921fb6p+0f},
      {one<op::sinh>, -infinity, -infinity},
      {one<op::cosh>, -infinity, infinity},
      {one<op::asinh>, -infinity, -infinity},
      {one<op::acosh>, 0.5f, nan},
      {one<op::acosh>, 1, 0},
      {one<op::atanh>, -1, -infinity},
      {one<op::atanh>, 2, nan},
      {one<op::erf>, -infinity, -1},
      {one<op::erfc>, -infinity, 2},
      {one<op::erfc>, infinity, 0},
      {one<op::erfinv>, -1, -infinity},
      {one<op::erfinv>, 2, nan},
      {one<op::gelu>, -infinity, -0.0f},
      {one<op::gelu>, infinity, infinity},
      {one<op::lgamma>, 0, infinity},
      {one<op::lgamma>, -3, infinity},
      {one<op::lgamma>, 1, 0},
      {one<op::lgamma>, 2, 0},
      {one<op::lgamma>, -infinity, infinity},
      {one<op::digamma>, 0, -infinity},
      {one<op::digamma>, -0.0f, infinity},
      {one<op::digamma>, -2, nan},
      {one<op::digamma>, infinity, infinity},
      {one<op::sign>, -0.0f, -0.0f},
      {one<op::sign>, -3, -1},
      {one<op::sign>, nan, nan},
  };
  for (value const& v : values)
    EXPECT_TRUE(same(v.f(v.x), v.y)) << &v - values << ": " << v.f(v.x) << " for " << v.y;
  for (op o : {op::exp2,       op::expm1,   op::log1p, op::log2, op::log10,  op::softplus,
               op::reciprocal, op::rsqrt,   op::cbrt,  op::sin,  op::cos,    op::tan,
               op::asin,       op::acos,    op::atan,  op::sinh, op::cosh,   op::asinh,
               op::acosh,      op::atanh,   op::erf,   op::erfc, op::erfinv, op::gelu,
               op::lgamma,     op::digamma, op::floor, op::ceil, op::trunc,  op::round_even,
               op::round_away, op::sign})
    for (auto [d, bits] : {std::pair{dtype::f32, word{0x7fc00000}},
                           {dtype::f64, 0x7ff8000000000000},
                           {dtype::bf16, 0x7fc0},
                           {dtype::f16, 0x7e00}}) {
      word const x[1] = {bits};
      word y[2]{};
      weft::word_function_of(o, d, d)(x, y);
      EXPECT_TRUE(test::is_nan(y[0], d)) << weft::name_of(o);
    }
}

TEST(elementary_edges, rounding_is_exact) {
  auto check = [](float x) {
    EXPECT_TRUE(same(one<op::floor>(x), std::floor(x))) << x;
    EXPECT_TRUE(same(one<op::ceil>(x), std::ceil(x))) << x;
    EXPECT_TRUE(same(one<op::trunc>(x), std::trunc(x))) << x;
    EXPECT_TRUE(same(one<op::round_even>(x), std::nearbyint(x))) << x;
    EXPECT_TRUE(same(one<op::round_away>(x), std::round(x))) << x;
    EXPECT_EQ(weft::row<op::is_finite>::meaning(f32(x)).value, std::isfinite(x));
    EXPECT_EQ(weft::row<op::is_nan>::meaning(f32(x)).value, std::isnan(x));
    EXPECT_EQ(weft::row<op::is_inf>::meaning(f32(x)).value, std::isinf(x));
  };
  for (std::uint32_t k = 0; k < (1u << 16); ++k) check(std::bit_cast<float>(k << 16));
  for (int k = -2000; k <= 2000; ++k) check(static_cast<float>(k) / 8);
  for (float x : numbers::special_floats) check(x);
  EXPECT_EQ(weft::row<op::remainder>::meaning(f64(0x1.fffffffffffffp+1023), f64(0x1.8p-1070)).value,
            std::fmod(0x1.fffffffffffffp+1023, 0x1.8p-1070));
}

// Every integer type against plain arithmetic on wide integers, on the interpreter's functions.
__extension__ using wide = __int128;
template <class T> void check_integers() {
  constexpr dtype d = weft::dtype_of<T>;
  auto apply = [](op o, T a, T b) {
    word const x[2] = {weft::word_of(a), weft::word_of(b)};
    word y[2]{};
    weft::word_function_of(o, d, d)(x, y);
    return weft::element_of_word<T>(y[0]);
  };
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  constexpr T all_bits = static_cast<T>(~std::uint64_t{0});
  std::vector<T> values = {low, static_cast<T>(low + 1), high, static_cast<T>(high - 1), all_bits};
  for (int k = 0; k < 12; ++k)
    values.push_back(static_cast<T>(k)), values.push_back(static_cast<T>(-k));
  for (T a : values)
    for (T b : values) {
      wide const x = a, y = b;
      wide const rest = y == 0 ? x : x % y, quotient = y == 0 ? -1 : x / y;
      bool const below = y != 0 && rest != 0 && (rest < 0) != (y < 0);
      EXPECT_EQ(apply(op::remainder, a, b), static_cast<T>(rest));
      EXPECT_EQ(apply(op::mod_floor, a, b), static_cast<T>(below ? rest + y : rest));
      EXPECT_EQ(apply(op::floor_divide, a, b), static_cast<T>(below ? quotient - 1 : quotient));
      if (y >= 20) continue;
      if (y >= 0) {
        std::uint64_t power = 1;
        for (int k = 0; k < y; ++k) power *= static_cast<std::uint64_t>(a);
        EXPECT_EQ(apply(op::pow, a, b), static_cast<T>(power));
      } else
        EXPECT_EQ(apply(op::pow, a, b), static_cast<T>(x == 1    ? 1
                                                       : x == -1 ? (y % 2 == 0 ? 1 : -1)
                                                                 : 0));
      EXPECT_EQ(apply(op::sign, a, a), static_cast<T>(x > 0 ? 1 : x < 0 ? -1 : 0));
      int set = 0, zeros = 0;
      for (int k = 0; k < static_cast<int>(8 * sizeof(T)); ++k) {
        bool const bit = ((static_cast<std::uint64_t>(a) >> k) & 1) != 0;
        set += bit, zeros = bit ? 0 : zeros + 1;
      }
      EXPECT_EQ(apply(op::popcount, a, a), static_cast<T>(set));
      EXPECT_EQ(apply(op::count_leading_zeros, a, a), static_cast<T>(zeros));
    }
}
TEST(elementary_edges, of_integers) {
  check_integers<std::int8_t>(), check_integers<std::uint8_t>(), check_integers<std::int16_t>();
  check_integers<std::uint16_t>(), check_integers<std::int32_t>(), check_integers<std::uint32_t>();
  check_integers<std::int64_t>(), check_integers<std::uint64_t>();
}

} // namespace
