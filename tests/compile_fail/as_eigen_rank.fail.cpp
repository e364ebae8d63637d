// SPDX-License-Identifier: BSL-1.0
// expect: weft: as_eigen: the array is no vector and no matrix; map parts of rank 1 or 2
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(weft::tensor<float, 2, 3, 4> const& x) { weft::as_eigen(x); }
