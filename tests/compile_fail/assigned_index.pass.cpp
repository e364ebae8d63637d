// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/assignable.hpp>

void example(weft::tensor<float, 3>& a) {
  auto m = a.mutate();
  at<"2">(m) = 1;
}
