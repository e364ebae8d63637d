// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor, weft::traced;

auto example(traced<float> a, traced<float> h, traced<float, 5> xs) {
  return weft::scan([&](auto s, auto x) { return std::pair(s + a * x, s); }, h, xs);
}
