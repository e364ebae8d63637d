// SPDX-License-Identifier: BSL-1.0
// expect: weft: not a mesh; write constexpr auto m = mesh<axis<"data", 4>>; and name m first
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::all_reduce<4>(x); }
