// SPDX-License-Identifier: BSL-1.0
// expect: weft: this draw is of floats; convert<T> its result
#include <weft/lang/random.hpp>

auto example(weft::traced_key<> key, weft::traced<int, 3> x) { return weft::uniform_like(key, x); }
