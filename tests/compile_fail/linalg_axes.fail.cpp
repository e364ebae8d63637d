// SPDX-License-Identifier: BSL-1.0
// expect: weft: linalg: the array has fewer than two axes; matrices are its last two
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<float, 3> a) { return linalg::inverse(a); }
