// SPDX-License-Identifier: BSL-1.0
#include "block_executor.hpp"

template class weft::cpu::block_program<weft::cpu::native_target>;
