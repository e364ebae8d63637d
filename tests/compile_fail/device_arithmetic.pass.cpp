// SPDX-License-Identifier: BSL-1.0
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

using weft::device_tensor, weft::opencl::device;

constexpr auto f = [](auto x) { return x * 2.0f; };
auto twice(device gpu, device_tensor<float, 3> const& x) { return weft::jit<f>(gpu, x); }
