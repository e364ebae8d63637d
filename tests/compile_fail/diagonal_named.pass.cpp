// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/diagonal.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, rows> a) { return weft::diagonal(a); }
