// SPDX-License-Identifier: BSL-1.0
// expect: weft: attention: the last axis of the queries is not a static extent above 0
#include <weft/lang/attention.hpp>

using weft::traced;

inline constexpr weft::sym d{"d"};
auto example(traced<float, 3, d> q) { return weft::attention(q, q, q); }
