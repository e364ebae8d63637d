// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// What debug_print gives its line to may run programs on the device, the one that prints among them.
#include "run/device.hpp"

#include <weft/lang/elementwise.hpp>
#include <weft/lang/observe.hpp>
#include <weft/run/evaluate.hpp>

#include <vector>

namespace {

using namespace weft;
using test::expect_same, test::ramp;

constexpr sym n{"n"};
using vector = tensor<float, n>;

// Its arguments and the first product are read after the line.
constexpr auto printed = [](auto x, auto y) {
  auto a = x * y;
  auto b = debug_print<"a">(a + 1);
  return std::pair(b * x + a, y - b);
};

opencl::device* on = nullptr;
std::vector<int> lengths; // of the runs that a line asks for
std::vector<std::pair<device_tensor<float, n>, device_tensor<float, n>>> inner;

void run_again(char const*) {
  if (lengths.empty()) return;
  int const length = lengths.back();
  lengths.pop_back();
  inner.push_back(
      jit<printed>(*on, ramp<float, n>(0.3, length), to_device(*on, ramp<float, n>(0.1, length))));
}

TEST(device_print, may_run_the_program_that_prints) {
  if (test::no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  on = &gpu;
  for (int length : {100, 3, 40}) {
    auto const x = ramp<float, n>(0.7, length), y = ramp<float, n>(0.2, length);
    auto x_there = to_device(gpu, x), y_there = to_device(gpu, y);
    on_print = run_again;
    lengths = {100, 3, 40}; // each within the one before
    auto const from_host = jit<printed>(gpu, x, y);
    lengths = {100};
    auto const moved = jit<printed>(gpu, std::move(x_there), std::move(y_there));
    on_print = [](char const*) {};
    auto const expected = jit<printed>(x, y);
    expect_same(expected, from_host);
    expect_same(expected, moved);
    EXPECT_EQ(inner.size(), 4u);
    for (auto const& result : inner) {
      int const of = static_cast<int>(result.first.extent(0));
      expect_same(jit<printed>(ramp<float, n>(0.3, of), ramp<float, n>(0.1, of)), result);
    }
    inner.clear();
  }
  on_print = nullptr;
  on = nullptr;
}

} // namespace
