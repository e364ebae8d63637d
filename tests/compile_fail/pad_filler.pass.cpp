// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/padding.hpp>

using weft::traced;

auto example(traced<float, 3> x) { return pad<weft::padding{1, 1}>(x, 2); }
