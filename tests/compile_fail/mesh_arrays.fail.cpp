// SPDX-License-Identifier: BSL-1.0
// expect: weft: a collective takes an array, or a struct of arrays
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3>) { return weft::all_reduce<four>(1.0f); }
