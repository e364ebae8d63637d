// SPDX-License-Identifier: BSL-1.0
// The block executor, whose kernels of every op and type are compiled once for all tests
// (block.cpp): include this in place of weft/cpu/block.hpp or beside weft/run/block.hpp.
#pragma once

#include "support/targets.hpp"
#include <weft/cpu/block.hpp>

extern template class weft::cpu::block_program<test::narrow_target>;
extern template class weft::cpu::block_program<weft::cpu::native_target>; // perhaps the same
