// SPDX-License-Identifier: BSL-1.0
// expect: weft: a tensor meets a traced array; make the tensor an argument of the function
#include <weft/weft.hpp>

using weft::tensor, weft::traced;

auto example(traced<float> a, tensor<float> h, tensor<float, 5> xs) {
  return weft::scan([&](auto s, auto x) { return std::pair(s + a * x, s); }, h, xs);
}
