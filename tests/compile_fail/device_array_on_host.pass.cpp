// SPDX-License-Identifier: BSL-1.0
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

using weft::device_tensor, weft::opencl::device;

constexpr auto twice = [](auto x) { return x * 2; };
auto call(device gpu, device_tensor<float, 3> const& x) { return weft::jit<twice>(gpu, x); }
