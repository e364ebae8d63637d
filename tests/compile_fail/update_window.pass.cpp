// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/windows.hpp>

using weft::traced;

auto example(traced<float, 4> x, traced<float, 3> y) { return dynamic_update_slice(x, y, 0); }
