// SPDX-License-Identifier: BSL-1.0
// expect: weft: linalg: the right-hand side is a number; write a vector or a matrix
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<float, 1, 1> a, traced<float> b) { return linalg::solve(a, b); }
