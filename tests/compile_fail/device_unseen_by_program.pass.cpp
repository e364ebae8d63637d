// SPDX-License-Identifier: BSL-1.0
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

struct twice : weft::program<[](auto x) { return x * 2; }, weft::tensor<float, 3>> {};
template <class Target> void call(Target& gpu) {
  weft::tensor<float, 3> x;
  weft::jit<twice>(gpu, x);
}
template void call(weft::opencl::device&);
