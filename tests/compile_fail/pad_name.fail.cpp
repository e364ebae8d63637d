// SPDX-License-Identifier: BSL-1.0
// expect: weft: pad: a result's name is for a named axis, a constant, no interior and no crop
#include <weft/lang/padding.hpp>

using weft::traced;

inline constexpr weft::sym n{"n"};
inline constexpr weft::sym longer{"longer"};
auto example(traced<float, n> x) { return pad<0, weft::padding{.low = -1}, longer>(x); }
