// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/grids.hpp>

using weft::traced;

auto example(traced<float, 3, 1> a) { return weft::meshgrid(weft::ravel(a), weft::ravel(a)); }
