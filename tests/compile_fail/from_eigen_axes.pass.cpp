// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(Eigen::VectorXf const& m) { weft::from_eigen<6>(m); }
