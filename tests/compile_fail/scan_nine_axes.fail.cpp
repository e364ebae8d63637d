// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: an array has at most 8 axes
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 1, 1, 1, 1, 1, 1, 1, 2> a, traced<float, 3> xs) {
  return scan([](auto h, auto) { return std::pair(h, h); }, a, xs);
}
