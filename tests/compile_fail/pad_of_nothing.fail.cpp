// SPDX-License-Identifier: BSL-1.0
// expect: weft: pad: an axis that is empty, or cropped by a rule, cannot be padded so
#include <weft/lang/padding.hpp>

using weft::traced;

constexpr weft::padding widely{.low = 1, .mode = weft::pad_mode::edge};
auto example(traced<float, 0> a) { return weft::pad<widely>(a); }
