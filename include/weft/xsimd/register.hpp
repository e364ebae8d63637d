// SPDX-License-Identifier: BSL-1.0
// Registers of a target of xsimd: vectors of the compiler, as cpu/vector.hpp has them, and xsimd's
// operations on them. Memory access, conversions of width and integer division stay cpu/vector.hpp's.
// Not xsimd's: fma where xsimd has none with one rounding (only fma3 of x86 has).
// Needs: xsimd 8.1 and later; registers of 16, 32 or 64 bytes.
#pragma once

#include <weft/cpu/vector.hpp>

#include <xsimd/xsimd.hpp>

#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {
namespace detail {

template <class Arch> inline constexpr bool fused_by_xsimd = false;
template <class Arch> inline constexpr bool fused_by_xsimd<::xsimd::fma3<Arch>> = true;

} // namespace detail

namespace cpu {

template <class Arch = ::xsimd::default_arch> struct xsimd_target {
  static constexpr int lanes = static_cast<int>(::xsimd::batch<float, Arch>::size);
  static constexpr bool has_fma = detail::fused_by_xsimd<Arch> || lanes == 16;
  static_assert(lanes == 4 || lanes == 8 || lanes == 16,
                "weft: xsimd_target: registers of 16, 32 or 64 bytes; choose another set");
};

} // namespace cpu

namespace detail {

// Operations on vectors of T as batches of T. `mask`: lanes of all bits or none, as wide as T.
template <class T, class Arch> struct xsimd_register {
  using batch = ::xsimd::batch<T, Arch>;
  using flags = ::xsimd::batch_bool<T, Arch>;
  static constexpr int lanes = static_cast<int>(batch::size);
  using word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T vector __attribute__((vector_size(sizeof(T) * batch::size)));
  typedef word mask __attribute__((vector_size(sizeof(T) * batch::size)));
  // Choosing is by bits; xsimd 8.1 does not compile it for unsigned at -O0 with AVX-512.
  using chosen = std::conditional_t<std::is_floating_point_v<T>, T, word>;
  using words = xsimd_register<word, Arch>;

  WEFT_INLINE static batch in(vector const& v) { return batch(typename batch::register_type(v)); }
  WEFT_INLINE static vector out(batch const& b) { return vector(b.data); }
  WEFT_INLINE static vector all(T x) { return out(batch(x)); }
  WEFT_INLINE static mask out(flags const& b) {
    if constexpr (sizeof b.data == sizeof(mask)) return mask(b.data);
    else {
      using chosen_lanes = ::xsimd::batch_bool<word, Arch>;
      using numbers = ::xsimd::batch<word, Arch>;
      return mask(::xsimd::select(chosen_lanes(b.data), numbers(word{-1}), numbers(word{0})).data);
    }
  }
  template <class To> WEFT_INLINE static ::xsimd::batch_bool<To, Arch> flags_of(mask const& m) {
    using to = ::xsimd::batch_bool<To, Arch>;
    if constexpr (sizeof(typename to::register_type) == sizeof m)
      return to(typename to::register_type(m));
    else return to((words::in(m) != ::xsimd::batch<word, Arch>(word{0})).data);
  }

  WEFT_INLINE static vector add(vector const& a, vector const& b) { return out(in(a) + in(b)); }
  WEFT_INLINE static vector sub(vector const& a, vector const& b) { return out(in(a)-in(b)); }
  WEFT_INLINE static vector mul(vector const& a, vector const& b) {
    vector product = out(in(a)*in(b));
    if constexpr (std::is_floating_point_v<T>) keep_product(product);
    return product;
  }
  WEFT_INLINE static vector div(vector const& a, vector const& b) {
    if constexpr (std::is_floating_point_v<T>) return out(in(a) / in(b));
    else return a / b;
  }
  WEFT_INLINE static vector sqrt(vector const& a) { return out(::xsimd::sqrt(in(a))); }
  WEFT_INLINE static vector both(vector const& a, vector const& b) { return out(in(a)&in(b)); }
  WEFT_INLINE static vector either(vector const& a, vector const& b) { return out(in(a) | in(b)); }
  WEFT_INLINE static vector differ(vector const& a, vector const& b) { return out(in(a) ^ in(b)); }
  WEFT_INLINE static vector invert(vector const& a) { return out(~in(a)); }
  WEFT_INLINE static vector shl(vector const& a, int n) { return out(in(a) << n); }
  WEFT_INLINE static vector shr(vector const& a, int n) { return out(in(a) >> n); }
  WEFT_INLINE static mask less(vector const& a, vector const& b) { return out(in(a) < in(b)); }
  WEFT_INLINE static mask less_equal(vector const& a, vector const& b) {
    return out(in(a) <= in(b));
  }
  WEFT_INLINE static mask equal(vector const& a, vector const& b) { return out(in(a) == in(b)); }
  WEFT_INLINE static vector select(mask const& m, vector const& x, vector const& y) {
    using by = xsimd_register<chosen, Arch>;
    using v = typename by::vector;
    return vector(by::out(::xsimd::select(flags_of<chosen>(m), by::in(v(x)), by::in(v(y)))));
  }
};

// Registers of a target of xsimd; what xsimd does not offer is as in cpu/vector.hpp.
template <class Arch>
struct instructions<cpu::xsimd_target<Arch>> : portable<cpu::xsimd_target<Arch>::lanes> {
  static constexpr int lanes = cpu::xsimd_target<Arch>::lanes;
  using base = portable<lanes>;
  using f = typename base::f;
  using i = typename base::i;
  using u = typename base::u;
  using d = typename base::d;
  template <class T> using by = xsimd_register<T, Arch>;

  // In quarters or halves of 16 bytes, joined by bits: no lane is taken by itself.
  template <class T, class V> WEFT_INLINE static V in_parts(V const& a, V const& b, V const& c) {
    using small = instructions<cpu::generic>;
    using part = std::conditional_t<sizeof(T) == 4, small::f, small::d>;
    constexpr unsigned count = sizeof(V) / sizeof(part);
    part x[count], y[count], z[count];
    __builtin_memcpy(x, &a, sizeof a);
    __builtin_memcpy(y, &b, sizeof b);
    __builtin_memcpy(z, &c, sizeof c);
    for (unsigned k = 0; k < count; ++k) x[k] = small::fma(x[k], y[k], z[k]);
    V r;
    __builtin_memcpy(&r, x, sizeof r);
    return r;
  }
  template <class T, class V> WEFT_INLINE static V fused(V const& a, V const& b, V const& c) {
    using r = by<T>;
    if constexpr (fused_by_xsimd<Arch>) return r::out(::xsimd::fma(r::in(a), r::in(b), r::in(c)));
    else return in_parts<T>(a, b, c);
  }
  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
#if defined(__AVX512F__)
    if constexpr (lanes == 16) return f(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
#endif
    return fused<float>(a, b, c);
  }
  WEFT_INLINE static d fma(d const& a, d const& b, d const& c) {
#if defined(__AVX512F__)
    if constexpr (lanes == 16) return d(_mm512_fmadd_pd(__m512d(a), __m512d(b), __m512d(c)));
#endif
    return fused<double>(a, b, c);
  }
  WEFT_INLINE static f sqrt(f const& a) { return by<float>::sqrt(a); }
  WEFT_INLINE static d sqrt(d const& a) { return by<double>::sqrt(a); }
  WEFT_INLINE static bool any(i const& m) {
    return ::xsimd::any(by<std::int32_t>::template flags_of<std::int32_t>(m));
  }
  using nan_watch = portable_nan_watch<instructions>;
  WEFT_INLINE static u load_first(void const* p, int n) {
    u r{};
    __builtin_memcpy(&r, p, static_cast<unsigned>(n) * sizeof(std::uint32_t));
    return r;
  }
  WEFT_INLINE static void store_first(void* p, u const& x, int n) {
    __builtin_memcpy(p, &x, static_cast<unsigned>(n) * sizeof(std::uint32_t));
  }
};

} // namespace detail

} // namespace weft::inline v0
