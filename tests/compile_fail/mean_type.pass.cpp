// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/reductions.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return mean(a); }
