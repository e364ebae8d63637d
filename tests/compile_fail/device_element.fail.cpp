// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// expect: weft: device_tensor: its elements are on the device; write to_host(x)(i, j)
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

using weft::device_tensor, weft::opencl::device;

float first(device_tensor<float, 3, 4> const& x) { return x(0, 0); }
