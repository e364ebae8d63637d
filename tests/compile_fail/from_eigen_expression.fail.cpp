// SPDX-License-Identifier: BSL-1.0
// expect: weft: from_eigen: an expression has no elements yet; write .eval() and keep what it gives
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(Eigen::Matrix2f const& m) { weft::from_eigen(m + m); }
