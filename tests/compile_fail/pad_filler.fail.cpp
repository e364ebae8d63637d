// SPDX-License-Identifier: BSL-1.0
// expect: weft: pad: the filler is one number
#include <weft/lang/padding.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return pad<weft::padding{1, 1}>(x, x); }
