// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<int, 3> x) { return full_like(x, 5); }
