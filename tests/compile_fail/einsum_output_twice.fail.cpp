// SPDX-License-Identifier: BSL-1.0
// expect: weft: einsum: a label twice in the output
// expect: ij->jij
// expect: 6
#include <weft/lang/einsum.hpp>

using weft::traced;

auto example(traced<float, 2, 3> a) { return weft::einsum<"ij->jij">(a); }
