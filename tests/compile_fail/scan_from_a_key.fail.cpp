// SPDX-License-Identifier: BSL-1.0
// expect: weft: a key meets a traced array; make the key an argument of the function
#include <weft/lang/random.hpp>
#include <weft/lang/scan.hpp>

using weft::traced;

auto example(traced<float, 3> x, weft::traced_key<>) {
  return weft::scan([](auto c, auto) { return std::pair(c, weft::none); }, weft::key(3), x).first;
}
