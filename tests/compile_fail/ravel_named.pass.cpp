// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/movement.hpp>

using weft::traced;

inline constexpr weft::sym n{"n"};
auto example(traced<float, n, 1> x) { return weft::ravel(x); }
