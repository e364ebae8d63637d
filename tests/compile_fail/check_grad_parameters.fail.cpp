// SPDX-License-Identifier: BSL-1.0
// expect: weft: the function does not take these arguments; write one parameter per argument, auto for any type
#include <weft/testing/check_grad.hpp>
#include <weft/weft.hpp>

using weft::tensor;

inline constexpr auto product = [](auto x, auto y) { return sum(x * y); };
auto example(tensor<double, 3> a) { return weft::check_grad(product, a); }
