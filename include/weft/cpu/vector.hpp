// SPDX-License-Identifier: BSL-1.0
// Registers of a target: the compilers' native vector types, and the few operations that they do
// not spell, or spell badly: fused multiply-add, square root, any, masked access, 16-bit floats,
// and the ways between one register of 32-bit lanes and two of 64-bit lanes:
//   widen<Half>(x)          lanes of the lower or upper half of x as 64-bit numbers
//   even_words(low, high)   the lower 32 bits of every 64-bit lane of both
//   narrow(low, high)       doubles to floats, nearest even
// Needs: core/config.hpp. Leaves: no other file but cpu/target.hpp names an instruction set.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/half.hpp>
#include <weft/cpu/target.hpp>
#include <weft/op/numeric_wide.hpp>

#include <bit>
#include <cstdint>
#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace weft::inline v0 {
namespace detail {

// Vectors of `Lanes` elements. Typedefs, because g++ drops the attribute from template arguments.
template <int Lanes> struct vectors {
  typedef float f __attribute__((vector_size(Lanes * 4)));
  typedef std::int32_t i __attribute__((vector_size(Lanes * 4)));
  typedef std::uint32_t u __attribute__((vector_size(Lanes * 4)));
  typedef std::uint16_t halves __attribute__((vector_size(Lanes * 2)));
  typedef std::int16_t signed_halves __attribute__((vector_size(Lanes * 2)));
  typedef std::uint8_t bytes __attribute__((vector_size(Lanes)));
  typedef std::int8_t signed_bytes __attribute__((vector_size(Lanes)));
  // Half of the lanes, twice as wide.
  typedef double d __attribute__((vector_size(Lanes * 4)));
  typedef std::int64_t l __attribute__((vector_size(Lanes * 4)));
  typedef std::uint64_t q __attribute__((vector_size(Lanes * 4)));
  typedef float half_f __attribute__((vector_size(Lanes * 2)));
};

// What every target has by the compilers' means.
template <int Lanes> struct portable {
  using vector = vectors<Lanes>;
  using f = typename vector::f;
  using i = typename vector::i;
  using u = typename vector::u;
  using d = typename vector::d;
  using l = typename vector::l;
  using q = typename vector::q;

  // Elements First, First + Step, ... of a and b one after the other.
  template <int First, int Step, int Count, class V>
  WEFT_INLINE static auto shuffle(V const& a, V const& b) {
    return [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
      return __builtin_shufflevector(a, b, (First + K * Step)...);
    }(std::make_integer_sequence<int, Count>{});
  }
  template <int Half, class V> WEFT_INLINE static auto half(V const& x) {
    return shuffle<Half * Lanes / 2, 1, Lanes / 2>(x, x);
  }
  template <int Half> WEFT_INLINE static d widen(f const& x) {
    return __builtin_convertvector(half<Half>(x), d);
  }
  // Each word and the one that is to be above it, side by side.
  template <int Half, class V> WEFT_INLINE static V paired(V const& x, V const& above) {
    return [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
      return __builtin_shufflevector(x, above, (Half * Lanes / 2 + K / 2 + K % 2 * Lanes)...);
    }(std::make_integer_sequence<int, Lanes>{});
  }
  template <int Half> WEFT_INLINE static l widen(i const& x) { return l(paired<Half>(x, x >> 31)); }
  template <int Half> WEFT_INLINE static q widen(u const& x) { return q(paired<Half>(x, u{})); }
  WEFT_INLINE static u even_words(q const& low, q const& high) {
    return shuffle<0, 2, Lanes>(u(low), u(high));
  }
  WEFT_INLINE static f narrow(d const& low, d const& high) {
    using part = typename vector::half_f;
    return shuffle<0, 1, Lanes>(__builtin_convertvector(low, part),
                                __builtin_convertvector(high, part));
  }
};

// Was one of many numbers NaN?  nan_watch w;  w.clear();  w.note(a, b);  w.any()
template <class Machine> struct portable_nan_watch {
  using f = typename Machine::f;
  using i = typename Machine::i;
  i seen;

  WEFT_INLINE void clear() { seen = i{}; }
  WEFT_INLINE void note(f const& a, f const& b) { seen = seen | i(a != a) | i(b != b); }
  WEFT_INLINE bool any() const { return Machine::any(seen); }
};

template <class Target> struct instructions;

template <> struct instructions<cpu::generic> : portable<cpu::generic::lanes> {
  static constexpr int lanes = cpu::generic::lanes;

  WEFT_INLINE static d fma(d const& a, d const& b, d const& c) {
#if defined(__AVX2__) && defined(__FMA__)
    return d(_mm_fmadd_pd(__m128d(a), __m128d(b), __m128d(c)));
#else
    d r{};
    for (int k = 0; k < lanes / 2; ++k) r[k] = fused(a[k], b[k], c[k]);
    return r;
#endif
  }
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA)
  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
#if defined(__AVX2__) && defined(__FMA__)
    return f(_mm_fmadd_ps(__m128(a), __m128(b), __m128(c)));
#else
    f r{};
    for (int k = 0; k < lanes; ++k) r[k] = __builtin_fmaf(a[k], b[k], c[k]);
    return r;
#endif
  }
#else
  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
    return fma_in_double<flags>(a, b, c);
  }

private:
  // Units compiled for more, but without FMA, must not lend their copy to others.
  static constexpr int flags = 0
#if defined(__SSE4_1__)
                               + 1
#endif
#if defined(__SSE4_2__)
                               + 2
#endif
#if defined(__AVX__)
                               + 4
#endif
#if defined(__AVX2__)
                               + 8
#endif
      ;
  // detail::fused of op/numeric.hpp, two lanes at a time and without a branch.
  WEFT_INLINE static d rounded_to_odd(d const& a, d const& b, d const& c) {
    d const p = a * b, s = p + c, t = s - p;
    d const error = (p - (s - t)) + (c - t);
    q const inexact = q(error < 0) | q(error > 0);
    q const step = inexact & ~q(s) & 1;        // 1 where the last bit must become odd
    q const inwards = (q(error) ^ q(s)) >> 63; // 1 where |s| is too large
    return d(q(s) + step - ((step & inwards) << 1));
  }
  // One copy: inlined at each use it was half of a program's code. By shuffles and vector
  // conversions: from lanes taken one by one, g++ 12 -O2 makes wrong code (its SLP vectoriser;
  // tests/cpu/test_pack.cpp sees it).
  template <int> WEFT_NOINLINE static f fma_in_double(f a, f b, f c) {
    return narrow(rounded_to_odd(widen<0>(a), widen<0>(b), widen<0>(c)),
                  rounded_to_odd(widen<1>(a), widen<1>(b), widen<1>(c)));
  }

public:
#endif
  WEFT_INLINE static f sqrt(f const& a) {
    f r{};
    for (int k = 0; k < lanes; ++k) r[k] = __builtin_sqrtf(a[k]);
    return r;
  }
  WEFT_INLINE static d sqrt(d const& a) {
    d r{};
    for (int k = 0; k < lanes / 2; ++k) r[k] = __builtin_sqrt(a[k]);
    return r;
  }
  WEFT_INLINE static bool any(i const& m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
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

#if defined(__AVX2__) && defined(__FMA__)
template <> struct instructions<cpu::avx2> : portable<cpu::avx2::lanes> {
  static constexpr int lanes = cpu::avx2::lanes;

  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
    return f(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
  }
  WEFT_INLINE static d fma(d const& a, d const& b, d const& c) {
    return d(_mm256_fmadd_pd(__m256d(a), __m256d(b), __m256d(c)));
  }
  WEFT_INLINE static f sqrt(f const& a) { return f(_mm256_sqrt_ps(__m256(a))); }
  WEFT_INLINE static d sqrt(d const& a) { return d(_mm256_sqrt_pd(__m256d(a))); }

  // g++ 12 makes two or three times as many instructions of the portable forms.
  template <int Half> WEFT_INLINE static __m128i half(__m256i x) {
    if constexpr (Half == 0) return _mm256_castsi256_si128(x);
    else return _mm256_extracti128_si256(x, 1);
  }
  template <int Half> WEFT_INLINE static d widen(f const& x) {
    return d(_mm256_cvtps_pd(_mm_castsi128_ps(half<Half>(__m256i(x)))));
  }
  template <int Half> WEFT_INLINE static l widen(i const& x) {
    return l(_mm256_cvtepi32_epi64(half<Half>(__m256i(x))));
  }
  template <int Half> WEFT_INLINE static q widen(u const& x) {
    return q(_mm256_cvtepu32_epi64(half<Half>(__m256i(x))));
  }
  WEFT_INLINE static u even_words(q const& low, q const& high) {
    __m256 const mixed = _mm256_shuffle_ps(__m256(low), __m256(high), 0x88);
    return u(_mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xd8));
  }
  WEFT_INLINE static __m128i bytes_of(vector::bytes const& x) {
    return _mm_cvtsi64_si128(std::bit_cast<long long>(x));
  }
  WEFT_INLINE static i extend(vector::bytes const& x) {
    return i(_mm256_cvtepu8_epi32(bytes_of(x)));
  }
  WEFT_INLINE static i extend(vector::signed_bytes const& x) {
    return i(_mm256_cvtepi8_epi32(bytes_of(vector::bytes(x))));
  }
  WEFT_INLINE static i extend(vector::halves const& x) {
    return i(_mm256_cvtepu16_epi32(__m128i(x)));
  }
  WEFT_INLINE static i extend(vector::signed_halves const& x) {
    return i(_mm256_cvtepi16_epi32(__m128i(x)));
  }
  // The low bits of every lane: shuffled together in each half, then the halves.
  WEFT_INLINE static vector::bytes low_bytes(i const& x) {
    __m256i const order = _mm256_set1_epi64x(0x0c0804000c080400);
    __m256i const part = _mm256_shuffle_epi8(__m256i(x), order);
    return std::bit_cast<vector::bytes>(
        _mm_cvtsi128_si64(_mm_unpacklo_epi32(half<0>(part), half<1>(part))));
  }
  WEFT_INLINE static vector::halves low_halves(i const& x) {
    __m256i const order = _mm256_set1_epi64x(0x0d0c090805040100);
    __m256i const part = _mm256_shuffle_epi8(__m256i(x), order);
    return vector::halves(half<0>(_mm256_permute4x64_epi64(part, 0xe8)));
  }
#if defined(__F16C__)
  WEFT_INLINE static f from_halves(vector::halves const& x) {
    return f(_mm256_cvtph_ps(__m128i(x)));
  }
  WEFT_INLINE static vector::halves to_halves(f const& x) {
    return vector::halves(_mm256_cvtps_ph(__m256(x), _MM_FROUND_TO_NEAREST_INT));
  }
#endif
  // a > b ? a : b and a < b ? a : b, of which g++ 12 makes two instructions.
  WEFT_INLINE static f max(f const& a, f const& b) {
    return f(_mm256_max_ps(__m256(a), __m256(b)));
  }
  WEFT_INLINE static f min(f const& a, f const& b) {
    return f(_mm256_min_ps(__m256(a), __m256(b)));
  }
  // -0 < +0, and NaN wins: of equal numbers and with a NaN both orders of operands differ, and give b
  // and a. `or` of them is -0 or NaN where one of them is, `and` is +0.
  WEFT_INLINE static f ordered_max(f const& a, f const& b) {
    __m256 const both = _mm256_and_ps(__m256(max(a, b)), __m256(max(b, a)));
    return f(_mm256_or_ps(both, _mm256_cmp_ps(__m256(a), __m256(b), _CMP_UNORD_Q)));
  }
  WEFT_INLINE static f ordered_min(f const& a, f const& b) {
    return f(_mm256_or_ps(__m256(min(a, b)), __m256(min(b, a))));
  }
  WEFT_INLINE static bool any(i const& m) { return _mm256_movemask_ps(__m256(m)) != 0; }
  struct nan_watch { // of two numbers by one comparison
    f seen;

    WEFT_INLINE void clear() { seen = f{}; }
    WEFT_INLINE void note(f const& a, f const& b) {
      seen = f(_mm256_or_ps(__m256(seen), _mm256_cmp_ps(__m256(a), __m256(b), _CMP_UNORD_Q)));
    }
    WEFT_INLINE bool any() const { return _mm256_movemask_ps(__m256(seen)) != 0; }
  };
  // Words from b where the mask's bit is set; a shuffle of both, for which g++ 12 shuffles.
  template <int Mask, class V> WEFT_INLINE static V blend(V const& a, V const& b) {
    return V(_mm256_blend_ps(__m256(a), __m256(b), Mask));
  }
  WEFT_INLINE static __m256i first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  WEFT_INLINE static u load_first(void const* p, int n) {
    return u(_mm256_maskload_epi32(static_cast<int const*>(p), first(n)));
  }
  // (A masked store takes a Zen 3 twelve cycles.)
  WEFT_INLINE static void store_first(void* p, u const& x, int n) {
    if (n >= lanes) __builtin_memcpy(p, &x, sizeof x);
    else _mm256_maskstore_epi32(static_cast<int*>(p), first(n), __m256i(x));
  }
};
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
template <> struct instructions<cpu::avx512> : portable<cpu::avx512::lanes> {
  static constexpr int lanes = cpu::avx512::lanes;

  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
    return f(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
  }
  WEFT_INLINE static d fma(d const& a, d const& b, d const& c) {
    return d(_mm512_fmadd_pd(__m512d(a), __m512d(b), __m512d(c)));
  }
  // The unmasked intrinsics read an undefined register, and g++ 12 warns.
  WEFT_INLINE static f sqrt(f const& a) { return f(_mm512_maskz_sqrt_ps(0xffff, __m512(a))); }
  WEFT_INLINE static d sqrt(d const& a) { return d(_mm512_maskz_sqrt_pd(0xff, __m512d(a))); }
  WEFT_INLINE static f from_halves(vector::halves const& x) {
    return f(_mm512_maskz_cvtph_ps(0xffff, __m256i(x)));
  }
  WEFT_INLINE static vector::halves to_halves(f const& x) {
    return vector::halves(_mm512_maskz_cvtps_ph(0xffff, __m512(x), _MM_FROUND_TO_NEAREST_INT));
  }
  // x 2^n, n an integer: rounded once.
  WEFT_INLINE static f scale(f const& x, f const& n) {
    return f(_mm512_maskz_scalef_ps(0xffff, __m512(x), __m512(n)));
  }
  // a > b ? a : b and a < b ? a : b, of which g++ 12 makes two instructions.
  WEFT_INLINE static f max(f const& a, f const& b) {
    return f(_mm512_maskz_max_ps(0xffff, __m512(a), __m512(b)));
  }
  WEFT_INLINE static f min(f const& a, f const& b) {
    return f(_mm512_maskz_min_ps(0xffff, __m512(a), __m512(b)));
  }
  // -0 < +0, which this instruction knows; of a NaN it returns the other, so that is mended.
  WEFT_INLINE static f ordered_max(f const& a, f const& b) {
    return with_nans(_mm512_maskz_range_ps(0xffff, __m512(a), __m512(b), 5), a, b);
  }
  WEFT_INLINE static f ordered_min(f const& a, f const& b) {
    return with_nans(_mm512_maskz_range_ps(0xffff, __m512(a), __m512(b), 4), a, b);
  }
  WEFT_INLINE static f with_nans(__m512 x, f const& a, f const& b) {
    __mmask16 const nan = _mm512_cmp_ps_mask(__m512(a), __m512(b), _CMP_UNORD_Q);
    return f(_mm512_mask_or_ps(x, nan, __m512(a), __m512(b)));
  }
  // a / b for many a, rounded to nearest even (the division of a register takes Intel's cores 16
  // cycles, this 4). With 1 / b in two parts, y = 1 / b rounded and what is left of it, a / b is
  // within 1 ulp, and its residue rounds it correctly (Markstein; Handbook of Floating-Point
  // Arithmetic, 4.7), as long as nothing under- or overflows: |a| from 2^-79 to below 2^49, whose
  // exponents' highest bit is set when 80 is added. Of other numbers zeros have their sign from a y.
  struct divisor {
    f value, inverse, rest;
    u probe; // that bit; 0, which no number has, where b is not from 2^-40 to 2^40
  };
  WEFT_INLINE static divisor divisor_of(f const& b) {
    std::uint32_t const magnitude = std::bit_cast<std::uint32_t>(b[0]) << 1;
    bool const usual = magnitude - (87u << 24) <= (80u << 24);
    f const inverse = f{} + 1.0f / b[0];
    return {b, inverse, fma(-inverse, b, f{} + 1.0f) * inverse, u{} + (usual ? 1u << 30 : 0u)};
  }
  WEFT_INLINE static f quotient(f const& a, divisor const& by) {
    f const near = fma(a, by.inverse, a * by.rest);
    f const q = fma(fma(-near, by.value, a), by.inverse, near);
    __mmask16 const unusual = _mm512_testn_epi32_mask(__m512i(u(a) + (80u << 23)),
                                                      __m512i(by.probe));
    if (unusual != 0) [[unlikely]] {
      if (by.probe[0] == 0 ||
          _mm512_mask_test_epi32_mask(unusual, __m512i(u(a) << 1), __m512i(u(a) << 1)) != 0)
        return a / by.value;
      return f(_mm512_mask_mul_ps(__m512(q), unusual, __m512(a), __m512(by.inverse)));
    }
    return q;
  }
  WEFT_INLINE static bool any(i const& m) { return _mm512_movepi32_mask(__m512i(m)) != 0; }
  struct nan_watch { // of two numbers by one comparison
    unsigned seen;

    WEFT_INLINE void clear() { seen = 0; }
    WEFT_INLINE void note(f const& a, f const& b) {
      seen |= _mm512_cmp_ps_mask(__m512(a), __m512(b), _CMP_UNORD_Q);
    }
    WEFT_INLINE bool any() const { return seen != 0; }
  };
  WEFT_INLINE static __mmask16 first(int n) { return static_cast<__mmask16>((1u << n) - 1u); }
  WEFT_INLINE static u load_first(void const* p, int n) {
    return u(_mm512_maskz_loadu_epi32(first(n), p));
  }
  WEFT_INLINE static void store_first(void* p, u const& x, int n) {
    _mm512_mask_storeu_epi32(p, first(n), __m512i(x));
  }
};
#if defined(__AVX512BF16__)
template <> struct instructions<cpu::avx512_bf16> : instructions<cpu::avx512> {
  // Lanes of two bf16: fma of the high halves, then of the low ones. Subnormals count as zero.
  // (clang 16 overflows its stack on the intrinsic's vectors of bf16.)
  WEFT_INLINE static f add_pairs(u const& a, u const& b, f c) {
    __asm__("vdpbf16ps {%2, %1, %0|%0, %1, %2}" : "+v"(c) : "v"(a), "v"(b));
    return c;
  }
};
#endif
#endif

// One f16 as a float.
WEFT_INLINE float half_to_float(f16 x) {
#if defined(__F16C__)
  return _cvtsh_ss(x.bits);
#else
  return static_cast<float>(x);
#endif
}

} // namespace detail
} // namespace weft::inline v0
