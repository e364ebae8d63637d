// SPDX-License-Identifier: BSL-1.0
// The 64-bit half of the SIMD world: pack_f64, pack_i64 and pack_u64 hold as many lanes as the
// 32-bit packs of their target, in two registers: `low`, the first half of the lanes, and `high`.
// They share pack_mask, whose lanes are widened where they choose and narrowed where they come from
// comparisons.
// Needs, leaves: cpu/pack_types.hpp, which includes this and completes the types named here.
#pragma once

#include <weft/core/config.hpp>
#include <weft/cpu/target.hpp>
#include <weft/cpu/vector.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

template <class Target> struct pack_f32;
template <class Target> struct pack_i32;
template <class Target> struct pack_u32;
template <class Target> struct pack_f64;
template <class Target> struct pack_i64;
template <class Target> struct pack_u64;
template <class Target> struct pack_mask;

} // namespace cpu

namespace detail {

// A mask of two registers of 64-bit lanes, from and to one of 32-bit lanes.
template <class Target> struct wide_mask {
  using machine = instructions<Target>;
  typename machine::l low, high;

  WEFT_INLINE wide_mask(typename machine::l const& a, typename machine::l const& b)
      : low(a), high(b) {}
  WEFT_INLINE explicit wide_mask(typename machine::i const& m)
      : low(machine::template widen<0>(m)), high(machine::template widen<1>(m)) {}
  WEFT_INLINE typename machine::i narrow() const {
    using q = typename machine::q;
    return typename machine::i(machine::even_words(q(low), q(high)));
  }
};

} // namespace detail

namespace cpu {

template <class Target> struct pack_u64 {
  using f = pack_f64<Target>;
  using i = pack_i64<Target>;
  using u = pack_u64;
  using m = pack_mask<Target>;
  using wide = pack_u64;
  using narrow = pack_u32<Target>;
  using machine = detail::instructions<Target>;
  using vector = typename machine::q;
  using signed_vector = typename machine::l;
  using target = Target;
  static constexpr int lanes = Target::lanes;
  vector low, high;

  pack_u64() = default;
  WEFT_INLINE explicit pack_u64(std::uint64_t x) : low(vector{} + x), high(low) {}
  WEFT_INLINE pack_u64(vector const& a, vector const& b) : low(a), high(b) {}

  WEFT_INLINE friend u operator+(u const& a, u const& b) {
    return u(a.low + b.low, a.high + b.high);
  }
  WEFT_INLINE friend u operator-(u const& a, u const& b) {
    return u(a.low - b.low, a.high - b.high);
  }
  WEFT_INLINE friend u operator*(u const& a, u const& b) {
    return u(a.low * b.low, a.high * b.high);
  }
  WEFT_INLINE friend u operator/(u const& a, u const& b) {
    return u(a.low / b.low, a.high / b.high);
  }
  WEFT_INLINE friend u operator%(u const& a, u const& b) {
    return u(a.low % b.low, a.high % b.high);
  }
  WEFT_INLINE friend u operator&(u const& a, u const& b) {
    return u(a.low & b.low, a.high & b.high);
  }
  WEFT_INLINE friend u operator|(u const& a, u const& b) {
    return u(a.low | b.low, a.high | b.high);
  }
  WEFT_INLINE friend u operator^(u const& a, u const& b) {
    return u(a.low ^ b.low, a.high ^ b.high);
  }
  WEFT_INLINE friend u operator~(u const& a) { return u(~a.low, ~a.high); }
  WEFT_INLINE friend u shl(u const& a, int n) { return u(a.low << n, a.high << n); }
  WEFT_INLINE friend u shr(u const& a, int n) { return u(a.low >> n, a.high >> n); }
  WEFT_INLINE friend u rotl(u const& a, int n) { return shl(a, n) | shr(a, 64 - n); }
  WEFT_INLINE friend u shlv(u const& a, u const& n) { return u(a.low << n.low, a.high << n.high); }
  WEFT_INLINE friend u shrv(u const& a, u const& n) { return u(a.low >> n.low, a.high >> n.high); }
  WEFT_INLINE friend m operator<(u const& a, u const& b) {
    return masked(a.low < b.low, a.high < b.high);
  }
  WEFT_INLINE friend m operator<=(u const& a, u const& b) {
    return masked(a.low <= b.low, a.high <= b.high);
  }
  WEFT_INLINE friend m operator==(u const& a, u const& b) {
    return masked(a.low == b.low, a.high == b.high);
  }
  WEFT_INLINE friend f as_float(u const& a) {
    using to = typename f::vector;
    return f(to(a.low), to(a.high));
  }
  WEFT_INLINE friend i as_int(u const& a) { return i(signed_vector(a.low), signed_vector(a.high)); }
  // 2^52 + lower half and 2^84 + 2^32 upper half are put together from bits; their difference to
  // 2^84 + 2^52 is exact, and the sum is the one rounding.
  WEFT_INLINE friend f to_float(u const& a) {
    f const upper = as_float(shr(a, 32) | u(0x4530000000000000u));
    f const lower = as_float((a & u(0xffffffffu)) | u(0x4330000000000000u));
    return (upper - f(0x1.00000001p+84)) + lower;
  }
  WEFT_INLINE friend pack_u32<Target> narrow(u const& a) {
    return pack_u32<Target>(machine::even_words(a.low, a.high));
  }
  WEFT_INLINE friend u select(m const& c, u const& x, u const& y) {
    detail::wide_mask<Target> const w(c.value);
    return u(w.low ? x.low : y.low, w.high ? x.high : y.high);
  }
  WEFT_INLINE friend std::uint64_t lane(u const& a, int k) {
    return k < lanes / 2 ? a.low[k] : a.high[k - lanes / 2];
  }

private:
  template <class Vector> WEFT_INLINE static m masked(Vector const& a, Vector const& b) {
    return m(detail::wide_mask<Target>(signed_vector(a), signed_vector(b)).narrow());
  }
};

template <class Target> struct pack_i64 {
  using f = pack_f64<Target>;
  using i = pack_i64;
  using u = pack_u64<Target>;
  using m = pack_mask<Target>;
  using wide = pack_i64;
  using narrow = pack_i32<Target>;
  using machine = detail::instructions<Target>;
  using vector = typename machine::l;
  using unsigned_vector = typename machine::q;
  using target = Target;
  static constexpr int lanes = Target::lanes;
  vector low, high;

  pack_i64() = default;
  WEFT_INLINE explicit pack_i64(std::int64_t x) : low(vector{} + x), high(low) {}
  WEFT_INLINE pack_i64(vector const& a, vector const& b) : low(a), high(b) {}

  // Wraps: by way of unsigned.
  WEFT_INLINE friend i operator+(i const& a, i const& b) { return as_int(as_uint(a) + as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a, i const& b) { return as_int(as_uint(a) - as_uint(b)); }
  WEFT_INLINE friend i operator*(i const& a, i const& b) { return as_int(as_uint(a) * as_uint(b)); }
  WEFT_INLINE friend i operator-(i const& a) { return as_int(u(0u) - as_uint(a)); }
  WEFT_INLINE friend i operator/(i const& a, i const& b) {
    return i(a.low / b.low, a.high / b.high);
  }
  WEFT_INLINE friend i operator%(i const& a, i const& b) {
    return i(a.low % b.low, a.high % b.high);
  }
  WEFT_INLINE friend i sar(i const& a, int n) { return i(a.low >> n, a.high >> n); }
  WEFT_INLINE friend i sarv(i const& a, u const& n) {
    return i(a.low >> vector(n.low), a.high >> vector(n.high));
  }
  WEFT_INLINE friend m operator<(i const& a, i const& b) {
    return masked(a.low < b.low, a.high < b.high);
  }
  WEFT_INLINE friend m operator<=(i const& a, i const& b) {
    return masked(a.low <= b.low, a.high <= b.high);
  }
  WEFT_INLINE friend m operator==(i const& a, i const& b) {
    return masked(a.low == b.low, a.high == b.high);
  }
  WEFT_INLINE friend u as_uint(i const& a) {
    return u(unsigned_vector(a.low), unsigned_vector(a.high));
  }
  // As of u64, with 2^63 added to the upper half.
  WEFT_INLINE friend f to_float(i const& a) {
    u const x = as_uint(a);
    f const upper = as_float(shr(x, 32) ^ u(0x4530000080000000u));
    f const lower = as_float((x & u(0xffffffffu)) | u(0x4330000000000000u));
    return (upper - f(0x1.00000801p+84)) + lower;
  }
  WEFT_INLINE friend pack_i32<Target> narrow(i const& a) {
    u const x = as_uint(a);
    return as_int(pack_u32<Target>(machine::even_words(x.low, x.high)));
  }
  WEFT_INLINE friend i select(m const& c, i const& x, i const& y) {
    detail::wide_mask<Target> const w(c.value);
    return i(w.low ? x.low : y.low, w.high ? x.high : y.high);
  }
  WEFT_INLINE friend std::int64_t lane(i const& a, int k) {
    return k < lanes / 2 ? a.low[k] : a.high[k - lanes / 2];
  }

private:
  template <class Vector> WEFT_INLINE static m masked(Vector const& a, Vector const& b) {
    return m(detail::wide_mask<Target>(vector(a), vector(b)).narrow());
  }
};

template <class Target> struct pack_f64 {
  using f = pack_f64;
  using i = pack_i64<Target>;
  using u = pack_u64<Target>;
  using m = pack_mask<Target>;
  using wide = pack_f64;
  using narrow = pack_f32<Target>;
  using machine = detail::instructions<Target>;
  using vector = typename machine::d;
  using target = Target;
  static constexpr int lanes = Target::lanes;
  vector low, high;

  pack_f64() = default;
  WEFT_INLINE explicit pack_f64(double x)
      : low(x - vector{}), high(low) {} // x - 0 is x, also for -0
  WEFT_INLINE pack_f64(vector const& a, vector const& b) : low(a), high(b) {}

  WEFT_INLINE friend f operator+(f const& a, f const& b) {
    return f(a.low + b.low, a.high + b.high);
  }
  WEFT_INLINE friend f operator-(f const& a, f const& b) {
    return f(a.low - b.low, a.high - b.high);
  }
  WEFT_INLINE friend f operator*(f const& a, f const& b) {
    f product(a.low * b.low, a.high * b.high);
    detail::keep_product(product.low);
    detail::keep_product(product.high);
    return product;
  }
  WEFT_INLINE friend f operator/(f const& a, f const& b) {
    return f(a.low / b.low, a.high / b.high);
  }
  WEFT_INLINE friend f operator-(f const& a) { return as_float(bits(a) ^ u(sign_bit)); }
  WEFT_INLINE friend f fma(f const& a, f const& b, f const& c) {
    return f(machine::fma(a.low, b.low, c.low), machine::fma(a.high, b.high, c.high));
  }
  WEFT_INLINE friend f sqrt(f const& a) { return f(machine::sqrt(a.low), machine::sqrt(a.high)); }
  WEFT_INLINE friend f abs(f const& a) { return as_float(bits(a) & u(~sign_bit)); }
  WEFT_INLINE friend f min(f const& a, f const& b) {
    return f(a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high);
  }
  WEFT_INLINE friend f max(f const& a, f const& b) {
    return f(a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
  }
  WEFT_INLINE friend m operator<(f const& a, f const& b) {
    return masked(a.low < b.low, a.high < b.high);
  }
  WEFT_INLINE friend m operator<=(f const& a, f const& b) {
    return masked(a.low <= b.low, a.high <= b.high);
  }
  WEFT_INLINE friend m operator==(f const& a, f const& b) {
    return masked(a.low == b.low, a.high == b.high);
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
  WEFT_INLINE friend pack_f32<Target> narrow(f const& a) {
    return pack_f32<Target>(machine::narrow(a.low, a.high));
  }
  WEFT_INLINE friend f select(m const& c, f const& x, f const& y) {
    detail::wide_mask<Target> const w(c.value);
    return f(w.low ? x.low : y.low, w.high ? x.high : y.high);
  }
  WEFT_INLINE friend double lane(f const& a, int k) {
    return k < lanes / 2 ? a.low[k] : a.high[k - lanes / 2];
  }

private:
  static constexpr std::uint64_t sign_bit = 0x8000000000000000u;
  template <class Vector> WEFT_INLINE static m masked(Vector const& a, Vector const& b) {
    using to = typename machine::l;
    return m(detail::wide_mask<Target>(to(a), to(b)).narrow());
  }
};

} // namespace cpu
} // namespace weft::inline v0
