// SPDX-License-Identifier: BSL-1.0
// expect: weft: cummin: there is no such axis, or there are two
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return cummin<1>(x); }
