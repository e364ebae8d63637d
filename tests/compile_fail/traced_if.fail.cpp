// SPDX-License-Identifier: BSL-1.0
// expect: weft: a traced value decides no `if`, `&&` or `||`; write where(p, a, b), cond(p, f, g), p & q
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto magnitude(traced<float> x) { return x > 0 ? x : -x; }
