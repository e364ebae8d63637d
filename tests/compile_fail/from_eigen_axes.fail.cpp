// SPDX-License-Identifier: BSL-1.0
// expect: weft: from_eigen: a matrix has two axes, a vector one or two
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(Eigen::MatrixXf const& m) { weft::from_eigen<6>(m); }
