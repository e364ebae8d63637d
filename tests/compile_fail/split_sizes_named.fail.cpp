// SPDX-License-Identifier: BSL-1.0
// expect: weft: split_sizes: of a named axis one part has a name, the first or the last; write split_sizes<0, 2, rest>(x)
#include <weft/lang/joining.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
auto example(traced<float, rows> a) { return weft::split_sizes<0, 1, 2>(a); }
