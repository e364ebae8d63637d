// SPDX-License-Identifier: BSL-1.0
// expect: weft: linalg: of two names only the run knows the lesser; give one of the last two axes a number
// needs: Eigen/Core
#include <weft/linalg/qr.hpp>

namespace linalg = weft::linalg;
using weft::traced;
inline constexpr weft::sym rows{"rows"};
inline constexpr weft::sym columns{"columns"};
auto example(traced<float, rows, columns> a) { return linalg::qr(a); }
