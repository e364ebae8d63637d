// SPDX-License-Identifier: BSL-1.0
// expect: weft: a tensor meets a traced array; make the tensor an argument of the function
// expect: tensor<float, 3>
#include <weft/weft.hpp>

using weft::tensor;

inline constexpr tensor<float, 3> w = {1, 2, 3};
auto example(tensor<float, 3> a) {
  return weft::jit<[](auto x) { return x * w; }>(a);
}
