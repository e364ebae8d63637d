// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementary.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return nextafter(x, x); }
