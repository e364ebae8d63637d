// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/expression_elementwise.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 3> b) { return a * b; }
