// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// What a device without double precision is not asked to do, and that the texts agree.
#include "support/opencl.hpp"
#include "support/text_of.hpp"

#include <weft/graph/handle.hpp>
#include <weft/opencl/expect_supported.hpp>
#include <weft/opencl/point_text.hpp>
#include <weft/pass/schedule.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

graph conversion(dtype from, dtype to) {
  recorder r;
  handle const y = convert(r.input(from, {1, {8}}, {0, 0, false}), to);
  r.finish({&y, 1});
  return std::move(r.result);
}
opencl::device_info without_double() {
  opencl::device_info d;
  d.name = "small";
  return d;
}
bool is_refused(graph const& g) {
  try {
    opencl::detail::expect_supported(g, without_double());
  } catch (usage_error const&) {
    return true;
  }
  return false;
}
bool has(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

TEST(expect_supported, says_which_conversion) {
  auto const says = [](dtype from, dtype to) {
    graph const g = conversion(from, to);
    return test::text_of<usage_error>(
        [&] { opencl::detail::expect_supported(g, without_double()); });
  };
  EXPECT_EQ(says(dtype::f32, dtype::i64),
            "weft: opencl: a conversion of f32 to i64 on small, which has no double "
            "precision; convert by way of i32, or use another device");
  EXPECT_EQ(says(dtype::f64, dtype::f32), "weft: opencl: float64 on small, which has no double "
                                          "precision; convert to float, or use another device");
}
// Of every conversion: refused, if and only if its text has a double; and that asks for doubles.
TEST(expect_supported, knows_what_is_computed_in_double) {
  int refused = 0;
  for (int a = 0; a < dtype_count; ++a)
    for (int b = 0; b < dtype_count; ++b) {
      if (a == b) continue;
      graph const g = conversion(static_cast<dtype>(a), static_cast<dtype>(b));
      accesses const reads = accesses_of(g);
      schedule const plan = make_schedule(g, reads);
      lowered const code = lower(g, reads, plan);
      opencl::point_text const p = opencl::write_point(code, code.kernels[0]);
      bool const in_double = has(p.functions, "double") || has(p.before, "double ");
      EXPECT_EQ(is_refused(g), in_double) << p.program();
      EXPECT_EQ(has(p.before, "cl_khr_fp64"), in_double) << p.program();
      refused += in_double;
    }
  EXPECT_EQ(refused, 2 * (dtype_count - 1) + 2 * 3 * 2); // float64's, 3 floats and 2 integers
}

} // namespace
