// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/repetition.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return weft::diff<1>(x); }
