// SPDX-License-Identifier: BSL-1.0
// expect: weft: permute: the mesh, names of its axes and a shift, or pairs, are wanted: permute<m, "data", 1>(x), permute<m, "data", sends{0, 1}>(x)
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::permute<four, "data">(x); }
