// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>

using weft::traced;
constexpr weft::sym rows{"rows"};
constexpr weft::sym cols{"cols"};

auto example(traced<float, rows> a, traced<float, rows> b) { return a + b; }
