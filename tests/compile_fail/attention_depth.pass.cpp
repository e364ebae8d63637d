// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/attention.hpp>

using weft::traced;

auto example(traced<float, 3, 4> q) { return weft::attention(q, q, q); }
