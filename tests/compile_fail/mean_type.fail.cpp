// SPDX-License-Identifier: BSL-1.0
// expect: weft: mean: not a float; write convert<float>(x)
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<int, 3> a) { return mean(a); }
