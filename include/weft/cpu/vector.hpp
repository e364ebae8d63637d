// SPDX-License-Identifier: BSL-1.0
// Registers of a target: the compilers' native vector types, and the few operations that they do
// not spell: fused multiply-add, square root, any, masked access.
// Needs: core/config.hpp. Leaves: no other file but cpu/target.hpp names an instruction set.
#pragma once

#include <weft/core/config.hpp>
#include <weft/cpu/target.hpp>

#include <cstdint>

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
  typedef std::int8_t bytes __attribute__((vector_size(Lanes)));
};

template <class Target> struct instructions;

template <> struct instructions<cpu::generic> {
  static constexpr int lanes = cpu::generic::lanes;
  using vector = vectors<lanes>;
  using f = vector::f;
  using i = vector::i;
  using u = vector::u;

#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA)
  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
    f r{};
    for (int k = 0; k < lanes; ++k) r[k] = __builtin_fmaf(a[k], b[k], c[k]);
    return r;
  }
#else
  // detail::fused of op/numeric.hpp, two lanes at a time and without a branch.
  typedef double doubles __attribute__((vector_size(16)));
  typedef std::uint64_t words __attribute__((vector_size(16)));
  typedef float pair __attribute__((vector_size(8)));

  WEFT_INLINE static doubles rounded_to_odd(doubles const& a, doubles const& b, doubles const& c) {
    doubles const p = a * b, s = p + c, t = s - p;
    doubles const error = (p - (s - t)) + (c - t);
    words const inexact = words(error < 0) | words(error > 0);
    words const step = inexact & ~words(s) & 1;            // 1 where the last bit must become odd
    words const inwards = (words(error) ^ words(s)) >> 63; // 1 where |s| is too large
    return doubles(words(s) + step - ((step & inwards) << 1));
  }
  // By shuffles and vector conversions: from lanes taken one by one, g++ 12 -O2 makes wrong code
  // (its SLP vectoriser; tests/cpu/test_pack.cpp sees it).
  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
    auto low = [](f const& x) WEFT_LAMBDA {
      return __builtin_convertvector(__builtin_shufflevector(x, x, 0, 1), doubles);
    };
    auto high = [](f const& x) WEFT_LAMBDA {
      return __builtin_convertvector(__builtin_shufflevector(x, x, 2, 3), doubles);
    };
    auto const r = __builtin_convertvector(rounded_to_odd(low(a), low(b), low(c)), pair);
    auto const s = __builtin_convertvector(rounded_to_odd(high(a), high(b), high(c)), pair);
    return __builtin_shufflevector(r, s, 0, 1, 2, 3);
  }
#endif
  WEFT_INLINE static f sqrt(f const& a) {
    f r{};
    for (int k = 0; k < lanes; ++k) r[k] = __builtin_sqrtf(a[k]);
    return r;
  }
  WEFT_INLINE static bool any(i const& m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
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
template <> struct instructions<cpu::avx2> {
  static constexpr int lanes = cpu::avx2::lanes;
  using vector = vectors<lanes>;
  using f = vector::f;
  using i = vector::i;
  using u = vector::u;

  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
    return f(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
  }
  WEFT_INLINE static f sqrt(f const& a) { return f(_mm256_sqrt_ps(__m256(a))); }
  WEFT_INLINE static bool any(i const& m) { return _mm256_movemask_ps(__m256(m)) != 0; }
  WEFT_INLINE static __m256i first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  WEFT_INLINE static u load_first(void const* p, int n) {
    return u(_mm256_maskload_epi32(static_cast<int const*>(p), first(n)));
  }
  WEFT_INLINE static void store_first(void* p, u const& x, int n) {
    _mm256_maskstore_epi32(static_cast<int*>(p), first(n), __m256i(x));
  }
};
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
template <> struct instructions<cpu::avx512> {
  static constexpr int lanes = cpu::avx512::lanes;
  using vector = vectors<lanes>;
  using f = vector::f;
  using i = vector::i;
  using u = vector::u;

  WEFT_INLINE static f fma(f const& a, f const& b, f const& c) {
    return f(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
  }
  // The unmasked intrinsic reads an undefined register, and g++ 12 warns.
  WEFT_INLINE static f sqrt(f const& a) { return f(_mm512_maskz_sqrt_ps(0xffff, __m512(a))); }
  WEFT_INLINE static bool any(i const& m) { return _mm512_movepi32_mask(__m512i(m)) != 0; }
  WEFT_INLINE static __mmask16 first(int n) { return static_cast<__mmask16>((1u << n) - 1u); }
  WEFT_INLINE static u load_first(void const* p, int n) {
    return u(_mm512_maskz_loadu_epi32(first(n), p));
  }
  WEFT_INLINE static void store_first(void* p, u const& x, int n) {
    _mm512_mask_storeu_epi32(p, first(n), __m512i(x));
  }
};
#endif

} // namespace detail
} // namespace weft::inline v0
