// SPDX-License-Identifier: BSL-1.0
#include <weft/opencl.hpp>
#include <weft/weft.hpp>

constexpr auto twice = [](auto x) { return x * 2; };
template <class Target> void call(Target& gpu) {
  weft::tensor<float, 3> x;
  weft::jit<twice>(gpu, x);
}
template void call(weft::opencl::device&);
