// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/padding.hpp>

using weft::traced;

constexpr weft::sym rows{"rows"};
constexpr weft::sym longer{"longer"};
auto example(traced<float, 3, rows> a) { return weft::pad<-1, weft::padding{.low = 1}, longer>(a); }
