// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

auto example(weft::tensor<float, 3> const& x) { return weft::dropout(weft::key(42), 0.1f, x); }
