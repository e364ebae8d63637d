// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
inline constexpr weft::sym rows{"rows"};
inline constexpr weft::sym columns{"columns"};
auto example(traced<float, rows, 3> a) { return linalg::qr(a); }
