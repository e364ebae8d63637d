// SPDX-License-Identifier: BSL-1.0
#include "support/block.hpp"

template class weft::cpu::block_program<weft::cpu::generic>;
#if defined(__AVX2__) && defined(__FMA__)
template class weft::cpu::block_program<weft::cpu::native_target>;
#endif
