// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/operand.hpp>

auto example() { return weft::linspace<float, 3>(0, 1); }
