// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/distributions.hpp>

auto example(weft::traced_key<> key) { return weft::rademacher<std::int8_t, 3>(key); }
