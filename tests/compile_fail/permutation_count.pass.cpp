// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random_order.hpp>

auto example(weft::traced_key<> key) { return weft::permutation<10>(key); }
