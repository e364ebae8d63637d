// SPDX-License-Identifier: BSL-1.0
// expect: weft: reduce_scatter: the mesh, names of its axes, an axis of the array and one combine are wanted: reduce_scatter<m, "data", 0>(x)
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 4> x) { return weft::reduce_scatter<four, weft::combine::sum>(x); }
