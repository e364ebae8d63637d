// SPDX-License-Identifier: BSL-1.0
// The block executor, compiled once for the tools (block_executor.cpp).
#pragma once

#include <weft/cpu/block.hpp>

extern template class weft::cpu::block_program<weft::cpu::native_target>;
