// SPDX-License-Identifier: BSL-1.0
// expect: weft: -ffast-math changes results; compile without it
#define __FAST_MATH__ 1
#include <weft/core/config.hpp>

int example() { return 0; }
