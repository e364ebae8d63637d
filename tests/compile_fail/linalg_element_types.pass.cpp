// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<double, 3, 3> a, traced<double, 3> b) { return linalg::solve(a, b); }
