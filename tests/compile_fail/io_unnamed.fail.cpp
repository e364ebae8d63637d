// SPDX-License-Identifier: BSL-1.0
// expect: weft: io: an array without a name; write named("w", w)
#include <weft/io/named.hpp>

auto example(weft::tensor<float, 2> w) { return weft::detail::name_arrays({"save", "x"}, w); }
