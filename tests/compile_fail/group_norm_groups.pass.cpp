// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/normalise.hpp>

using weft::traced;

auto example(traced<float, 2, 6> x) { return group_norm<3>(x, 1, 0); }
