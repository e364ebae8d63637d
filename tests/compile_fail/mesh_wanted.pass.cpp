// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::all_reduce<four>(x); }
