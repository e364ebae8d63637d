// SPDX-License-Identifier: BSL-1.0
// expect: weft: as_eigen: Eigen does not compute with bf16 or f16 as weft does; write convert<float>(x)
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(weft::tensor<weft::bf16, 2, 3> const& x) { weft::as_eigen(x); }
