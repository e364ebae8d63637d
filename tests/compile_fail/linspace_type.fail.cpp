// SPDX-License-Identifier: BSL-1.0
// expect: weft: linspace: use float or double, and convert<T>
#include <weft/lang/operand.hpp>

auto example() { return weft::linspace<int, 3>(0, 1); }
