// SPDX-License-Identifier: BSL-1.0
// expect: weft: from_eigen: only the run knows a size; write from_eigen<rows, columns>(m), a number or a name per axis
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(Eigen::MatrixXf const& m) { weft::from_eigen(m); }
