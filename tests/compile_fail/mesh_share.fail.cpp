// SPDX-License-Identifier: BSL-1.0
// expect: weft: the extent is no multiple of the ranks along the mesh's axes; pad the array, or choose other axes
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 6, 2> x) { return weft::reduce_scatter<four, "data", 0>(x); }
