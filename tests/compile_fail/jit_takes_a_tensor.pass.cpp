// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

constexpr auto step = [](auto const& x) { return weft::sum(x); };
auto example(weft::traced<float, 2, 3> rows) { return weft::map(step, rows); }
