// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 3, 3> a) { return weft::einsum<"ii">(a); }
