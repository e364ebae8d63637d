// SPDX-License-Identifier: BSL-1.0
// expect: weft: a traced array has no numbers yet, and a tensor holds numbers; write auto
#include <weft/weft.hpp>

constexpr auto example = [](auto x) {
  weft::tensor<float, 3> y = x + 1;
  return weft::sum(x);
};
auto called(weft::traced<float, 3> x) { return example(x); }
