// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// explain and profile on a device: what they say of kernels, launches, bytes and times.
#include "run/device.hpp"

#include <weft/lang/movement.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>
#include <weft/run/device_profile.hpp>

namespace {

using namespace weft;
using test::ramp, test::no_device;

constexpr sym n{"n"};
constexpr auto scaled_rows = [](auto x, auto y) { return sum<1>(x * 2 + y); };
struct named_rows : program<scaled_rows, tensor<float, n, 100>, tensor<float, 100>> {};

// Lines that have all of these in them, in their order.
int lines_with(std::string const& text, std::vector<std::string> const& parts) {
  int count = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    std::string const line = text.substr(at, end - at);
    std::size_t from = 0;
    bool all = true;
    for (std::string const& part : parts) {
      from = line.find(part, from);
      all = all && from != std::string::npos;
    }
    count += all;
    at = end + 1;
  }
  return count;
}

TEST(device_explain, says_kernels_launches_and_bytes) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = ramp<float, n, 100>(0.01, 4);
  auto const row = ramp<float, 100>(0.01); // read once, whatever it is broadcast to
  opencl::counts const before = gpu.counted();
  std::string const text = explain<named_rows>(gpu, x, row);
  EXPECT_EQ(text, explain<scaled_rows>(gpu, to_device(gpu, x), row));
  EXPECT_EQ(gpu.counted().launches, before.launches);
  EXPECT_EQ(lines_with(text, {"1 steps, 1 kernels, 1 launches", "on " + gpu.info().name}), 1)
      << text;
  EXPECT_EQ(lines_with(text, {"1 x", "2000 B read", "16 B written", "group (4, 100) rows"}), 1)
      << text;
  EXPECT_EQ(lines_with(text, {"return %"}), 1);
}

// A step of a loop's body stands for all turns.
constexpr auto summed = [](auto h, auto xs) {
  return scan([](auto c, auto x) { return std::pair(sum<0, keep>(c) + x, none); }, h, xs).first;
};
TEST(device_profile, says_times_and_rates) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = to_device(gpu, ramp<float, 2000, 100>(0.01));
  std::string const text = profile<scaled_rows>(gpu, x, x);
  EXPECT_EQ(lines_with(text, {"us a call", "in kernels", gpu.info().name, "copies", "GB/s"}), 1);
  EXPECT_EQ(lines_with(text, {"us 100.0 %", "1 x", "1608000 B", "GB/s", "% of copy", "rows"}), 1)
      << text;
  EXPECT_EQ(lines_with(text, {" 0.00 GB/s"}), 0) << text;
  auto const h = ramp<float, 5, 5>(0.1);
  std::string const loop = profile<summed>(gpu, h, ramp<float, 7, 5, 5>(0.1));
  EXPECT_GE(lines_with(loop, {"     7 x", "B", "GB/s", "% of copy", "region 1"}), 1) << loop;
  EXPECT_GE(lines_with(loop, {"loop"}), 1) << loop;
}
TEST(device_profile, measures_the_copy_rate_once) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  double const rate = opencl::copy_rate(gpu);
  EXPECT_GT(rate, 0.1);
  extent const launches = gpu.counted().launches;
  EXPECT_EQ(opencl::copy_rate(gpu), rate);
  EXPECT_EQ(gpu.counted().launches, launches);
}

} // namespace
