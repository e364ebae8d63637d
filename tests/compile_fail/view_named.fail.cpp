// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: the length of this range depends on a named extent; name it, write at<"1:", rest>(x)
#include <weft/lang/at.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows> a) { return weft::at<"1:">(a); }
