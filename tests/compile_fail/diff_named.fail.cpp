// SPDX-License-Identifier: BSL-1.0
// expect: weft: diff: a named extent; name the result's, diff<n, axis, name>(x)
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows> a) { return diff(a); }
