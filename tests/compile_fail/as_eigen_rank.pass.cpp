// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(weft::tensor<float, 2, 12> const& x) { weft::as_eigen(x); }
