// SPDX-License-Identifier: BSL-1.0
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

constexpr auto twice = [](auto x) { return x * 2; };
void call(weft::opencl::device& gpu, weft::tensor<float, 3> const& x) {
  weft::jit<twice>(gpu, x);
  weft::jit<twice, weft::policy::fast>(x);
}
