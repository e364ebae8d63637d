// SPDX-License-Identifier: BSL-1.0
// expect: weft: cumprod: there is no such axis, or there are two
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return cumprod<1>(x); }
