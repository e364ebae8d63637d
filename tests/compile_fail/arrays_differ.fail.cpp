// SPDX-License-Identifier: BSL-1.0
// expect: weft: the two structs differ in structure
#include <weft/array/members.hpp>
#include <weft/array/tensor.hpp>

using one = weft::tensor<float>;
void example(std::array<one, 3> a, std::array<one, 2> b) {
  weft::for_each_leaf(a, b, [](auto& x, auto& y) { x = y; });
}
