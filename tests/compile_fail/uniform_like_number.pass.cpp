// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

auto example(weft::tensor<float, 3> const& x) { return weft::uniform_like(weft::key(42), x); }
