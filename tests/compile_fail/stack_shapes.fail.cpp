// SPDX-License-Identifier: BSL-1.0
// expect: weft: stack: the shapes differ
#include <weft/lang/joining.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 2> b) { return weft::stack(a, b); }
