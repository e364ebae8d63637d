// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/associative_scan.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return cumsum<1>(a); }
