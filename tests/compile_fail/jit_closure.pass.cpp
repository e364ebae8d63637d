// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor;

inline constexpr tensor<float, 3> w = {1, 2, 3};
auto example(tensor<float, 3> a) {
  return weft::jit<[](auto x) { return x * weft::full<float, 3>(2); }>(a);
}
