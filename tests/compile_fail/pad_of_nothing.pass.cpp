// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/padding.hpp>

using weft::traced;

constexpr weft::padding widely{.low = 1};
auto example(traced<float, 0> a) { return weft::pad<widely>(a); }
