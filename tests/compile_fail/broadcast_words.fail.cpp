// SPDX-License-Identifier: BSL-1.0
// expect: weft: broadcast: the mesh, names of its axes and a root are wanted: broadcast<m, "data", 0>(x)
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::broadcast<four, "data", 0, 1>(x); }
