// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float> i) { return weft::set<"$">(a, convert<int>(i), 1); }
