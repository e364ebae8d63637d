// SPDX-License-Identifier: BSL-1.0
// The 64-bit half of the scalar world: f64, i64, u64, and the ways between the widths.
// Needs, leaves: op/numeric.hpp, whose list of primitives this completes.
#pragma once

#include <weft/op/numeric.hpp>

namespace weft::inline v0 {
namespace detail {

// fma of doubles at run time. Without the instruction: in integers, exact in every case.
WEFT_INLINE double fused(double a, double b, double c) {
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
  return __builtin_fma(a, b, c);
#else
  return soft::fma(a, b, c);
#endif
}

} // namespace detail

namespace scalar {

struct u64 {
  using f = f64;
  using i = i64;
  using u = u64;
  using m = mask;
  using wide = u64;
  using narrow = u32;
  std::uint64_t value;
  u64() = default;
  constexpr explicit u64(std::uint64_t x) : value(x) {}
};
struct i64 {
  using f = f64;
  using i = i64;
  using u = u64;
  using m = mask;
  using wide = i64;
  using narrow = i32;
  std::int64_t value;
  i64() = default;
  constexpr explicit i64(std::int64_t x) : value(x) {}
  // Modulo 2^64.
  constexpr explicit i64(u64 x) : value(static_cast<std::int64_t>(x.value)) {}
};
struct f64 {
  using f = f64;
  using i = i64;
  using u = u64;
  using m = mask;
  using wide = f64;
  using narrow = f32;
  double value;
  f64() = default;
  constexpr explicit f64(double x) : value(x) {}
};

// float
WEFT_INLINE constexpr f64 operator+(f64 a, f64 b) {
  if (std::is_constant_evaluated()) return f64(detail::soft::add(a.value, b.value));
  return f64(a.value + b.value);
}
WEFT_INLINE constexpr f64 operator-(f64 a, f64 b) {
  if (std::is_constant_evaluated()) return f64(detail::soft::sub(a.value, b.value));
  return f64(a.value - b.value);
}
WEFT_INLINE constexpr f64 operator*(f64 a, f64 b) {
  if (std::is_constant_evaluated()) return f64(detail::soft::mul(a.value, b.value));
  double product = a.value * b.value;
  detail::keep_product(product);
  return f64(product);
}
WEFT_INLINE constexpr f64 operator/(f64 a, f64 b) {
  if (std::is_constant_evaluated()) return f64(detail::soft::div(a.value, b.value));
  return f64(a.value / b.value);
}
WEFT_INLINE constexpr f64 operator-(f64 a) { return f64(detail::soft::negate(a.value)); }
WEFT_INLINE constexpr f64 fma(f64 a, f64 b, f64 c) {
  if (std::is_constant_evaluated()) return f64(detail::soft::fma(a.value, b.value, c.value));
  return f64(detail::fused(a.value, b.value, c.value));
}
WEFT_INLINE constexpr f64 sqrt(f64 a) {
  if (std::is_constant_evaluated()) return f64(detail::soft::sqrt(a.value));
  return f64(__builtin_sqrt(a.value));
}
WEFT_INLINE constexpr f64 abs(f64 a) {
  return f64(std::bit_cast<double>(detail::soft::magnitude_bits(a.value)));
}
WEFT_INLINE constexpr f64 min(f64 a, f64 b) { return a.value < b.value ? a : b; }
WEFT_INLINE constexpr f64 max(f64 a, f64 b) { return b.value < a.value ? a : b; }
WEFT_INLINE constexpr mask operator<(f64 a, f64 b) { return mask(a.value < b.value); }
WEFT_INLINE constexpr mask operator<=(f64 a, f64 b) { return mask(a.value <= b.value); }
WEFT_INLINE constexpr mask operator==(f64 a, f64 b) { return mask(a.value == b.value); }

// uint64
WEFT_INLINE constexpr u64 operator+(u64 a, u64 b) { return u64(a.value + b.value); }
WEFT_INLINE constexpr u64 operator-(u64 a, u64 b) { return u64(a.value - b.value); }
WEFT_INLINE constexpr u64 operator*(u64 a, u64 b) { return u64(a.value * b.value); }
WEFT_INLINE constexpr u64 operator/(u64 a, u64 b) { return u64(a.value / b.value); }
WEFT_INLINE constexpr u64 operator%(u64 a, u64 b) { return u64(a.value % b.value); }
WEFT_INLINE constexpr u64 operator&(u64 a, u64 b) { return u64(a.value & b.value); }
WEFT_INLINE constexpr u64 operator|(u64 a, u64 b) { return u64(a.value | b.value); }
WEFT_INLINE constexpr u64 operator^(u64 a, u64 b) { return u64(a.value ^ b.value); }
WEFT_INLINE constexpr u64 operator~(u64 a) { return u64(~a.value); }
WEFT_INLINE constexpr u64 shl(u64 a, int n) { return u64(a.value << n); }
WEFT_INLINE constexpr u64 shr(u64 a, int n) { return u64(a.value >> n); }
WEFT_INLINE constexpr u64 rotl(u64 a, int n) { // any n, as std::rotl
  return u64(a.value << (n & 63) | a.value >> (-n & 63));
}
WEFT_INLINE constexpr u64 shlv(u64 a, u64 n) { return u64(a.value << n.value); }
WEFT_INLINE constexpr u64 shrv(u64 a, u64 n) { return u64(a.value >> n.value); }
WEFT_INLINE constexpr mask operator<(u64 a, u64 b) { return mask(a.value < b.value); }
WEFT_INLINE constexpr mask operator<=(u64 a, u64 b) { return mask(a.value <= b.value); }
WEFT_INLINE constexpr mask operator==(u64 a, u64 b) { return mask(a.value == b.value); }

// the same 64 bits
WEFT_INLINE constexpr u64 bits(f64 a) { return u64(std::bit_cast<std::uint64_t>(a.value)); }
WEFT_INLINE constexpr f64 as_float(u64 a) { return f64(std::bit_cast<double>(a.value)); }
WEFT_INLINE constexpr u64 as_uint(i64 a) { return u64(static_cast<std::uint64_t>(a.value)); }
WEFT_INLINE constexpr i64 as_int(u64 a) { return i64(a); }

// int64, by way of unsigned where it may wrap
WEFT_INLINE constexpr i64 operator+(i64 a, i64 b) { return i64(as_uint(a) + as_uint(b)); }
WEFT_INLINE constexpr i64 operator-(i64 a, i64 b) { return i64(as_uint(a) - as_uint(b)); }
WEFT_INLINE constexpr i64 operator*(i64 a, i64 b) { return i64(as_uint(a) * as_uint(b)); }
WEFT_INLINE constexpr i64 operator-(i64 a) { return i64(u64(0u) - as_uint(a)); }
WEFT_INLINE constexpr i64 operator/(i64 a, i64 b) { return i64(a.value / b.value); }
WEFT_INLINE constexpr i64 operator%(i64 a, i64 b) { return i64(a.value % b.value); }
WEFT_INLINE constexpr i64 sar(i64 a, int n) { return i64(a.value >> n); }
WEFT_INLINE constexpr i64 sarv(i64 a, u64 n) { return i64(a.value >> n.value); }
WEFT_INLINE constexpr mask operator<(i64 a, i64 b) { return mask(a.value < b.value); }
WEFT_INLINE constexpr mask operator<=(i64 a, i64 b) { return mask(a.value <= b.value); }
WEFT_INLINE constexpr mask operator==(i64 a, i64 b) { return mask(a.value == b.value); }

// conversions
WEFT_INLINE constexpr f64 to_float(i64 a) {
  if (std::is_constant_evaluated()) return f64(detail::soft::from_int(a.value));
  return f64(static_cast<double>(a.value));
}
WEFT_INLINE constexpr f64 to_float(u64 a) {
  if (std::is_constant_evaluated()) return f64(detail::soft::from_uint(a.value));
  return f64(static_cast<double>(a.value));
}
WEFT_INLINE constexpr i64 to_int(f64 a) {
  if (std::is_constant_evaluated()) return i64(detail::soft::to_int(a.value));
  return i64(static_cast<std::int64_t>(a.value));
}
WEFT_INLINE constexpr u64 to_uint(f64 a) {
  if (std::is_constant_evaluated()) return u64(detail::soft::to_uint(a.value));
  return u64(static_cast<std::uint64_t>(a.value));
}

// between the widths
WEFT_INLINE constexpr f64 widen(f32 a) {
  if (std::is_constant_evaluated()) return f64(detail::soft::widen(a.value));
  return f64(static_cast<double>(a.value));
}
WEFT_INLINE constexpr i64 widen(i32 a) { return i64(static_cast<std::int64_t>(a.value)); }
WEFT_INLINE constexpr u64 widen(u32 a) { return u64(static_cast<std::uint64_t>(a.value)); }
WEFT_INLINE constexpr f32 narrow(f64 a) {
  if (std::is_constant_evaluated()) return f32(detail::soft::narrow(a.value));
  return f32(static_cast<float>(a.value));
}
WEFT_INLINE constexpr i32 narrow(i64 a) { return i32(static_cast<std::int32_t>(a.value)); }
WEFT_INLINE constexpr u32 narrow(u64 a) { return u32(static_cast<std::uint32_t>(a.value)); }

// choices
WEFT_INLINE constexpr f64 select(mask m, f64 x, f64 y) { return m.value ? x : y; }
WEFT_INLINE constexpr i64 select(mask m, i64 x, i64 y) { return m.value ? x : y; }
WEFT_INLINE constexpr u64 select(mask m, u64 x, u64 y) { return m.value ? x : y; }

} // namespace scalar
} // namespace weft::inline v0
