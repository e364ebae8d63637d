// SPDX-License-Identifier: BSL-1.0
// expect: weft: broadcast: the root is no place along the mesh's axes; places count from 0
#include <weft/lang/collectives.hpp>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) { return weft::broadcast<four, "data", 4>(x); }
