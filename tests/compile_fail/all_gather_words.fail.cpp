// SPDX-License-Identifier: BSL-1.0
// expect: weft: all_gather: the mesh, names of its axes and an axis of the array are wanted: all_gather<m, "data", 0>(x)
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::all_gather<four, "data">(x); }
