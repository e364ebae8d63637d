// SPDX-License-Identifier: BSL-1.0
// expect: weft: diagonal: of named extents, a square's main diagonal only
// expect: 1
#include <weft/lang/diagonal.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};

auto example(traced<float, rows, rows> a) { return weft::diagonal<1>(a); }
