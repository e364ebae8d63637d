// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 5> x, traced<float, 5, 4> w) { return weft::linear(x, w, 0); }
