// SPDX-License-Identifier: BSL-1.0
// expect: weft: diff: the axis has a number; leave out the name
#include <weft/lang/repetition.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, 3> a) { return weft::diff<1, 0, rest>(a); }
