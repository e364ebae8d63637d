// SPDX-License-Identifier: BSL-1.0
// expect: weft: all_to_all: the mesh, names of its axes and two axes of the array are wanted, shared out and joined: all_to_all<m, "data", 0, 1>(x)
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 4, 3> x) { return weft::all_to_all<four, "data", 0>(x); }
