// SPDX-License-Identifier: BSL-1.0
// expect: weft: rademacher: the type has no -1
#include <weft/lang/distributions.hpp>

auto example(weft::traced_key<> key) { return weft::rademacher<std::uint8_t, 3>(key); }
