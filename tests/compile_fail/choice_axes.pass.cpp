// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random_order.hpp>

auto example(weft::traced_key<> key, weft::traced<float, 3> x) { return weft::choice<2>(key, x); }
