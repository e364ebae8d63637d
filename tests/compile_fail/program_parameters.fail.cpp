// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
#include <weft/weft.hpp>

using weft::tensor;

inline constexpr auto product = [](auto x, auto y) { return x * y; };
struct named : weft::program<product, tensor<float, 3>> {};
auto example(tensor<float, 3> a) { return weft::jit<named>(a); }
