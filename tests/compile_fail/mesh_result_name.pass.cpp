// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

constexpr weft::sym rows{"rows"};
constexpr weft::sym whole{"whole"};
auto example(traced<float, rows> x) { return weft::all_gather<four, 0, whole>(x); }
