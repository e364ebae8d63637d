// SPDX-License-Identifier: BSL-1.0
// expect: weft: make_key: the seed is one int of any width
#include <weft/lang/random_keys.hpp>

using weft::traced;

auto example(traced<float> seed) { return weft::make_key(seed); }
