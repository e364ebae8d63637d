// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/expression_while.hpp>

auto example(weft::tensor<float, 3> const& x) {
  return weft::fori_loop(
      0, 2, [](auto, auto s) { return s; }, x);
}
