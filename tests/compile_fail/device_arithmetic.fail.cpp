// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// expect: weft: an operand is on a device; compute in a recorded function, jit<f>(device, ...), or write to_host(x)
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

using weft::device_tensor, weft::opencl::device;

auto twice(device, device_tensor<float, 3> const& x) { return x * 2.0f; }
