// SPDX-License-Identifier: BSL-1.0
// expect: weft: linalg: the element types differ; write convert<T>(x)
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<float, 3, 3> a, traced<double, 3> b) { return linalg::solve(a, b); }
