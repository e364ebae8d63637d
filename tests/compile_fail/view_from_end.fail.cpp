// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: a range from the end to the front of a named extent; write two views
#include <weft/lang/at.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym rest{"rest"};
auto example(traced<float, rows> a) { return weft::at<"-5:4">(a); }
