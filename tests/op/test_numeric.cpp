// SPDX-License-Identifier: BSL-1.0
// Soft float equals the hardware; the scalar world is constexpr, wraps, and never contracts.
#include <weft/op/numeric.hpp>

#include <op/numbers.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace {

namespace soft = weft::detail::soft;
using namespace weft::scalar;
using numbers::same;

static_assert(weft::world_float<f32> && weft::world_int<i32> && weft::world_uint<u32>);
static_assert(weft::world_mask<mask> && !weft::world_number<mask>);

// What hardware constant evaluation refuses.
static_assert((f32(0x1p+127f) * f32(2.0f)).value == numbers::infinity);
static_assert((f32(1.0f) / f32(-0.0f)).value == -numbers::infinity);
static_assert((f32(0.0f) / f32(0.0f) == f32(0.0f)).value == false);
static_assert(bits(sqrt(f32(-1.0f))).value == 0x7fc00000u);
static_assert(fma(f32(0x1.000002p+0f), f32(0x1.000002p+0f), f32(-0x1.000004p+0f)).value ==
              0x1p-46f);
static_assert((f32(0x1p-100f) * f32(0x1p-49f)).value == 0x1p-149f);
static_assert((f32(0x1p-100f) * f32(0x1p-50f)).value == 0.0f);        // a tie goes to even
static_assert((f32(0x1p-100f) * f32(0x1.8p-50f)).value == 0x1p-149f); // above it, away
static_assert(to_float(i32(0x7fffffff)).value == 0x1p+31f);
static_assert(to_float(u32(0x01000001u)).value == 0x1p+24f);
static_assert(to_float(u32(0x01000003u)).value == 0x1.000004p+24f);
static_assert(to_int(f32(-3.99f)).value == -3 &&
              to_uint(f32(0x1.fffffep+31f)).value == 0xffffff00u);
static_assert(to_int(f32(-0x1p+31f)).value == INT32_MIN && to_int(f32(0x1p-149f)).value == 0);

// Integers wrap.
static_assert((i32(INT32_MAX) + i32(1)).value == INT32_MIN);
static_assert((i32(INT32_MIN) * i32(-1)).value == INT32_MIN &&
              (-i32(INT32_MIN)).value == INT32_MIN);
static_assert(sar(i32(-5), 1).value == -3 && sarv(i32(INT32_MIN), u32(31u)).value == -1);
static_assert((i32(-7) / i32(2)).value == -3 && (i32(-7) % i32(2)).value == -1);
static_assert(rotl(u32(0x80000001u), 4).value == 0x18u);

// The second operand on NaN and on ties.
static_assert(bits(min(f32(-0.0f), f32(0.0f))).value == 0u);
static_assert(bits(max(f32(0.0f), f32(-0.0f))).value == 0x80000000u);
static_assert(max(f32(numbers::nan), f32(1.0f)).value == 1.0f);

static_assert(when(
                  mask(true), [] { return f32(1.0f); }, f32(2.0f))
                  .value == 1.0f);
static_assert(call(
                  "twice", [](f32 x) { return x + x; }, f32(2.0f))
                  .value == 4.0f);

void expect_same(float soft_result, float hardware, char const* op, float a, float b, float c) {
  EXPECT_TRUE(same(soft_result, hardware))
      << op << std::hexfloat << '(' << a << ", " << b << ", " << c << "): soft " << soft_result
      << ", hardware " << hardware;
}

void compare_with_hardware(float a, float b, float c) {
  float const volatile x = a, y = b, z = c; // one rounding per operation, whatever the flags
  float const volatile added = x + y, taken = x - y, product = x * y, quotient = x / y;
  expect_same(soft::add(a, b), added, "add", a, b, c);
  expect_same(soft::sub(a, b), taken, "sub", a, b, c);
  expect_same(soft::mul(a, b), product, "mul", a, b, c);
  expect_same(soft::div(a, b), quotient, "div", a, b, c);
  expect_same(soft::fma(a, b, c), std::fma(x, y, z), "fma", a, b, c);
  expect_same(weft::detail::fused(a, b, c), std::fma(x, y, z), "fused", a, b, c);
  expect_same(soft::sqrt(a), std::sqrt(x), "sqrt", a, b, c);
}

TEST(soft_float, equals_hardware_on_special_values) {
  for (float a : numbers::special_floats)
    for (float b : numbers::special_floats)
      for (float c : numbers::special_floats) compare_with_hardware(a, b, c);
}

TEST(soft_float, equals_hardware_on_hard_values) {
  numbers::generator draw;
  for (int k = 0; k < 1'000'000; ++k) {
    float const a = draw.hard_float(), b = draw.hard_float();
    // c near -a*b half of the time: cancellation.
    float const near = std::bit_cast<float>(std::bit_cast<std::uint32_t>(-a * b) + draw.word() % 5);
    compare_with_hardware(a, b, (k & 1) != 0 ? near : draw.hard_float());
    if (HasFailure()) return;
  }
  for (int k = 0; k < 1'000'000 && !HasFailure(); ++k)
    compare_with_hardware(draw.any_float(), draw.any_float(), draw.any_float());
}

TEST(soft_float, converts_integers_like_hardware) {
  numbers::generator draw;
  for (int k = 0; k < 1'000'000 && !HasFailure(); ++k) {
    std::uint32_t const w = draw.word() >> (draw.word() % 32);
    auto const n = static_cast<std::int32_t>(draw.word()) >> (draw.word() % 32);
    EXPECT_EQ(soft::from_uint(w), static_cast<float>(w)) << w;
    EXPECT_EQ(soft::from_int(n), static_cast<float>(n)) << n;
    float const x = static_cast<float>(n) * 0.37f, y = static_cast<float>(w) * 0.37f;
    EXPECT_EQ(soft::to_int(x), static_cast<std::int32_t>(x)) << x;
    EXPECT_EQ(soft::to_uint(y), static_cast<std::uint32_t>(y)) << y;
  }
}

// The compiler must see neither where the operands come from nor what the sum is compared with.
WEFT_NOINLINE f32 multiply_then_add(f32 a, f32 b, f32 c) { return a * b + c; }
WEFT_NOINLINE f32 add_to_product(f32 a, f32 b, f32 c) { return c + a * b; }
WEFT_NOINLINE f32 subtract_product(f32 a, f32 b, f32 c) { return c - a * b; }
WEFT_NOINLINE f32 multiply(f32 a, f32 b) { return a * b; }

TEST(scalar, product_and_sum_are_two_roundings) {
  numbers::generator draw;
  int fused_differs = 0;
  for (int k = 0; k < 1000; ++k) {
    f32 const a(draw.hard_float()), b(draw.hard_float()), c = -multiply(a, b);
    EXPECT_EQ(multiply_then_add(a, b, c).value, 0.0f);
    EXPECT_EQ(add_to_product(a, b, c).value, 0.0f);
    EXPECT_EQ(subtract_product(a, b, -c).value, 0.0f);
    fused_differs += fma(a, b, c).value != 0.0f;
  }
  EXPECT_GT(fused_differs, 100); // else the operands could not tell
}

} // namespace
