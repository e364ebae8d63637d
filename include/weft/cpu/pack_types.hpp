// SPDX-License-Identifier: BSL-1.0
// The SIMD world: pack_f32, pack_i32, pack_u32 and pack_mask of a target hold `lanes` values in one
// register, those of 64 bits (cpu/wide_types.hpp) in two; they offer every primitive of
// op/numeric.hpp, with the bits of the scalar world; besides
//   pack_for<Target, T>    the pack that holds elements of type T: of 8 and 16 bits, in 32
//   splat<Target>(value)   every lane        lane(x, k)   one lane        any(m)   in some lane?
// Loads and stores are in cpu/pack.hpp.
// Needs: a target whose instructions the translation unit may use.
// Leaves: everything is inlined; nothing here has a symbol.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/dtype.hpp>
#include <weft/cpu/target.hpp>
#include <weft/cpu/vector.hpp>
#include <weft/cpu/wide_types.hpp>
#include <weft/op/elementary.hpp>
#include <weft/op/numeric.hpp>

#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {
namespace cpu {

// Every lane is 0 (false) or has all bits set (true).
template <class Target> struct pack_mask {
  using f = pack_f32<Target>;
  using i = pack_i32<Target>;
  using u = pack_u32<Target>;
  using m = pack_mask;
  using vector = typename detail::instructions<Target>::i;
  using target = Target;
  static constexpr int lanes = Target::lanes;
  vector value;

  pack_mask() = default;
  WEFT_INLINE explicit pack_mask(bool x) : value(vector{} - static_cast<std::int32_t>(x)) {}
  WEFT_INLINE explicit pack_mask(vector const& x) : value(x) {}

  WEFT_INLINE friend m operator&(m const& a, m const& b) { return m(a.value & b.value); }
  WEFT_INLINE friend m operator|(m const& a, m const& b) { return m(a.value | b.value); }
  WEFT_INLINE friend m operator^(m const& a, m const& b) { return m(a.value ^ b.value); }
  WEFT_INLINE friend m operator!(m const& a) { return m(~a.value); }
  WEFT_INLINE friend m operator==(m const& a, m const& b) { return m(~(a.value ^ b.value)); }
  WEFT_INLINE friend m select(m const& c, m const& x, m const& y) {
    return m((c.value & x.value) | (~c.value & y.value));
  }
  WEFT_INLINE friend bool any(m const& a) { return detail::instructions<Target>::any(a.value); }
  WEFT_INLINE friend bool lane(m const& a, int k) { return a.value[k] != 0; }
};

template <class Target> struct pack_u32 {
  using f = pack_f32<Target>;
  using i = pack_i32<Target>;
  using u = pack_u32;
  using m = pack_mask<Target>;
  using wide = pack_u64<Target>;
  using narrow = pack_u32;
  using machine = detail::instructions<Target>;
  using vector = typename machine::u;
  using mask_vector = typename machine::i;
  using target = Target;
  static constexpr int lanes = Target::lanes;
  vector value;

  pack_u32() = default;
  WEFT_INLINE explicit pack_u32(std::uint32_t x) : value(vector{} + x) {}
  WEFT_INLINE explicit pack_u32(vector const& x) : value(x) {}

  WEFT_INLINE friend u operator+(u const& a, u const& b) { return u(a.value + b.value); }
  WEFT_INLINE friend u operator-(u const& a, u const& b) { return u(a.value - b.value); }
  WEFT_INLINE friend u operator*(u const& a, u const& b) { return u(a.value * b.value); }
  WEFT_INLINE friend u operator/(u const& a, u const& b) { return u(a.value / b.value); }
  WEFT_INLINE friend u operator%(u const& a, u const& b) { return u(a.value % b.value); }
  WEFT_INLINE friend u operator&(u const& a, u const& b) { return u(a.value & b.value); }
  WEFT_INLINE friend u operator|(u const& a, u const& b) { return u(a.value | b.value); }
  WEFT_INLINE friend u operator^(u const& a, u const& b) { return u(a.value ^ b.value); }
  WEFT_INLINE friend u operator~(u const& a) { return u(~a.value); }
  WEFT_INLINE friend u shl(u const& a, int n) { return u(a.value << n); }
  WEFT_INLINE friend u shr(u const& a, int n) { return u(a.value >> n); }
  WEFT_INLINE friend u rotl(u const& a, int n) { return shl(a, n) | shr(a, 32 - n); }
  WEFT_INLINE friend u shlv(u const& a, u const& n) { return u(a.value << n.value); }
  WEFT_INLINE friend u shrv(u const& a, u const& n) { return u(a.value >> n.value); }
  WEFT_INLINE friend m operator<(u const& a, u const& b) {
    return m(mask_vector(a.value < b.value));
  }
  WEFT_INLINE friend m operator<=(u const& a, u const& b) {
    return m(mask_vector(a.value <= b.value));
  }
  WEFT_INLINE friend m operator==(u const& a, u const& b) {
    return m(mask_vector(a.value == b.value));
  }
  WEFT_INLINE friend f as_float(u const& a) { return f(typename f::vector(a.value)); }
  WEFT_INLINE friend i as_int(u const& a) { return i(typename i::vector(a.value)); }
  // Both halves are exact, and so is the upper one times 2^16: the sum is the one rounding.
  WEFT_INLINE friend f to_float(u const& a) {
    f const upper = to_float(as_int(shr(a, 16))), lower = to_float(as_int(a & u(0xffffu)));
    return upper * f(0x1p+16f) + lower;
  }
  WEFT_INLINE friend pack_u64<Target> widen(u const& a) {
    return pack_u64<Target>(machine::template widen<0>(a.value),
                            machine::template widen<1>(a.value));
  }
  WEFT_INLINE friend u select(m const& c, u const& x, u const& y) {
    return u(c.value ? x.value : y.value);
  }
  WEFT_INLINE friend std::uint32_t lane(u const& a, int k) { return a.value[k]; }
};

template <class Target> struct pack_i32 {
  using f = pack_f32<Target>;
  using i = pack_i32;
  using u = pack_u32<Target>;
  using m = pack_mask<Target>;
  using wide = pack_i64<Target>;
  using narrow = pack_i32;
  using machine = detail::instructions<Target>;
  using vector = typename machine::i;
  using target = Target;
  static constexpr int lanes = Target::lanes;
  vector value;

  pack_i32() = default;
  WEFT_INLINE explicit pack_i32(std::int32_t x) : value(vector{} + x) {}
  WEFT_INLINE explicit pack_i32(vector const& x) : value(x) {}

  // Wraps: by way of unsigned.
  WEFT_INLINE friend i operator+(i const& a, i const& b) { return as_int(as_uint(a) + as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a, i const& b) { return as_int(as_uint(a) - as_uint(b)); }
  WEFT_INLINE friend i operator*(i const& a, i const& b) { return as_int(as_uint(a) * as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a) { return as_int(u(0u) - as_uint(a)); }
  WEFT_INLINE friend i operator/(i const& a, i const& b) { return i(a.value / b.value); }
  WEFT_INLINE friend i operator%(i const& a, i const& b) { return i(a.value % b.value); }
  WEFT_INLINE friend i sar(i const& a, int n) { return i(a.value >> n); }
  WEFT_INLINE friend i sarv(i const& a, u const& n) { return i(a.value >> vector(n.value)); }
  WEFT_INLINE friend m operator<(i const& a, i const& b) { return m(vector(a.value < b.value)); }
  WEFT_INLINE friend m operator<=(i const& a, i const& b) { return m(vector(a.value <= b.value)); }
  WEFT_INLINE friend m operator==(i const& a, i const& b) { return m(vector(a.value == b.value)); }
  WEFT_INLINE friend u as_uint(i const& a) { return u(typename u::vector(a.value)); }
  WEFT_INLINE friend f to_float(i const& a) {
    return f(__builtin_convertvector(a.value, typename f::vector));
  }
  WEFT_INLINE friend pack_i64<Target> widen(i const& a) {
    return pack_i64<Target>(machine::template widen<0>(a.value),
                            machine::template widen<1>(a.value));
  }
  WEFT_INLINE friend i select(m const& c, i const& x, i const& y) {
    return i(c.value ? x.value : y.value);
  }
  WEFT_INLINE friend std::int32_t lane(i const& a, int k) { return a.value[k]; }
};

template <class Target> struct pack_f32 {
  using f = pack_f32;
  using i = pack_i32<Target>;
  using u = pack_u32<Target>;
  using m = pack_mask<Target>;
  using wide = pack_f64<Target>;
  using narrow = pack_f32;
  using machine = detail::instructions<Target>;
  using vector = typename machine::f;
  using mask_vector = typename machine::i;
  using target = Target;
  static constexpr int lanes = Target::lanes;
  vector value;

  pack_f32() = default;
  WEFT_INLINE explicit pack_f32(float x) : value(x - vector{}) {} // x - 0 is x, also for -0
  WEFT_INLINE explicit pack_f32(vector const& x) : value(x) {}

  WEFT_INLINE friend f operator+(f const& a, f const& b) { return f(a.value + b.value); }
  WEFT_INLINE friend f operator-(f const& a, f const& b) { return f(a.value - b.value); }
  WEFT_INLINE friend f operator*(f const& a, f const& b) {
    vector product = a.value * b.value;
    detail::keep_product(product);
    return f(product);
  }
  WEFT_INLINE friend f operator/(f const& a, f const& b) { return f(a.value / b.value); }
  WEFT_INLINE friend f operator-(f const& a) { return as_float(bits(a) ^ u(0x80000000u)); }
  WEFT_INLINE friend f fma(f const& a, f const& b, f const& c) {
    return f(machine::fma(a.value, b.value, c.value));
  }
  WEFT_INLINE friend f sqrt(f const& a) { return f(machine::sqrt(a.value)); }
  WEFT_INLINE friend f abs(f const& a) { return as_float(bits(a) & u(0x7fffffffu)); }
  WEFT_INLINE friend f min(f const& a, f const& b) {
    if constexpr (requires { machine::min(a.value, b.value); })
      return f(machine::min(a.value, b.value));
    else return f(a.value < b.value ? a.value : b.value);
  }
  WEFT_INLINE friend f max(f const& a, f const& b) {
    if constexpr (requires { machine::max(a.value, b.value); })
      return f(machine::max(a.value, b.value));
    else return f(a.value > b.value ? a.value : b.value);
  }
  WEFT_INLINE friend m operator<(f const& a, f const& b) {
    return m(mask_vector(a.value < b.value));
  }
  WEFT_INLINE friend m operator<=(f const& a, f const& b) {
    return m(mask_vector(a.value <= b.value));
  }
  WEFT_INLINE friend m operator==(f const& a, f const& b) {
    return m(mask_vector(a.value == b.value));
  }
  WEFT_INLINE friend u bits(f const& a) { return u(typename u::vector(a.value)); }
  WEFT_INLINE friend i to_int(f const& a) {
    return i(__builtin_convertvector(a.value, typename i::vector));
  }
  // 2^31 and more by way of x - 2^31, which is exact.
  WEFT_INLINE friend u to_uint(f const& a) {
    m const small = a < f(0x1p+31f);
    u const low = as_uint(to_int(select(small, a, a - f(0x1p+31f))));
    return select(small, low, low ^ u(0x80000000u));
  }
  WEFT_INLINE friend pack_f64<Target> widen(f const& a) {
    return pack_f64<Target>(machine::template widen<0>(a.value),
                            machine::template widen<1>(a.value));
  }
  WEFT_INLINE friend f select(m const& c, f const& x, f const& y) {
    return f(c.value ? x.value : y.value);
  }
  WEFT_INLINE friend float lane(f const& a, int k) { return a.value[k]; }
  // Where the machine has them (op/numeric.hpp).
  WEFT_INLINE friend f ordered_max(f const& a, f const& b)
    requires requires { machine::ordered_max(a.value, b.value); }
  {
    return f(machine::ordered_max(a.value, b.value));
  }
  WEFT_INLINE friend f ordered_min(f const& a, f const& b)
    requires requires { machine::ordered_min(a.value, b.value); }
  {
    return f(machine::ordered_min(a.value, b.value));
  }
  WEFT_INLINE friend f times_power_of_two(f const& x, f const& n)
    requires requires { machine::scale(x.value, n.value); }
  {
    return f(machine::scale(x.value, n.value));
  }
};

template <class Target, class Rare, class T>
WEFT_INLINE T when(pack_mask<Target> const& m, Rare const& rare, T const& common) {
  if (any(m)) [[unlikely]]
    return select(m, rare(), common);
  return common;
}
template <class Function, class... T>
WEFT_INLINE auto call(char const*, Function const& function, T const&... x) {
  return function(x...);
}

} // namespace cpu

namespace detail {
template <class Target, element T> constexpr auto find_pack() {
  using f = cpu::pack_f32<Target>;
  constexpr dtype held = compute_of(dtype_of<T>);
  if constexpr (held == dtype::boolean) return std::type_identity<typename f::m>{};
  else if constexpr (held == dtype::f32) return std::type_identity<f>{};
  else if constexpr (held == dtype::i32) return std::type_identity<typename f::i>{};
  else if constexpr (held == dtype::u32) return std::type_identity<typename f::u>{};
  else if constexpr (held == dtype::f64) return std::type_identity<typename f::wide>{};
  else if constexpr (held == dtype::i64) return std::type_identity<typename f::wide::i>{};
  else return std::type_identity<typename f::wide::u>{};
}
} // namespace detail

namespace cpu {

template <class Target, element T>
using pack_for = typename decltype(detail::find_pack<Target, T>())::type;

// A pack of one register.
template <class T>
inline constexpr bool one_word = requires { typename T::vector; } && !requires { T::high; };

template <class Target, element T> WEFT_INLINE pack_for<Target, T> splat(T const& x) {
  if constexpr (is_half(dtype_of<T>)) return pack_for<Target, T>(static_cast<float>(x));
  else return pack_for<Target, T>(x);
}

} // namespace cpu
} // namespace weft::inline v0
