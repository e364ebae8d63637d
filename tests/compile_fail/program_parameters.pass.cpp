// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor;

inline constexpr auto product = [](auto x, auto y) { return x * y; };
struct named : weft::program<product, tensor<float, 3>, tensor<float, 3>> {};
auto example(tensor<float, 3> a) { return weft::jit<named>(a, a); }
