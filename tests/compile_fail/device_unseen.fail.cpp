// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// expect: weft: jit: a device is an argument, and the code does not see jit<f>(device, ...); include weft/opencl.hpp above it
#include <weft/weft.hpp>

constexpr auto twice = [](auto x) { return x * 2; };
template <class Target> void call(Target& gpu) {
  weft::tensor<float, 3> x;
  weft::jit<twice>(gpu, x);
}

#include <weft/opencl.hpp>
template void call(weft::opencl::device&);
