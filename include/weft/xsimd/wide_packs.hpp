// SPDX-License-Identifier: BSL-1.0
// Packs of 64 bits for targets of xsimd: two registers, `low` and `high`; what they offer is said in
// cpu/wide_types.hpp.
// Needs: xsimd/packs.hpp.
#pragma once

#include <weft/xsimd/packs.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Arch> struct pack_u64<xsimd_target<Arch>> {
  using target = xsimd_target<Arch>;
  using f = pack_f64<target>;
  using i = pack_i64<target>;
  using u = pack_u64;
  using m = pack_mask<target>;
  using wide = pack_u64;
  using narrow = pack_u32<target>;
  using machine = detail::instructions<target>;
  using by = detail::xsimd_register<std::uint64_t, Arch>;
  using vector = typename machine::q;
  static constexpr int lanes = target::lanes;
  vector low, high;

  pack_u64() = default;
  WEFT_INLINE explicit pack_u64(std::uint64_t x) : low(by::all(x)), high(low) {}
  WEFT_INLINE pack_u64(vector const& a, vector const& b) : low(a), high(b) {}

  WEFT_INLINE friend u operator+(u const& a, u const& b) {
    return u(by::add(a.low, b.low), by::add(a.high, b.high));
  }
  WEFT_INLINE friend u operator-(u const& a, u const& b) {
    return u(by::sub(a.low, b.low), by::sub(a.high, b.high));
  }
  WEFT_INLINE friend u operator*(u const& a, u const& b) {
    return u(by::mul(a.low, b.low), by::mul(a.high, b.high));
  }
  WEFT_INLINE friend u operator/(u const& a, u const& b) {
    return u(by::div(a.low, b.low), by::div(a.high, b.high));
  }
  WEFT_INLINE friend u operator&(u const& a, u const& b) {
    return u(by::both(a.low, b.low), by::both(a.high, b.high));
  }
  WEFT_INLINE friend u operator|(u const& a, u const& b) {
    return u(by::either(a.low, b.low), by::either(a.high, b.high));
  }
  WEFT_INLINE friend u operator^(u const& a, u const& b) {
    return u(by::differ(a.low, b.low), by::differ(a.high, b.high));
  }
  WEFT_INLINE friend u operator%(u const& a, u const& b) {
    return u(a.low % b.low, a.high % b.high);
  }
  WEFT_INLINE friend u operator~(u const& a) { return u(by::invert(a.low), by::invert(a.high)); }
  WEFT_INLINE friend u shl(u const& a, int n) { return u(by::shl(a.low, n), by::shl(a.high, n)); }
  WEFT_INLINE friend u shr(u const& a, int n) { return u(by::shr(a.low, n), by::shr(a.high, n)); }
  WEFT_INLINE friend u rotl(u const& a, int n) { return shl(a, n) | shr(a, 64 - n); }
  WEFT_INLINE friend u shlv(u const& a, u const& n) { return u(a.low << n.low, a.high << n.high); }
  WEFT_INLINE friend u shrv(u const& a, u const& n) { return u(a.low >> n.low, a.high >> n.high); }
  WEFT_INLINE friend m operator<(u const& a, u const& b) {
    return masked(by::less(a.low, b.low), by::less(a.high, b.high));
  }
  WEFT_INLINE friend m operator<=(u const& a, u const& b) {
    return masked(by::less_equal(a.low, b.low), by::less_equal(a.high, b.high));
  }
  WEFT_INLINE friend m operator==(u const& a, u const& b) {
    return masked(by::equal(a.low, b.low), by::equal(a.high, b.high));
  }
  WEFT_INLINE friend f as_float(u const& a) {
    using to = typename f::vector;
    return f(to(a.low), to(a.high));
  }
  WEFT_INLINE friend i as_int(u const& a) {
    using to = typename i::vector;
    return i(to(a.low), to(a.high));
  }
  // As in cpu/wide_types.hpp: halves above 2^52 and 2^84, whose sum is the one rounding.
  WEFT_INLINE friend f to_float(u const& a) {
    f const upper = as_float(shr(a, 32) | u(0x4530000000000000u));
    f const lower = as_float((a & u(0xffffffffu)) | u(0x4330000000000000u));
    return (upper - f(0x1.00000001p+84)) + lower;
  }
  WEFT_INLINE friend pack_u32<target> narrow(u const& a) {
    return pack_u32<target>(machine::even_words(a.low, a.high));
  }
  WEFT_INLINE friend u select(m const& c, u const& x, u const& y) {
    detail::wide_mask<target> const w(c.value);
    return u(by::select(w.low, x.low, y.low), by::select(w.high, x.high, y.high));
  }
  WEFT_INLINE friend std::uint64_t lane(u const& a, int n) {
    return n < lanes / 2 ? a.low[n] : a.high[n - lanes / 2];
  }

private:
  using words = typename machine::l;
  template <class Mask> WEFT_INLINE static m masked(Mask const& a, Mask const& b) {
    return m(detail::wide_mask<target>(words(a), words(b)).narrow());
  }
};

template <class Arch> struct pack_i64<xsimd_target<Arch>> {
  using target = xsimd_target<Arch>;
  using f = pack_f64<target>;
  using i = pack_i64;
  using u = pack_u64<target>;
  using m = pack_mask<target>;
  using wide = pack_i64;
  using narrow = pack_i32<target>;
  using machine = detail::instructions<target>;
  using by = detail::xsimd_register<std::int64_t, Arch>;
  using vector = typename machine::l;
  static constexpr int lanes = target::lanes;
  vector low, high;

  pack_i64() = default;
  WEFT_INLINE explicit pack_i64(std::int64_t x) : low(by::all(x)), high(low) {}
  WEFT_INLINE pack_i64(vector const& a, vector const& b) : low(a), high(b) {}

  // Wraps: by way of unsigned.
  WEFT_INLINE friend i operator+(i const& a, i const& b) { return as_int(as_uint(a) + as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a, i const& b) { return as_int(as_uint(a) - as_uint(b)); }
  WEFT_INLINE friend i operator*(i const& a, i const& b) { return as_int(as_uint(a) * as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a) { return as_int(u(0u) - as_uint(a)); }
  WEFT_INLINE friend i operator/(i const& a, i const& b) {
    return i(by::div(a.low, b.low), by::div(a.high, b.high));
  }
  WEFT_INLINE friend i operator%(i const& a, i const& b) {
    return i(a.low % b.low, a.high % b.high);
  }
  WEFT_INLINE friend i sar(i const& a, int n) { return i(by::shr(a.low, n), by::shr(a.high, n)); }
  WEFT_INLINE friend i sarv(i const& a, u const& n) {
    return i(a.low >> vector(n.low), a.high >> vector(n.high));
  }
  WEFT_INLINE friend m operator<(i const& a, i const& b) {
    return masked(by::less(a.low, b.low), by::less(a.high, b.high));
  }
  WEFT_INLINE friend m operator<=(i const& a, i const& b) {
    return masked(by::less_equal(a.low, b.low), by::less_equal(a.high, b.high));
  }
  WEFT_INLINE friend m operator==(i const& a, i const& b) {
    return masked(by::equal(a.low, b.low), by::equal(a.high, b.high));
  }
  WEFT_INLINE friend u as_uint(i const& a) {
    using to = typename u::vector;
    return u(to(a.low), to(a.high));
  }
  // As of u64, with 2^63 added to the upper half.
  WEFT_INLINE friend f to_float(i const& a) {
    u const x = as_uint(a);
    f const upper = as_float(shr(x, 32) ^ u(0x4530000080000000u));
    f const lower = as_float((x & u(0xffffffffu)) | u(0x4330000000000000u));
    return (upper - f(0x1.00000801p+84)) + lower;
  }
  WEFT_INLINE friend pack_i32<target> narrow(i const& a) {
    u const x = as_uint(a);
    return as_int(pack_u32<target>(machine::even_words(x.low, x.high)));
  }
  WEFT_INLINE friend i select(m const& c, i const& x, i const& y) {
    detail::wide_mask<target> const w(c.value);
    return i(by::select(w.low, x.low, y.low), by::select(w.high, x.high, y.high));
  }
  WEFT_INLINE friend std::int64_t lane(i const& a, int n) {
    return n < lanes / 2 ? a.low[n] : a.high[n - lanes / 2];
  }

private:
  using words = typename machine::l;
  template <class Mask> WEFT_INLINE static m masked(Mask const& a, Mask const& b) {
    return m(detail::wide_mask<target>(words(a), words(b)).narrow());
  }
};

template <class Arch> struct pack_f64<xsimd_target<Arch>> {
  using target = xsimd_target<Arch>;
  using f = pack_f64;
  using i = pack_i64<target>;
  using u = pack_u64<target>;
  using m = pack_mask<target>;
  using wide = pack_f64;
  using narrow = pack_f32<target>;
  using machine = detail::instructions<target>;
  using by = detail::xsimd_register<double, Arch>;
  using vector = typename machine::d;
  static constexpr int lanes = target::lanes;
  vector low, high;

  pack_f64() = default;
  WEFT_INLINE explicit pack_f64(double x) : low(by::all(x)), high(low) {}
  WEFT_INLINE pack_f64(vector const& a, vector const& b) : low(a), high(b) {}

  WEFT_INLINE friend f operator+(f const& a, f const& b) {
    return f(by::add(a.low, b.low), by::add(a.high, b.high));
  }
  WEFT_INLINE friend f operator-(f const& a, f const& b) {
    return f(by::sub(a.low, b.low), by::sub(a.high, b.high));
  }
  WEFT_INLINE friend f operator*(f const& a, f const& b) {
    return f(by::mul(a.low, b.low), by::mul(a.high, b.high));
  }
  WEFT_INLINE friend f operator/(f const& a, f const& b) {
    return f(by::div(a.low, b.low), by::div(a.high, b.high));
  }
  WEFT_INLINE friend f operator-(f const& a) { return as_float(bits(a) ^ u(sign_bit)); }
  WEFT_INLINE friend f fma(f const& a, f const& b, f const& c) {
    return f(machine::fma(a.low, b.low, c.low), machine::fma(a.high, b.high, c.high));
  }
  WEFT_INLINE friend f sqrt(f const& a) { return f(by::sqrt(a.low), by::sqrt(a.high)); }
  WEFT_INLINE friend f abs(f const& a) { return as_float(bits(a) & u(~sign_bit)); }
  WEFT_INLINE friend f min(f const& a, f const& b) {
    return f(by::select(by::less(a.low, b.low), a.low, b.low),
             by::select(by::less(a.high, b.high), a.high, b.high));
  }
  WEFT_INLINE friend f max(f const& a, f const& b) {
    return f(by::select(by::less(b.low, a.low), a.low, b.low),
             by::select(by::less(b.high, a.high), a.high, b.high));
  }
  WEFT_INLINE friend m operator<(f const& a, f const& b) {
    return masked(by::less(a.low, b.low), by::less(a.high, b.high));
  }
  WEFT_INLINE friend m operator<=(f const& a, f const& b) {
    return masked(by::less_equal(a.low, b.low), by::less_equal(a.high, b.high));
  }
  WEFT_INLINE friend m operator==(f const& a, f const& b) {
    return masked(by::equal(a.low, b.low), by::equal(a.high, b.high));
  }
  WEFT_INLINE friend u bits(f const& a) {
    using to = typename u::vector;
    return u(to(a.low), to(a.high));
  }
  WEFT_INLINE friend i to_int(f const& a) {
    using to = typename i::vector;
    return i(__builtin_convertvector(a.low, to), __builtin_convertvector(a.high, to));
  }
  // 2^63 and more by way of x - 2^63, which is exact.
  WEFT_INLINE friend u to_uint(f const& a) {
    m const small = a < f(0x1p+63);
    u const part = as_uint(to_int(select(small, a, a - f(0x1p+63))));
    return select(small, part, part ^ u(sign_bit));
  }
  WEFT_INLINE friend pack_f32<target> narrow(f const& a) {
    return pack_f32<target>(machine::narrow(a.low, a.high));
  }
  WEFT_INLINE friend f select(m const& c, f const& x, f const& y) {
    detail::wide_mask<target> const w(c.value);
    return f(by::select(w.low, x.low, y.low), by::select(w.high, x.high, y.high));
  }
  WEFT_INLINE friend double lane(f const& a, int n) {
    return n < lanes / 2 ? a.low[n] : a.high[n - lanes / 2];
  }

private:
  static constexpr std::uint64_t sign_bit = 0x8000000000000000u;
  using words = typename machine::l;
  template <class Mask> WEFT_INLINE static m masked(Mask const& a, Mask const& b) {
    return m(detail::wide_mask<target>(words(a), words(b)).narrow());
  }
};

} // namespace cpu
} // namespace weft::inline v0
