// SPDX-License-Identifier: BSL-1.0
// expect: weft: permute: a place sends twice, gets twice, or is none along the mesh's axes
#include <weft/lang/collectives.hpp>

using weft::traced;

using weft::sends;
constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::permute<four, sends{0, 1}, sends{2, 1}>(x); }
