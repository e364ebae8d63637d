// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: a named extent takes an index, $, : or ::-1
#include <weft/lang/at.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, rows> a) { return weft::at<"1:">(a); }
