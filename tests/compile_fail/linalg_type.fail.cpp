// SPDX-License-Identifier: BSL-1.0
// expect: weft: linalg: not float or double; write convert<float>(x)
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<weft::bf16, 3, 3> a) { return linalg::inverse(a); }
