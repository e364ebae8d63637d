// SPDX-License-Identifier: BSL-1.0
#include <weft/core/config.hpp>

int example() { return 0; }
