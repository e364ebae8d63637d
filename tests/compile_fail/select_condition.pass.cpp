// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<int, 3> p, traced<float, 3> a) { return weft::select(p != 0, a, a); }
