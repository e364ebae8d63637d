// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// build: alone
// A step that needs more bytes of arguments than its device takes is refused before it is built.
#include "host.hpp"

#include <weft/graph/handle.hpp>
#include <weft/opencl/engine_code.hpp>

extern template struct weft::opencl::engine_code<>; // support/opencl.cpp

namespace host_test {
namespace {

weft::graph sum_of_two() {
  weft::recorder r;
  weft::extents const shape{2, {4, 4}};
  weft::handle const sum = r.input(weft::dtype::f32, shape, {0, 0, false}) +
                           r.input(weft::dtype::f32, shape, {1, 0, false});
  r.finish({&sum, 1});
  return std::move(r.result);
}

TEST_F(host, a_step_of_too_many_arguments_is_refused) {
  opencl::device d;
  EXPECT_GE(d.info().argument_bytes, 1024);
  weft::graph const g = sum_of_two();
  opencl::program const p(g);
  opencl::device_traits traits = opencl::traits_of(d.info());
  EXPECT_EQ(traits.argument_bytes, d.info().argument_bytes);
  traits.argument_bytes = 3 * 16 + 4; // three buffers and their size
  opencl::engine const fits(d, p, weft::graph(), traits);
  --traits.argument_bytes;
  extent const built = d.counted().programs_built;
  std::string const text = text_of<opencl::launch_error>(
      [&] { opencl::engine(d, p, weft::graph(), traits); });
  EXPECT_TRUE(has(text, "has 52 bytes of arguments and may have 51 on " + d.info().name)) << text;
  EXPECT_EQ(d.counted().programs_built, built);
}

} // namespace
} // namespace host_test
