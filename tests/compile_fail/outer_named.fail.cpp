// SPDX-License-Identifier: BSL-1.0
// expect: weft: outer: axes with a named extent do not flatten; write einsum
#include <weft/lang/products.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, 2> a, traced<float, 3> b) { return weft::outer(a, b); }
