// SPDX-License-Identifier: BSL-1.0
// expect: weft: set: the value does not broadcast to the view
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 3> b) { return weft::set<"1:">(a, b); }
