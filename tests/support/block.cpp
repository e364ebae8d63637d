// SPDX-License-Identifier: BSL-1.0
#include "support/block.hpp"
#include "support/targets.hpp"

template class weft::cpu::block_program<test::narrow_target>;
#if defined(__AVX2__) && defined(__FMA__) && !defined(WEFT_TEST_NATIVE_ONLY)
template class weft::cpu::block_program<weft::cpu::native_target>;
#endif
