// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

using weft::tensor;

inline constexpr auto f = [](auto x) { return x; };
auto example(tensor<float, 3> a) { return weft::jit<f>(a); }
