// SPDX-License-Identifier: BSL-1.0
// expect: weft: linalg: the last two axes differ; the function takes square matrices
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<float, 5, 3, 4> a) { return linalg::inverse(a); }
