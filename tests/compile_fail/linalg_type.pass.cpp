// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
auto example(traced<weft::bf16, 3, 3> a) { return linalg::inverse(weft::convert<float>(a)); }
