// SPDX-License-Identifier: BSL-1.0
// expect: weft: cumlogsumexp: there is no such axis, or there are two
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return cumlogsumexp<1>(x); }
