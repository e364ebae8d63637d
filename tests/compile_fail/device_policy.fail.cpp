// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// expect: weft: jit: a device has one policy, whose bits are the CPU's reproducible ones; write jit<f>(device, ...)
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

constexpr auto twice = [](auto x) { return x * 2; };
void call(weft::opencl::device& gpu, weft::tensor<float, 3> const& x) {
  weft::jit<twice, weft::policy::fast>(gpu, x);
}
