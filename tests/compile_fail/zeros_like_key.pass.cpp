// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/like.hpp>

using weft::traced;

auto example(traced<float, 3> x, weft::traced_key<>) { return zeros_like(std::pair(x, x)); }
