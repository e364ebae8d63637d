// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 3> a, traced<float, 3> b) { return weft::einsum<"i,i">(a, b); }
