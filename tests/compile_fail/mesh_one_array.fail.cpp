// SPDX-License-Identifier: BSL-1.0
// expect: weft: this collective takes one array; call it for each of a struct
#include <weft/lang/collectives.hpp>

#include <utility>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::all_gather<four, 0>(std::pair(x, x)); }
