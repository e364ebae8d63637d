// SPDX-License-Identifier: BSL-1.0
// Masks and packs of 32 bits for targets of xsimd; what they offer is said in cpu/pack_types.hpp.
// Minimum and maximum are choices by a comparison: xsimd leaves their NaN rule open.
// Needs: xsimd/wide_packs.hpp beside it, where widths change.
#pragma once

#include <weft/cpu/pack_types.hpp>
#include <weft/xsimd/register.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Arch> struct pack_mask<xsimd_target<Arch>> {
  using target = xsimd_target<Arch>;
  using f = pack_f32<target>;
  using i = pack_i32<target>;
  using u = pack_u32<target>;
  using m = pack_mask;
  using by = detail::xsimd_register<std::int32_t, Arch>;
  using vector = typename detail::instructions<target>::i;
  static constexpr int lanes = target::lanes;
  vector value;

  pack_mask() = default;
  WEFT_INLINE explicit pack_mask(bool x) : value(by::all(x ? -1 : 0)) {}
  WEFT_INLINE explicit pack_mask(vector const& x) : value(x) {}

  WEFT_INLINE friend m operator&(m const& a, m const& b) { return m(by::both(a.value, b.value)); }
  WEFT_INLINE friend m operator|(m const& a, m const& b) { return m(by::either(a.value, b.value)); }
  WEFT_INLINE friend m operator^(m const& a, m const& b) { return m(by::differ(a.value, b.value)); }
  WEFT_INLINE friend m operator!(m const& a) { return m(by::invert(a.value)); }
  WEFT_INLINE friend m operator==(m const& a, m const& b) { return !(a ^ b); }
  WEFT_INLINE friend m select(m const& c, m const& x, m const& y) { return (c & x) | ((!c) & y); }
  WEFT_INLINE friend bool any(m const& a) { return detail::instructions<target>::any(a.value); }
  WEFT_INLINE friend bool lane(m const& a, int k) { return a.value[k] != 0; }
};

template <class Arch> struct pack_u32<xsimd_target<Arch>> {
  using target = xsimd_target<Arch>;
  using f = pack_f32<target>;
  using i = pack_i32<target>;
  using u = pack_u32;
  using m = pack_mask<target>;
  using wide = pack_u64<target>;
  using narrow = pack_u32;
  using machine = detail::instructions<target>;
  using by = detail::xsimd_register<std::uint32_t, Arch>;
  using vector = typename machine::u;
  static constexpr int lanes = target::lanes;
  vector value;

  pack_u32() = default;
  WEFT_INLINE explicit pack_u32(std::uint32_t x) : value(by::all(x)) {}
  WEFT_INLINE explicit pack_u32(vector const& x) : value(x) {}

  WEFT_INLINE friend u operator+(u const& a, u const& b) { return u(by::add(a.value, b.value)); }
  WEFT_INLINE friend u operator-(u const& a, u const& b) { return u(by::sub(a.value, b.value)); }
  WEFT_INLINE friend u operator*(u const& a, u const& b) { return u(by::mul(a.value, b.value)); }
  WEFT_INLINE friend u operator/(u const& a, u const& b) { return u(by::div(a.value, b.value)); }
  WEFT_INLINE friend u operator&(u const& a, u const& b) { return u(by::both(a.value, b.value)); }
  WEFT_INLINE friend u operator|(u const& a, u const& b) { return u(by::either(a.value, b.value)); }
  WEFT_INLINE friend u operator^(u const& a, u const& b) { return u(by::differ(a.value, b.value)); }
  WEFT_INLINE friend u operator%(u const& a, u const& b) { return u(a.value % b.value); }
  WEFT_INLINE friend u operator~(u const& a) { return u(by::invert(a.value)); }
  WEFT_INLINE friend u shl(u const& a, int n) { return u(by::shl(a.value, n)); }
  WEFT_INLINE friend u shr(u const& a, int n) { return u(by::shr(a.value, n)); }
  WEFT_INLINE friend u rotl(u const& a, int n) { return shl(a, n) | shr(a, 32 - n); }
  WEFT_INLINE friend u shlv(u const& a, u const& n) { return u(a.value << n.value); }
  WEFT_INLINE friend u shrv(u const& a, u const& n) { return u(a.value >> n.value); }
  WEFT_INLINE friend m operator<(u const& a, u const& b) {
    return m(typename m::vector(by::less(a.value, b.value)));
  }
  WEFT_INLINE friend m operator<=(u const& a, u const& b) {
    return m(typename m::vector(by::less_equal(a.value, b.value)));
  }
  WEFT_INLINE friend m operator==(u const& a, u const& b) {
    return m(typename m::vector(by::equal(a.value, b.value)));
  }
  WEFT_INLINE friend f as_float(u const& a) {
    using to = typename f::vector;
    return f(to(a.value));
  }
  WEFT_INLINE friend i as_int(u const& a) {
    using to = typename i::vector;
    return i(to(a.value));
  }
  // As in cpu/pack_types.hpp: both halves are exact, their sum is the one rounding.
  WEFT_INLINE friend f to_float(u const& a) {
    f const upper = to_float(as_int(shr(a, 16))), lower = to_float(as_int(a & u(0xffffu)));
    return upper * f(0x1p+16f) + lower;
  }
  WEFT_INLINE friend wide widen(u const& a) {
    return wide(machine::template widen<0>(a.value), machine::template widen<1>(a.value));
  }
  WEFT_INLINE friend u select(m const& c, u const& x, u const& y) {
    return u(by::select(c.value, x.value, y.value));
  }
  WEFT_INLINE friend std::uint32_t lane(u const& a, int n) { return a.value[n]; }
};

template <class Arch> struct pack_i32<xsimd_target<Arch>> {
  using target = xsimd_target<Arch>;
  using f = pack_f32<target>;
  using i = pack_i32;
  using u = pack_u32<target>;
  using m = pack_mask<target>;
  using wide = pack_i64<target>;
  using narrow = pack_i32;
  using machine = detail::instructions<target>;
  using by = detail::xsimd_register<std::int32_t, Arch>;
  using vector = typename machine::i;
  static constexpr int lanes = target::lanes;
  vector value;

  pack_i32() = default;
  WEFT_INLINE explicit pack_i32(std::int32_t x) : value(by::all(x)) {}
  WEFT_INLINE explicit pack_i32(vector const& x) : value(x) {}

  // Wraps: by way of unsigned.
  WEFT_INLINE friend i operator+(i const& a, i const& b) { return as_int(as_uint(a) + as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a, i const& b) { return as_int(as_uint(a) - as_uint(b)); }
  WEFT_INLINE friend i operator*(i const& a, i const& b) { return as_int(as_uint(a) * as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a) { return as_int(u(0u) - as_uint(a)); }
  WEFT_INLINE friend i operator/(i const& a, i const& b) { return i(by::div(a.value, b.value)); }
  WEFT_INLINE friend i operator%(i const& a, i const& b) { return i(a.value % b.value); }
  WEFT_INLINE friend i sar(i const& a, int n) { return i(by::shr(a.value, n)); }
  WEFT_INLINE friend i sarv(i const& a, u const& n) { return i(a.value >> vector(n.value)); }
  WEFT_INLINE friend m operator<(i const& a, i const& b) {
    return m(typename m::vector(by::less(a.value, b.value)));
  }
  WEFT_INLINE friend m operator<=(i const& a, i const& b) {
    return m(typename m::vector(by::less_equal(a.value, b.value)));
  }
  WEFT_INLINE friend m operator==(i const& a, i const& b) {
    return m(typename m::vector(by::equal(a.value, b.value)));
  }
  WEFT_INLINE friend u as_uint(i const& a) {
    using to = typename u::vector;
    return u(to(a.value));
  }
  WEFT_INLINE friend f to_float(i const& a) {
    return f(typename f::vector(::xsimd::batch_cast<float>(by::in(a.value)).data));
  }
  WEFT_INLINE friend wide widen(i const& a) {
    return wide(machine::template widen<0>(a.value), machine::template widen<1>(a.value));
  }
  WEFT_INLINE friend i select(m const& c, i const& x, i const& y) {
    return i(by::select(c.value, x.value, y.value));
  }
  WEFT_INLINE friend std::int32_t lane(i const& a, int n) { return a.value[n]; }
};

template <class Arch> struct pack_f32<xsimd_target<Arch>> {
  using target = xsimd_target<Arch>;
  using f = pack_f32;
  using i = pack_i32<target>;
  using u = pack_u32<target>;
  using m = pack_mask<target>;
  using wide = pack_f64<target>;
  using narrow = pack_f32;
  using machine = detail::instructions<target>;
  using by = detail::xsimd_register<float, Arch>;
  using vector = typename machine::f;
  static constexpr int lanes = target::lanes;
  vector value;

  pack_f32() = default;
  WEFT_INLINE explicit pack_f32(float x) : value(by::all(x)) {}
  WEFT_INLINE explicit pack_f32(vector const& x) : value(x) {}

  WEFT_INLINE friend f operator+(f const& a, f const& b) { return f(by::add(a.value, b.value)); }
  WEFT_INLINE friend f operator-(f const& a, f const& b) { return f(by::sub(a.value, b.value)); }
  WEFT_INLINE friend f operator*(f const& a, f const& b) { return f(by::mul(a.value, b.value)); }
  WEFT_INLINE friend f operator/(f const& a, f const& b) { return f(by::div(a.value, b.value)); }
  WEFT_INLINE friend f operator-(f const& a) { return as_float(bits(a) ^ u(sign_bit)); }
  WEFT_INLINE friend f fma(f const& a, f const& b, f const& c) {
    return f(machine::fma(a.value, b.value, c.value));
  }
  WEFT_INLINE friend f sqrt(f const& a) { return f(by::sqrt(a.value)); }
  WEFT_INLINE friend f abs(f const& a) { return as_float(bits(a) & u(~sign_bit)); }
  WEFT_INLINE friend f min(f const& a, f const& b) {
    return f(by::select(by::less(a.value, b.value), a.value, b.value));
  }
  WEFT_INLINE friend f max(f const& a, f const& b) {
    return f(by::select(by::less(b.value, a.value), a.value, b.value));
  }
  WEFT_INLINE friend m operator<(f const& a, f const& b) {
    return m(typename m::vector(by::less(a.value, b.value)));
  }
  WEFT_INLINE friend m operator<=(f const& a, f const& b) {
    return m(typename m::vector(by::less_equal(a.value, b.value)));
  }
  WEFT_INLINE friend m operator==(f const& a, f const& b) {
    return m(typename m::vector(by::equal(a.value, b.value)));
  }
  WEFT_INLINE friend u bits(f const& a) {
    using to = typename u::vector;
    return u(to(a.value));
  }
  WEFT_INLINE friend i to_int(f const& a) {
    return i(typename i::vector(::xsimd::batch_cast<std::int32_t>(by::in(a.value)).data));
  }
  // 2^31 and more by way of x - 2^31, which is exact.
  WEFT_INLINE friend u to_uint(f const& a) {
    m const small = a < f(0x1p+31f);
    u const part = as_uint(to_int(select(small, a, a - f(0x1p+31f))));
    return select(small, part, part ^ u(sign_bit));
  }
  WEFT_INLINE friend wide widen(f const& a) {
    return wide(machine::template widen<0>(a.value), machine::template widen<1>(a.value));
  }
  WEFT_INLINE friend f select(m const& c, f const& x, f const& y) {
    return f(by::select(c.value, x.value, y.value));
  }
  WEFT_INLINE friend float lane(f const& a, int n) { return a.value[n]; }

private:
  static constexpr std::uint32_t sign_bit = 0x80000000u;
};

} // namespace cpu
} // namespace weft::inline v0
