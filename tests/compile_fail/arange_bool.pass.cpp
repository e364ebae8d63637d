// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/operand.hpp>

using weft::traced;

auto example(traced<int, 1> a) { return (void(a), weft::arange<int, 3>()); }
