// SPDX-License-Identifier: BSL-1.0
// expect: weft: diff: a named extent; subtract two views of it
#include <weft/lang/repetition.hpp>

using weft::traced;
constexpr weft::sym rows{"rows"};

auto example(traced<float, rows> a) { return diff(a); }
