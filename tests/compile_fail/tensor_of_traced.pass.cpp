// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

constexpr auto example = [](auto x) {
  auto y = x + 1;
  return weft::sum(y);
};
auto called(weft::traced<float, 3> x) { return example(x); }
