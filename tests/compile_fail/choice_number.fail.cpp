// SPDX-License-Identifier: BSL-1.0
// expect: weft: a random number comes from a key, not from a number; write key(42)
#include <weft/weft.hpp>

auto example(weft::tensor<float, 3> const& x) { return weft::choice<2>(42, x); }
