// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor;

template <template <class, auto...> class array> struct params {
  array<float, 3> w;
  array<float> b;
};
constexpr auto loss = [](auto p, auto x) { return sum(p.w * x) + p.b; };
auto call(params<tensor> const& p, tensor<float, 3> const& x) { return weft::jit<loss>(p, x); }
