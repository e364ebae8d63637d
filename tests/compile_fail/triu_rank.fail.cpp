// SPDX-License-Identifier: BSL-1.0
// expect: weft: triu: fewer than two axes
#include <weft/lang/grids.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return weft::triu(x); }
