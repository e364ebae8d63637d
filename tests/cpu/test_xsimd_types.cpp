// SPDX-License-Identifier: BSL-1.0
// build: alone long -Wno-uninitialized
// needs: xsimd/xsimd.hpp
// (-Wno-uninitialized: GCC 12 says so of its own AVX-512 intrinsics, bug 105593; later ones do not.)
// Packs of 64 bits and of small numbers of xsimd's instruction sets: every case of weft's own packs.
#include <weft/xsimd.hpp>

#include <gtest/gtest.h>

namespace {

using smallest = weft::cpu::xsimd_target<xsimd::sse2>;
using best = weft::cpu::xsimd_target<>;
using targets = std::conditional_t<std::is_same_v<smallest, best>, testing::Types<smallest>,
                                   testing::Types<smallest, best>>;

} // namespace

#include "pack_type_cases.hpp"
