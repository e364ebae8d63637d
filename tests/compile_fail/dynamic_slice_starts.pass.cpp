// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/windows.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a, traced<int> i) { return weft::dynamic_slice<1, 2>(a, i, i); }
