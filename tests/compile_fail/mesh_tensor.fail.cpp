// SPDX-License-Identifier: BSL-1.0
// expect: weft: a tensor is one rank's, and the mesh has others; call collectives in a function, and run that on all ranks
#include <weft/lang/collectives.hpp>

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(weft::tensor<float, 3> x) { return weft::all_reduce<four>(x); }
