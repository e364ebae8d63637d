// SPDX-License-Identifier: BSL-1.0
// expect: weft: cumsum: there is no such axis, or there are two
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return cumsum<0, 1>(a); }
