// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/movement.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return flip<-1>(a); }
