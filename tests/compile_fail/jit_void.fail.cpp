// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function returns no arrays; return arrays, or a struct, pair or tuple of them
#include <weft/weft.hpp>

using weft::tensor;

inline constexpr auto f = [](auto x) { (void)x; };
auto example(tensor<float, 3> a) { return weft::jit<f>(a); }
