// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/windows.hpp>

using weft::traced;

auto example(traced<float, 3> x, traced<float, 2> y) { return dynamic_update_slice(x, y, 0); }
