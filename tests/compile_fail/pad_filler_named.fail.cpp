// SPDX-License-Identifier: BSL-1.0
// expect: weft: pad: the filler is one number
#include <weft/lang/padding.hpp>

using weft::traced;

inline constexpr weft::sym n{"n"};
inline constexpr weft::sym longer{"longer"};
auto example(traced<float, n> x) { return pad<0, weft::padding{1, 1}, longer>(x, x); }
