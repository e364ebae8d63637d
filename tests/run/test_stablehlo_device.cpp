// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Imported programs on an OpenCL device: the bits of the block executor.
#include "support/block.hpp"
#include "support/opencl.hpp"

#include <weft/opencl.hpp>
#include <weft/run/device_model.hpp>
#include <weft/stablehlo.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

constexpr char const* attention = R"(module {
  func.func public @main(%q: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> (tensor<?x4xf32>, tensor<?xi32>) {
    %0 = stablehlo.dot_general %q, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
    %1 = stablehlo.tanh %0 : tensor<?x4xf32>
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %3 = stablehlo.convert %2 : (tensor<?xf32>) -> tensor<?xi32>
    return %1, %3 : tensor<?x4xf32>, tensor<?xi32>
  }
})";

host_array filled(extents const& shape, float step) {
  host_array x(dtype::f32, shape);
  for (extent i = 0; i < x.size(); ++i) {
    float const v = static_cast<float>(i % 7) * step - 0.5f;
    std::memcpy(x.data() + 4 * i, &v, 4);
  }
  return x;
}
bool same_bits(host_array const& a, host_array const& b) {
  return a.type() == b.type() && a.shape() == b.shape() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.byte_count())) == 0);
}

TEST(device_model, gives_the_bits_of_the_cpu_for_any_binding_of_names) {
  if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  model here = stablehlo::read(std::string(attention));
  device_model there(opencl::device(), here.recorded());
  for (extent rows : {5, 3, 3, 0, 70}) {
    std::vector<host_array> const in = {filled({2, {rows, 4}}, 0.25f), filled({2, {4, 4}}, 0.5f)};
    std::vector<host_array> const a = here.run(in), b = there.run(in);
    ASSERT_EQ(a.size(), 2u);
    ASSERT_EQ(b.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_TRUE(same_bits(a[k], b[k])) << rows << " " << k;
  }
}
TEST(device_model, refuses_what_the_program_does_not_take) {
  if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  model here = stablehlo::read(std::string(attention));
  device_model there(opencl::device(), here.recorded());
  EXPECT_THROW(there.run({filled({2, {2, 4}}, 1)}), usage_error);
  EXPECT_THROW(there.run({host_array(dtype::i32, {2, {2, 4}}), filled({2, {4, 4}}, 1)}),
               usage_error);
  EXPECT_THROW(there.run({filled({2, {2, 3}}, 1), filled({2, {4, 4}}, 1)}), shape_error);
}

} // namespace
