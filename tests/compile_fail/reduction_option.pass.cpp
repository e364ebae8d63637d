// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/statistics.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::var<weft::ddof{1}>(a); }
