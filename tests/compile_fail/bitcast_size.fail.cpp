// SPDX-License-Identifier: BSL-1.0
// expect: weft: bitcast: the element types differ in size
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::bitcast<std::int16_t>(a); }
