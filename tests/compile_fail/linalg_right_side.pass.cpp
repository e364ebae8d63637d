// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<float, 1, 1> a, traced<float, 1> b) { return linalg::solve(a, b); }
