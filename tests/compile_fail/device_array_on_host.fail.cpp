// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// expect: weft: jit: an array is on a device; name the device first, jit<f>(device, ...), or write to_host(x)
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

using weft::device_tensor, weft::opencl::device;

constexpr auto twice = [](auto x) { return x * 2; };
auto call(device, device_tensor<float, 3> const& x) { return weft::jit<twice>(x); }
