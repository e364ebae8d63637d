// SPDX-License-Identifier: BSL-1.0
// expect: weft: permutation: write how many: permutation<10>(key)
#include <weft/lang/random_order.hpp>

auto example(weft::traced_key<> key) { return weft::permutation(key); }
