// SPDX-License-Identifier: BSL-1.0
// expect: weft: repeat: a named extent; name the result's, repeat<n, axis, name>(x)
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows, 2> a) { return weft::repeat<2, 0>(a); }
