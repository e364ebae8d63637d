// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// A device calls no function of the host's: the program says so before it starts.
#include "run/device.hpp"
#include "support/host_functions.hpp"
#include "support/text_of.hpp"

namespace {

using namespace weft;

constexpr auto norms = [](auto x) { return custom_call<test::row_norms>(x * 2); };

TEST(device_custom_call, is_refused) {
  if (test::no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  tensor<float, 2, 3> const x;
  EXPECT_EQ(
      test::text_of<usage_error>([&] { jit<norms>(gpu, x); }),
      "weft: opencl: custom_call row_norms runs on the host only; run this program on the CPU, "
      "or call the function between two programs");
}

} // namespace
