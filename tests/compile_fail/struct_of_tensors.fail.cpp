// SPDX-License-Identifier: BSL-1.0
// expect: weft: a struct holds tensors; write template <template <class, auto...> class array>
#include <weft/weft.hpp>

using weft::tensor;

struct params {
  tensor<float, 3> w;
  tensor<float> b;
};
constexpr auto loss = [](auto p, auto x) { return sum(p.w * x) + p.b; };
auto call(params const& p, tensor<float, 3> const& x) { return weft::jit<loss>(p, x); }
