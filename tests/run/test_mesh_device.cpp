// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Collectives on a device: those of a mesh of one rank are the host's, others are refused.
#include "run/device.hpp"

#include <weft/mesh.hpp>

namespace {

using namespace weft;
using test::no_device;

template <int N> inline constexpr auto line = mesh<axis<"data", N>>;
template <int N>
inline constexpr auto f = [](auto x) {
  return all_reduce<line<N>, combine::mean>(x) * 0.5f +
         convert<float>(axis_index<line<N>, "data">());
};

TEST(mesh_device, one_rank) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  tensor<float, 100> const x = convert<float>(arange<int, 100>());
  test::expect_same(jit<f<1>>(x), jit<f<1>>(gpu, x));
  EXPECT_THROW(jit<f<4>>(gpu, x), usage_error);
}

} // namespace
