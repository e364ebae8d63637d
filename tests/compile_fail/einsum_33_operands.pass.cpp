// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2> x) { return weft::einsum<"a,a">(x, x); }
