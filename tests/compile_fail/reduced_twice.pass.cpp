// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return sum<0, -1>(a); }
