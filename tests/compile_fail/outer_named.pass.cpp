// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/products.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, 2> a, traced<float, 3> b) { return weft::einsum<"ij,k">(a, b); }
