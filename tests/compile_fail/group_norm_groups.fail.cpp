// SPDX-License-Identifier: BSL-1.0
// expect: weft: group_norm: the groups do not divide the last axis evenly
#include <weft/lang/normalise.hpp>

using weft::traced;

auto example(traced<float, 2, 6> x) { return group_norm<4>(x, 1, 0); }
