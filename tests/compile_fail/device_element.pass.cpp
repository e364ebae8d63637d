// SPDX-License-Identifier: BSL-1.0
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

using weft::device_tensor, weft::opencl::device;

float first(device_tensor<float, 3, 4> const& x) { return weft::to_host(x)(0, 0); }
