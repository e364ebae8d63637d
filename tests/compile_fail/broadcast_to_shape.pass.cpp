// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return weft::broadcast_to<2, 3>(a); }
