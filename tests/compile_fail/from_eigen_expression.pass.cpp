// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/eigen/map.hpp>

void example(Eigen::Matrix2f const& m) {
  Eigen::Matrix2f const s = (m + m).eval();
  weft::from_eigen(s);
}
