// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 8, 2> x) { return weft::reduce_scatter<four, "data", 0>(x); }
