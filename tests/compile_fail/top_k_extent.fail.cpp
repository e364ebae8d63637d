// SPDX-License-Identifier: BSL-1.0
// expect: weft: top_k: the last axis has fewer elements
// expect-gcc: traced<float, 3>
// expect-clang: shape<3>
// expect: 4
#include <weft/lang/sort.hpp>

using weft::traced;

auto example(traced<float, 3> a) { return top_k<4>(a); }
