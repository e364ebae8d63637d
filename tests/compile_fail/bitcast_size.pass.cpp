// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::bitcast<std::int32_t>(a); }
