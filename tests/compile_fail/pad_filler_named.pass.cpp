// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/padding.hpp>

using weft::traced;

inline constexpr weft::sym n{"n"};
inline constexpr weft::sym longer{"longer"};
auto example(traced<float, n> x) { return pad<0, weft::padding{1, 1}, longer>(x, 2); }
