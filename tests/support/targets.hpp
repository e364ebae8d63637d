// SPDX-License-Identifier: BSL-1.0
// The targets that tests run kernels for: the widest of the translation unit, and the narrow one,
// which needs no flags. Presets that say WEFT_TEST_NATIVE_ONLY leave the second to the others: kernels
// are compiled once there, which is most of what such a preset costs.
#pragma once

#include <weft/cpu/target.hpp>

namespace test {

#ifdef WEFT_TEST_NATIVE_ONLY
using narrow_target = weft::cpu::native_target;
#else
using narrow_target = weft::cpu::generic;
#endif

} // namespace test
