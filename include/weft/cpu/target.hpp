// SPDX-License-Identifier: BSL-1.0
// The instruction sets that packs are written for. A target is a template argument of every kernel,
// so translation units with different -march keep their own code.
// Needs: avx2 and avx512 packs exist only where the compiler was allowed those instructions.
#pragma once

#include <weft/core/config.hpp>

namespace weft::inline v0 {
namespace cpu {

// `lanes`: float32 values in one pack.
struct generic {
  static constexpr int lanes = 4;
};
struct avx2 { // with fma, as in x86-64-v3
  static constexpr int lanes = 8;
};
struct avx512 { // f, bw, dq and vl, as in x86-64-v4
  static constexpr int lanes = 16;
};

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
using native_target = avx512;
#elif defined(__AVX2__) && defined(__FMA__)
using native_target = avx2;
#else
using native_target = generic;
#endif

} // namespace cpu
} // namespace weft::inline v0
