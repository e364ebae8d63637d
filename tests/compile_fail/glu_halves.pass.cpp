// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

auto gated(weft::traced<float, 2, 6> x) { return glu(x); }
