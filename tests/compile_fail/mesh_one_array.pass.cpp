// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/collectives.hpp>

#include <utility>

using weft::traced;

constexpr auto four = weft::mesh<weft::axis<"data", 4>>;

auto example(traced<float, 3> x) {
  return std::pair(weft::all_gather<four, 0>(x), weft::all_gather<four, 0>(x));
}
