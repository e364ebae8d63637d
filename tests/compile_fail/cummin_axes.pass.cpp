// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return cummin<0>(x); }
