// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Updates whose places are each example's own, from the public functions: the index moves along the
// axis whose elements an item of a CPU takes together.
#include "opencl/launches.hpp"

#include <weft/lang/indexing.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/vmap.hpp>
#include <weft/lang/windows.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;
using test::launches;

class scatter_by_example : public testing::TestWithParam<opencl::device_traits> {
protected:
  void SetUp() override {
    if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  }
  template <class... X, class F> void has_the_bits(F const& f) const {
    for (std::uint64_t seed = 0; seed < 4; ++seed) launches(record<X...>(f), GetParam(), seed);
  }
};

constexpr auto picked = [](auto x, auto i) { return sum(take_along_axis<1>(x, i)); };
TEST_P(scatter_by_example, of_the_gradient_of_take_along_axis) {
  has_the_bits<tensor<float, 2, 3>, tensor<int, 2, 1>>(grad(picked));
  has_the_bits<tensor<float, 37, 5>, tensor<int, 37, 2>>(grad(picked));
}
constexpr auto added = [](auto x, auto i, auto u) { return scatter_add<0>(x, i, u); };
constexpr auto written = [](auto x, auto i, auto u) { return scatter<0>(x, i, u); };
TEST_P(scatter_by_example, of_vmap) {
  using table = tensor<float, 20, 6>;
  has_the_bits<table, tensor<int, 20, 3>, tensor<float, 20, 3>>(vmap(added));
  has_the_bits<table, tensor<int, 20, 3>, tensor<float, 20, 3>>(vmap(written));
  has_the_bits<tensor<float, 20, 6, 4>, tensor<int, 20, 3>, tensor<float, 20, 3, 4>>(vmap(added));
  has_the_bits<tensor<bf16, 20, 6>, tensor<int, 20, 3>, tensor<bf16, 20, 3>>(vmap(added));
}
constexpr auto put = [](auto x, auto u, auto at) { return dynamic_update_slice(x, u, at); };
TEST_P(scatter_by_example, of_windows) {
  has_the_bits<tensor<float, 20, 6>, tensor<float, 20, 2>, tensor<int, 20>>(vmap(put));
}
INSTANTIATE_TEST_SUITE_P(, scatter_by_example,
                         testing::Values(opencl::device_traits{true, 32 * 1024, 4096},
                                         opencl::device_traits{false, 32 * 1024, 1024}),
                         [](auto const& p) { return p.param.is_cpu ? "cpu" : "gpu"; });

} // namespace
