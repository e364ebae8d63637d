// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/rejection.hpp>

auto example(weft::traced_key<> key) { return weft::poisson<int, 3>(key, 2); }
