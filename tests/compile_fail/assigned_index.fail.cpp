// SPDX-License-Identifier: BSL-1.0
// expect: weft: view: the index is outside of its axis
#include <weft/lang/assignable.hpp>

void example(weft::tensor<float, 3>& a) {
  auto m = a.mutate();
  at<"3">(m) = 1;
}
