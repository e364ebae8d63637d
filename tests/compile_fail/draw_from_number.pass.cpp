// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

auto noise() { return weft::eval(weft::normal<3>(weft::key(42))); }
