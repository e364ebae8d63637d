// SPDX-License-Identifier: BSL-1.0
// The instruction sets that packs are written for. A target is a template argument of every kernel,
// so translation units with different -march keep their own code.
// Needs: avx2 and avx512 packs exist only where the compiler was allowed those instructions.
// avx512_bf16 has avx512's packs, and products of bf16 by pairs (cpu/pair_kernel.hpp).
#pragma once

#include <weft/core/config.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace cpu {

// `lanes`: float32 values in one pack. `has_fma`: every machine of the target multiplies and adds float
// and double in one instruction; elsewhere fma is exact and slow.
struct generic {
  static constexpr int lanes = 4;
#if defined(__ARM_FEATURE_FMA) ||                                                                  \
    (!defined(__x86_64__) && defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF))
  static constexpr bool has_fma = true;
#else
  static constexpr bool has_fma = false; // of x86 any machine, whatever this unit is compiled for
#endif
};
struct avx2 { // with fma, as in x86-64-v3
  static constexpr int lanes = 8;
  static constexpr bool has_fma = true;
};
struct avx512 { // f, bw, dq and vl, as in x86-64-v4
  static constexpr int lanes = 16;
  static constexpr bool has_fma = true;
};
struct avx512_bf16 { // and bf16
  static constexpr int lanes = 16;
  static constexpr bool has_fma = true;
};

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// Products by pairs are 1.8 times as fast as floats' on Zen 5, and half as fast on Intel's cores.
// What has sse4a is AMD's: -march=native of older compilers calls a Zen 5 an older Zen.
#if defined(__AVX512BF16__) && defined(__SSE4A__)
using native_target = avx512_bf16;
#else
using native_target = avx512;
#endif
#elif defined(__AVX2__) && defined(__FMA__)
using native_target = avx2;
#else
using native_target = generic;
#endif

// Programs of Target under policy::fast (run/policy.hpp). Most kernels are Target's.
template <class Target> struct relaxed {
  static constexpr int lanes = Target::lanes;
  static constexpr bool has_fma = Target::has_fma;
};
template <class Target> inline constexpr bool is_relaxed = false;
template <class Target> inline constexpr bool is_relaxed<relaxed<Target>> = true;
// The target whose packs it has.
template <class Target> struct packs_target {
  using type = Target;
};
template <class Target> struct packs_target<relaxed<Target>> {
  using type = Target;
};
template <class Target> using exact_target = typename packs_target<Target>::type;
template <class T> concept target = std::is_empty_v<T> && requires { T::lanes; };

} // namespace cpu
} // namespace weft::inline v0
