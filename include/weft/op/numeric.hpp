// SPDX-License-Identifier: BSL-1.0
// The primitives that every op is written over, and their scalar world (constexpr and run time).
// A world is seven types that name each other: f (float32), i (int32), u (uint32), the same of 64
// bits, and one mask m. Worlds: weft::scalar here and in op/numeric_wide.hpp, weft::cpu packs
// (cpu/pack.hpp), weft::opencl::text (opencl/text.hpp). An op is a template over F; F::u, F::i, F::m
// are its companions of its own width, F::wide and F::narrow those of 64 and of 32 bits (a type of
// that width is its own), and the primitives are found by ADL:
//   construct f(float) i(int32_t) u(uint32_t) m(bool), explicit: the same value in every lane; wide:
//       f(double) i(int64_t) u(uint64_t)
//   f   + - * / unary- fma sqrt abs min max < <= ==     rounded to nearest even, subnormals kept;
//       a product is never contracted with a sum; min(a,b) = a<b ? a : b, max(a,b) = b<a ? a : b,
//       so the second operand wins on NaN and on ties
//   i   + - * unary- / % sar(x, int) sarv(x, u) < <= ==   wraps around; / and % truncate
//   u   + - * / % & | ^ ~ shl(x, int) shr(x, int) rotl(x, int) shlv(x, u) shrv(x, u) < <= ==
//   m   & | ^ ! ==
//   bits(f)->u  as_float(u)->f  as_uint(i)->u  as_int(u)->i         the same bits, the same width
//   to_float(i | u)->f  nearest even     to_int(f)->i  to_uint(f)->u  truncate
//   widen(f32 | i32 | u32)   the same value in 64 bits
//   narrow(f64)->f32  nearest even       narrow(i64)->i32  narrow(u64)->u32  the low bits
//   select(m, x, y)             x where m, else y; x and y of any one kind
//   when(m, rare, common)       rare() where m, else common; rare runs only if some lane wants it
//   call("name", function, x...)   function(x...), a helper function in generated text
//   times_power_of_two(f x, f n)   x 2^n, n an integer, rounded once; only where a world has it
//   ordered_max(f, f)  ordered_min(f, f)   the ops maximum and minimum; the same
// Needs of a caller: shift counts below the width (rotl: not 0), divisors not 0, no lowest / -1, floats
// within the integer's range; outside of these a lane's result is unspecified.
// Leaves: scalar results equal in constant evaluation and at run time, NaN payloads aside.
#pragma once

#include <weft/core/config.hpp>
#include <weft/op/soft_float.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

static_assert(__FLT_EVAL_METHOD__ == 0,
              "weft: float arithmetic must round to float; on x86 use SSE");

namespace weft::inline v0 {

// Kinds, whatever the world and the width.
template <class T> concept world_float = std::same_as<T, typename T::f>;
template <class T> concept world_int = std::same_as<T, typename T::i>;
template <class T> concept world_uint = std::same_as<T, typename T::u>;
template <class T> concept world_mask = std::same_as<T, typename T::m>;
template <class T> concept world_integer = world_int<T> || world_uint<T>;
template <class T> concept world_number = world_float<T> || world_integer<T>;
template <class T> concept world_value = world_number<T> || world_mask<T>;

// Two words, the result of a counter-based generator.
template <world_uint U> struct word_pair {
  U first, second;
};

namespace detail {

// A product, float or vector, that no compiler may contract with a later sum: an empty asm
// "changes" it, at no cost. g++ contracts by default, even through intrinsics, and knows no pragma
// against it; clang does with -ffp-contract=fast, in spite of its pragma.
// (__builtin_assoc_barrier of g++ would take a vector apart.)
template <class T> WEFT_INLINE void keep_product([[maybe_unused]] T& product) {
#if defined(__x86_64__) && defined(__FMA__)
  asm("" : "+v"(product));
#elif defined(__aarch64__)
  asm("" : "+w"(product));
#elif !defined(__x86_64__) && !defined(__clang__)
  product = __builtin_assoc_barrier(product);
#endif
}

// fma at run time. Without the instruction: the product is exact in double, and the sum is rounded
// to odd, so that rounding it again to float is the only rounding that counts (Boldo, Melquiond:
// Emulation of FMA and correctly rounded sums, 2008). Faster than the library call, and inlines.
WEFT_INLINE float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(a, b, c);
#else
  double const p = static_cast<double>(a) * b, s = p + c, t = s - p;
  double const error = (p - (s - t)) + (c - t); // s + error = a * b + c, exactly
  auto odd = std::bit_cast<std::uint64_t>(s);
  if ((error < 0 || 0 < error) && (odd & 1) == 0) (error > 0) == (s > 0) ? ++odd : --odd;
  return static_cast<float>(std::bit_cast<double>(odd));
#endif
}

} // namespace detail

namespace scalar {

struct f32;
struct i32;
struct u32;
struct f64;
struct i64;
struct u64;

struct mask {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  bool value;
  mask() = default;
  constexpr explicit mask(bool x) : value(x) {}
};
struct u32 {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  using wide = u64;
  using narrow = u32;
  std::uint32_t value;
  u32() = default;
  constexpr explicit u32(std::uint32_t x) : value(x) {}
};
struct i32 {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  using wide = i64;
  using narrow = i32;
  std::int32_t value;
  i32() = default;
  constexpr explicit i32(std::int32_t x) : value(x) {}
  // Modulo 2^32.
  constexpr explicit i32(u32 x) : value(static_cast<std::int32_t>(x.value)) {}
};
struct f32 {
  using f = f32;
  using i = i32;
  using u = u32;
  using m = mask;
  using wide = f64;
  using narrow = f32;
  float value;
  f32() = default;
  constexpr explicit f32(float x) : value(x) {}
};

// float
WEFT_INLINE constexpr f32 operator+(f32 a, f32 b) {
  if (std::is_constant_evaluated()) return f32(detail::soft::add(a.value, b.value));
  return f32(a.value + b.value);
}
WEFT_INLINE constexpr f32 operator-(f32 a, f32 b) {
  if (std::is_constant_evaluated()) return f32(detail::soft::sub(a.value, b.value));
  return f32(a.value - b.value);
}
WEFT_INLINE constexpr f32 operator*(f32 a, f32 b) {
  if (std::is_constant_evaluated()) return f32(detail::soft::mul(a.value, b.value));
  float product = a.value * b.value;
  detail::keep_product(product);
  return f32(product);
}
WEFT_INLINE constexpr f32 operator/(f32 a, f32 b) {
  if (std::is_constant_evaluated()) return f32(detail::soft::div(a.value, b.value));
  return f32(a.value / b.value);
}
WEFT_INLINE constexpr f32 operator-(f32 a) { return f32(detail::soft::negate(a.value)); }
WEFT_INLINE constexpr f32 fma(f32 a, f32 b, f32 c) {
  if (std::is_constant_evaluated()) return f32(detail::soft::fma(a.value, b.value, c.value));
  return f32(detail::fused(a.value, b.value, c.value));
}
WEFT_INLINE constexpr f32 sqrt(f32 a) {
  if (std::is_constant_evaluated()) return f32(detail::soft::sqrt(a.value));
  return f32(__builtin_sqrtf(a.value));
}
WEFT_INLINE constexpr f32 abs(f32 a) {
  return f32(std::bit_cast<float>(std::bit_cast<std::uint32_t>(a.value) & 0x7fffffffu));
}
WEFT_INLINE constexpr f32 min(f32 a, f32 b) { return a.value < b.value ? a : b; }
WEFT_INLINE constexpr f32 max(f32 a, f32 b) { return b.value < a.value ? a : b; }
WEFT_INLINE constexpr mask operator<(f32 a, f32 b) { return mask(a.value < b.value); }
WEFT_INLINE constexpr mask operator<=(f32 a, f32 b) { return mask(a.value <= b.value); }
WEFT_INLINE constexpr mask operator==(f32 a, f32 b) { return mask(a.value == b.value); }

// uint32
WEFT_INLINE constexpr u32 operator+(u32 a, u32 b) { return u32(a.value + b.value); }
WEFT_INLINE constexpr u32 operator-(u32 a, u32 b) { return u32(a.value - b.value); }
WEFT_INLINE constexpr u32 operator*(u32 a, u32 b) { return u32(a.value * b.value); }
WEFT_INLINE constexpr u32 operator/(u32 a, u32 b) { return u32(a.value / b.value); }
WEFT_INLINE constexpr u32 operator%(u32 a, u32 b) { return u32(a.value % b.value); }
WEFT_INLINE constexpr u32 operator&(u32 a, u32 b) { return u32(a.value & b.value); }
WEFT_INLINE constexpr u32 operator|(u32 a, u32 b) { return u32(a.value | b.value); }
WEFT_INLINE constexpr u32 operator^(u32 a, u32 b) { return u32(a.value ^ b.value); }
WEFT_INLINE constexpr u32 operator~(u32 a) { return u32(~a.value); }
WEFT_INLINE constexpr u32 shl(u32 a, int n) { return u32(a.value << n); }
WEFT_INLINE constexpr u32 shr(u32 a, int n) { return u32(a.value >> n); }
WEFT_INLINE constexpr u32 rotl(u32 a, int n) { // any n, as std::rotl
  return u32(a.value << (n & 31) | a.value >> (-n & 31));
}
WEFT_INLINE constexpr u32 shlv(u32 a, u32 n) { return u32(a.value << n.value); }
WEFT_INLINE constexpr u32 shrv(u32 a, u32 n) { return u32(a.value >> n.value); }
WEFT_INLINE constexpr mask operator<(u32 a, u32 b) { return mask(a.value < b.value); }
WEFT_INLINE constexpr mask operator<=(u32 a, u32 b) { return mask(a.value <= b.value); }
WEFT_INLINE constexpr mask operator==(u32 a, u32 b) { return mask(a.value == b.value); }

// the same 32 bits
WEFT_INLINE constexpr u32 bits(f32 a) { return u32(std::bit_cast<std::uint32_t>(a.value)); }
WEFT_INLINE constexpr f32 as_float(u32 a) { return f32(std::bit_cast<float>(a.value)); }
WEFT_INLINE constexpr u32 as_uint(i32 a) { return u32(static_cast<std::uint32_t>(a.value)); }
WEFT_INLINE constexpr i32 as_int(u32 a) { return i32(a); }

// int32, by way of unsigned where it may wrap
WEFT_INLINE constexpr i32 operator+(i32 a, i32 b) { return i32(as_uint(a) + as_uint(b)); }
WEFT_INLINE constexpr i32 operator-(i32 a, i32 b) { return i32(as_uint(a) - as_uint(b)); }
WEFT_INLINE constexpr i32 operator*(i32 a, i32 b) { return i32(as_uint(a) * as_uint(b)); }
WEFT_INLINE constexpr i32 operator-(i32 a) { return i32(u32(0u) - as_uint(a)); }
WEFT_INLINE constexpr i32 operator/(i32 a, i32 b) { return i32(a.value / b.value); }
WEFT_INLINE constexpr i32 operator%(i32 a, i32 b) { return i32(a.value % b.value); }
WEFT_INLINE constexpr i32 sar(i32 a, int n) { return i32(a.value >> n); }
WEFT_INLINE constexpr i32 sarv(i32 a, u32 n) { return i32(a.value >> n.value); }
WEFT_INLINE constexpr mask operator<(i32 a, i32 b) { return mask(a.value < b.value); }
WEFT_INLINE constexpr mask operator<=(i32 a, i32 b) { return mask(a.value <= b.value); }
WEFT_INLINE constexpr mask operator==(i32 a, i32 b) { return mask(a.value == b.value); }

// conversions
WEFT_INLINE constexpr f32 to_float(i32 a) {
  if (std::is_constant_evaluated()) return f32(detail::soft::from_int(a.value));
  return f32(static_cast<float>(a.value));
}
WEFT_INLINE constexpr f32 to_float(u32 a) {
  if (std::is_constant_evaluated()) return f32(detail::soft::from_uint(a.value));
  return f32(static_cast<float>(a.value));
}
WEFT_INLINE constexpr i32 to_int(f32 a) {
  if (std::is_constant_evaluated()) return i32(detail::soft::to_int(a.value));
  return i32(static_cast<std::int32_t>(a.value));
}
WEFT_INLINE constexpr u32 to_uint(f32 a) {
  if (std::is_constant_evaluated()) return u32(detail::soft::to_uint(a.value));
  return u32(static_cast<std::uint32_t>(a.value));
}

// masks and choices
WEFT_INLINE constexpr mask operator&(mask a, mask b) { return mask(a.value && b.value); }
WEFT_INLINE constexpr mask operator|(mask a, mask b) { return mask(a.value || b.value); }
WEFT_INLINE constexpr mask operator^(mask a, mask b) { return mask(a.value != b.value); }
WEFT_INLINE constexpr mask operator!(mask a) { return mask(!a.value); }
WEFT_INLINE constexpr mask operator==(mask a, mask b) { return mask(a.value == b.value); }
WEFT_INLINE constexpr f32 select(mask m, f32 x, f32 y) { return m.value ? x : y; }
WEFT_INLINE constexpr i32 select(mask m, i32 x, i32 y) { return m.value ? x : y; }
WEFT_INLINE constexpr u32 select(mask m, u32 x, u32 y) { return m.value ? x : y; }
WEFT_INLINE constexpr mask select(mask m, mask x, mask y) { return m.value ? x : y; }

template <class Rare, world_value T>
WEFT_INLINE constexpr T when(mask m, Rare const& rare, T common) {
  return m.value ? rare() : common;
}
// A function of its own: definitions that use each other would be compiled again in every user.
template <class Function, class... T>
constexpr auto call(char const*, Function const& function, T... x) {
  return function(x...);
}

} // namespace scalar
} // namespace weft::inline v0
