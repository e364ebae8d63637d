// SPDX-License-Identifier: BSL-1.0
// expect: weft: poisson: not an integer type
#include <weft/lang/rejection.hpp>

auto example(weft::traced_key<> key) { return weft::poisson<weft::f16, 3>(key, 2); }
