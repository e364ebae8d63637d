// SPDX-License-Identifier: BSL-1.0
// expect: weft: set: the value does not broadcast to the view
#include <weft/lang/assignable.hpp>

void example(weft::tensor<float, 3>& a, weft::tensor<float, 3> const& x) {
  auto m = a.mutate();
  weft::at<"1:">(m) = x;
}
