// SPDX-License-Identifier: BSL-1.0
// expect: weft: a named extent beside others does not flatten; name the result
#include <weft/lang/movement.hpp>

using weft::traced;

inline constexpr weft::sym n{"n"};
auto example(traced<float, n, 2> x) { return weft::ravel(x); }
