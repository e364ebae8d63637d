// SPDX-License-Identifier: BSL-1.0
// Packs whose arithmetic is xsimd's, behind the concept of cpu/pack_types.hpp: a target for every
// instruction set that xsimd knows, with the same bits as weft's own packs. A target is a template
// argument of whatever runs:
//   jit<f, weft::cpu::xsimd_target<>>(x)                   the best set the compiler may use
//   jit<f, weft::cpu::xsimd_target<::xsimd::sse2>>(x)      one of xsimd's
//   cpu::load<cpu::xsimd_target<>>(p) * cpu::splat<cpu::xsimd_target<>>(2.0f)
// Needs: xsimd (Debian: libxsimd-dev). No other header of weft includes this one.
#pragma once

#include <weft/cpu/pack.hpp>
#include <weft/xsimd/packs.hpp>
#include <weft/xsimd/wide_packs.hpp>
