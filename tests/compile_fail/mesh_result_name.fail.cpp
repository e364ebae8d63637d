// SPDX-License-Identifier: BSL-1.0
// expect: weft: an axis whose extent has a name takes a name for the result's, and no other does: all_gather<m, "data", 0, whole>(x)
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

constexpr weft::sym rows{"rows"};
constexpr weft::sym whole{"whole"};
auto example(traced<float, rows> x) { return weft::all_gather<four, 0>(x); }
