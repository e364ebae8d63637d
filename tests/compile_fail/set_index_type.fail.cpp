// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: a run-time index is one int
#include <weft/lang/at.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float> i) { return weft::set<"$">(a, i, 1); }
