// SPDX-License-Identifier: BSL-1.0
// expect: weft: more than 26 fields; nest structs
#include <weft/array/members.hpp>
#include <weft/array/tensor.hpp>

struct model {
  weft::tensor<float> f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16,
      f17, f18, f19, f20, f21, f22, f23, f24, f25, f26;
};
void example(model& m) {
  weft::for_each_leaf(m, [](auto&) {});
}
