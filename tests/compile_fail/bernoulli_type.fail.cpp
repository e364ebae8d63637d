// SPDX-License-Identifier: BSL-1.0
// expect: weft: bernoulli: the probability is not a float; write convert<float>(p)
#include <weft/lang/random.hpp>

using weft::traced;

auto example(weft::traced_key<> key, traced<int, 3> p) { return bernoulli(key, p); }
