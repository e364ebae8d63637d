// SPDX-License-Identifier: BSL-1.0
// build: alone long
// needs: xsimd/xsimd.hpp
// Packs of 64 bits and of small numbers of xsimd's instruction sets: every case of weft's own packs.
#if defined(__GNUC__) && !defined(__clang__) // GCC 12 says it of its own intrinsics (bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <weft/xsimd.hpp>

#include <gtest/gtest.h>

namespace {

using smallest = weft::cpu::xsimd_target<xsimd::sse2>;
using best = weft::cpu::xsimd_target<>;
using targets = std::conditional_t<std::is_same_v<smallest, best>, testing::Types<smallest>,
                                   testing::Types<smallest, best>>;

} // namespace

#include "pack_type_cases.hpp"
