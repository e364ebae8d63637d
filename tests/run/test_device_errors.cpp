// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Calls on a device that throw: when, and what stays behind.
#include "run/device.hpp"

#include <weft/lang/observe.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/sort.hpp>
#include <weft/lang/while.hpp>
#include <weft/run/device_profile.hpp>

#include <stdexcept>

namespace {

using namespace weft;
using test::expect_same, test::ramp, test::no_device;

constexpr sym n{"n"};

// There is no element to choose; which matters where the branch is taken.
constexpr auto best_if = [](auto x, auto wanted) {
  return cond(
      wanted > 0, [](auto a) { return arg_max<0>(a); },
      [](auto a) { return convert<int>(sum<0>(a)); }, x);
};
TEST(device_errors, are_of_steps_that_run) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  for (int rows : {4, 0}) {
    auto const x = ramp<float, n, 3>(0.3, rows);
    expect_same(jit<best_if>(x, 0.0f), jit<best_if>(gpu, x, 0.0f));
    if (rows > 0) {
      expect_same(jit<best_if>(x, 1.0f), jit<best_if>(gpu, x, 1.0f));
      continue;
    }
    EXPECT_THROW(jit<best_if>(x, 1.0f), shape_error);
    EXPECT_THROW(jit<best_if>(gpu, x, 1.0f), shape_error);
  }
}

constexpr auto product = [](auto x, auto y) { return x * y; };
TEST(device_errors, leave_no_argument_on_the_device) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = ramp<float, n, 70>(0.01, 5), other = ramp<float, n, 70>(0.01, 6);
  auto const there = to_device(gpu, x);
  auto const expected = jit<product>(x, x);
  for (int i = 0; i < 2; ++i) expect_same(expected, jit<product>(gpu, there, there));
  extent const alive = gpu.counted().buffers_alive;
  EXPECT_THROW((jit<product>(gpu, x, other)), shape_error); // other extents
  EXPECT_EQ(gpu.counted().buffers_alive, alive);
  opencl::device second;
  auto const elsewhere = to_device(second, x);
  EXPECT_THROW((jit<product>(gpu, x, elsewhere)), usage_error);
  EXPECT_EQ(gpu.counted().buffers_alive, alive);
  expect_same(expected, jit<product>(gpu, x, x));
}

int prints = 0;
constexpr auto watched = [](auto x) { return debug_print<"x">(x) * 2; };
TEST(device_errors, end_a_profile) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  tensor<float, 3> const x = {1, 2, 4};
  on_print = [](char const*) {
    if (++prints == 40) throw std::runtime_error("of the 40th call"); // times are taken by then
  };
  EXPECT_THROW(profile<watched>(gpu, x), std::runtime_error);
  EXPECT_EQ(prints, 40);
  expect_same(jit<watched>(x), jit<watched>(gpu, x));
  on_print = nullptr;
  EXPECT_TRUE(gpu.stop_profile().empty());
}

} // namespace
