// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/assignable.hpp>

void example(weft::tensor<float, 3>& a, weft::tensor<float, 3> const& x) {
  auto m = a.mutate();
  weft::at<"0:">(m) = x;
}
