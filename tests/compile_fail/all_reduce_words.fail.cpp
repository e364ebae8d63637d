// SPDX-License-Identifier: BSL-1.0
// expect: weft: all_reduce: the mesh, names of its axes and one combine are wanted: all_reduce<m, "data", combine::max>(x)
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::all_reduce<four, "data", 0>(x); }
