// SPDX-License-Identifier: BSL-1.0
#include <weft/array/members.hpp>
#include <weft/array/tensor.hpp>

using one = weft::tensor<float>;
void example(std::tuple<one, one> a, std::tuple<one, one> b) {
  weft::for_each_leaf(a, b, [](auto& x, auto& y) { x = y; });
}
