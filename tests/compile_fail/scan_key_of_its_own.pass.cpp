// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/random.hpp>
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> x, weft::traced_key<> k) {
  return weft::scan([&](auto c, auto) { return std::pair(c, weft::fold_in(k, 3)); }, 0.0f, x).first;
}
