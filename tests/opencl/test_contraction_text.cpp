// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Contractions on a device, as CPUs and as GPUs compute them, leave the interpreter's bits.
#include "contraction_cases.hpp"
#include "random/same_bits.hpp"
#include "step_runner.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/opencl/contraction_text.hpp>

#include <optional>

namespace {

using namespace weft;
using namespace contraction_cases;
using opencl::device_traits;

constexpr device_traits cpu{true, 32 * 1024, 256};
constexpr device_traits gpu{false, 48 * 1024, 256};
constexpr device_traits small_gpu{false, 12 * 1024, 64};

// None where there is no device.
std::optional<opencl::device> any_device() {
  try {
    return opencl::device();
  } catch (opencl::no_device const&) {
    return std::nullopt;
  }
}

class contraction_text : public testing::Test {
protected:
  std::optional<opencl::device> device_ = any_device();

  void SetUp() override {
    if (!device_) GTEST_SKIP() << "no OpenCL device";
  }
  // `in_place`: out lies where start does, if that is an input as it stands.
  void check(graph_view g, int node, device_traits const& on, std::uint64_t seed,
             bool in_place = false) {
    ASSERT_FALSE(verify(g)) << "seed " << seed << " breaks " << text_of(verify(g).broken);
    test::random_source rng(seed);
    growing<dense> inputs;
    for (int id : g.parameters_of(0)) inputs.push(test::random_dense(rng, g[id].type, g.shape(id)));
    growing<dense> const expected = test::meaning_of(g, inputs);
    accesses const reads = accesses_of(g);
    test::step_runner run(*device_);
    for (int i = 0; i < inputs.size(); ++i)
      run.memory[g.parameters_of(0)[i]] = run.filled(inputs[i]);
    int const start = g.operand(node, 2 < g[node].operand_count ? 2 : 0);
    run.memory[node] = in_place ? run.memory.at(start)
                                : run.filled(dense(g[node].type, g.shape(node)));
    opencl::step_text const step = opencl::contraction_text(g, reads, node, on);
    ASSERT_EQ(step.launches.size(), expected[0].size() == 0 ? 0u : 1u);
    run(step);
    growing<dense> actual;
    actual.push(run.array(node, g[node].type, g.shape(node)));
    EXPECT_TRUE(test::same_bits(seed, g, actual, expected))
        << (step.kernels.empty() ? "" : step.kernels[0].source);
  }
  void check_random(dtype in, int count, std::uint64_t first) {
    for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
      writer w(seed);
      test::random_source rng(seed);
      handle const h = product_of(w, rng, random_labels(rng, 30000), in, rng.chance(50) ? 0 : 30);
      for (device_traits const& on : {cpu, gpu, small_gpu}) {
        check(w.r.result, h.id, on, seed);
        if (HasFailure()) return;
      }
    }
  }
};

TEST_F(contraction_text, floats) { check_random(dtype::f32, 40, 1); }
TEST_F(contraction_text, halves) {
  check_random(dtype::bf16, 15, 100);
  check_random(dtype::f16, 10, 200);
}
TEST_F(contraction_text, doubles) { check_random(dtype::f64, 10, 300); }
TEST_F(contraction_text, integers) {
  for (dtype d : {dtype::i8, dtype::u16, dtype::i32, dtype::u64})
    check_random(d, 4, 400 + 10 * static_cast<std::uint64_t>(d));
}

} // namespace
