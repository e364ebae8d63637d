// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 4> x) { return weft::reduce_scatter<four, 0, weft::combine::sum>(x); }
