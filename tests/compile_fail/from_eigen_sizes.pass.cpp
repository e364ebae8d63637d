// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(Eigen::MatrixXf const& m) { weft::from_eigen<2, 3>(m); }
