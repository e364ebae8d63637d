// SPDX-License-Identifier: BSL-1.0
// expect: weft: full_like: the structure has a key, which is no number; leave it out
#include <weft/lang/like.hpp>

using weft::traced;

auto example(traced<float, 3> x, weft::traced_key<> k) { return zeros_like(std::pair(x, k)); }
