// SPDX-License-Identifier: BSL-1.0
// expect: weft: scan: the body of a recorded loop returns a tensor or a key; make it an argument of the function
#include <weft/lang/random.hpp>
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> x, weft::traced_key<>) {
  return weft::scan([](auto c, auto) { return std::pair(c, weft::key(3)); }, 0.0f, x).first;
}
