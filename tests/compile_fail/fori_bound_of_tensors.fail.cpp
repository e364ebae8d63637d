// SPDX-License-Identifier: BSL-1.0
// expect: weft: fori_loop: a bound is not one int
#include <weft/lang/expression_while.hpp>

auto example(weft::tensor<float, 3> const& x) {
  return weft::fori_loop(
      0, 2.5, [](auto, auto s) { return s; }, x);
}
