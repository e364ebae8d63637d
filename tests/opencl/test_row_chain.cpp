// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Groups over the same rows are one launch, in the form of CPUs and in that of GPUs, with the
// interpreter's bits: what the public functions become, and random programs over rows of all lengths.
#include "opencl/row_programs.hpp"
#include "random/run_device.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/lang/attention.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/makers.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/lang/transforms.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace weft;
using test::device_runner, test::row_layout_of, test::same_bits;

constexpr opencl::device_traits cpu{true, 32 * 1024, 4096};
constexpr opencl::device_traits gpu{false, 32 * 1024, 1024};

// How many kernels ran; their results are the interpreter's.
extent launches(graph_view g, opencl::device_traits const& traits, std::uint64_t seed = 2) {
  opencl::device const on;
  growing<dense> const inputs = test::random_inputs(g, seed);
  device_runner runner(on, g, false, traits);
  extent const before = on.counted().launches;
  growing<dense> const results = runner.run(inputs);
  extent const after = on.counted().launches;
  EXPECT_TRUE(same_bits(seed, g, results, test::meaning_of(g, inputs)));
  return after - before;
}

class row_chain : public testing::TestWithParam<opencl::device_traits> {
protected:
  void SetUp() override {
    if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  }
};
using matrix = tensor<float, 32, 100>;
constexpr auto mean_loss = [](auto x, auto l) { return mean(softmax_cross_entropy(x, l)); };
template <class... X, class F> graph recorded(F const& f) { return record<X...>(f); }

TEST_P(row_chain, is_all_of_a_softmax) {
  EXPECT_EQ(1, launches(recorded<matrix>([](auto x) { return softmax(x); }), GetParam()));
  EXPECT_EQ(1, launches(recorded<matrix>([](auto x) { return log_softmax(x); }), GetParam()));
  EXPECT_EQ(1,
            launches(recorded<tensor<float, 1000>>([](auto x) { return softmax(x); }), GetParam()));
  EXPECT_EQ(
      1, launches(recorded<tensor<bf16, 8, 300>>([](auto x) { return softmax(x); }), GetParam()));
}
TEST_P(row_chain, is_all_of_a_layer_norm) {
  using vector = tensor<float, 100>;
  EXPECT_EQ(1, launches(recorded<matrix, vector, vector>(
                            [](auto x, auto a, auto b) { return layer_norm(x, a, b); }),
                        GetParam()));
  EXPECT_EQ(1, launches(recorded<matrix, vector>([](auto x, auto a) { return rms_norm(x, a); }),
                        GetParam()));
}
TEST_P(row_chain, is_all_of_a_cross_entropy) {
  using labels = tensor<int, 32>;
  EXPECT_EQ(1, launches(recorded<matrix, labels>(
                            [](auto x, auto l) { return softmax_cross_entropy(x, l); }),
                        GetParam()));
  EXPECT_EQ(2, launches(recorded<matrix, labels>(mean_loss), GetParam()));
}
TEST_P(row_chain, is_the_softmax_between_the_products_of_attention) {
  using heads = tensor<float, 2, 3, 20, 8>;
  EXPECT_EQ(3, launches(recorded<heads, heads, heads>(
                            [](auto q, auto k, auto v) { return causal_attention(q, k, v); }),
                        GetParam()));
}
TEST_P(row_chain, goes_on_into_gradients) {
  EXPECT_EQ(2, launches(recorded<matrix, tensor<int, 32>>(value_and_grad(mean_loss)), GetParam()));
}
INSTANTIATE_TEST_SUITE_P(, row_chain, testing::Values(cpu, gpu),
                         [](auto const& p) { return p.param.is_cpu ? "cpu" : "gpu"; });

} // namespace
