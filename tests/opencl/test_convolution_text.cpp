// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Convolutions on a device, as CPUs and as GPUs compute them, leave the interpreter's bits.
#include "random/random_convolution.hpp"
#include "random/same_bits.hpp"
#include "step_runner.hpp"
#include "support/meaning.hpp"
#include "support/opencl.hpp"

#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/verify.hpp>
#include <weft/opencl/convolution_text.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace {

using namespace weft;
using opencl::device_traits, opencl::step_text;

constexpr device_traits cpu{true, 32 * 1024, 256};
constexpr device_traits gpu{false, 48 * 1024, 256};
constexpr device_traits small_gpu{false, 12 * 1024, 64};

// An input that is read backwards or transposed, now and then.
handle viewed_input(recorder& r, test::random_source& rng, dtype type, extents const& shape,
                    int number) {
  extent order[max_rank]{};
  for (int i = 0; i < shape.rank; ++i) order[i] = i;
  bool const turned = rng.chance(40);
  for (int i = shape.rank - 1; i > 0 && turned; --i) std::swap(order[i], order[rng.below(i + 1)]);
  extents given;
  for (int i = 0; i < shape.rank; ++i) given.push(shape[static_cast<int>(order[i])]);
  handle const x = r.input(type, given, {number, 0, false});
  handle const y = transpose_back(x, {order, shape.rank});
  return rng.chance(20) && shape.rank > 0 ? reverse(y, 1) : y;
}

class convolution_text : public testing::Test {
protected:
  void SetUp() override {
    if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
    device_.emplace();
  }
  void check(graph_view g, int node, device_traits const& on, std::uint64_t seed) {
    ASSERT_FALSE(verify(g)) << "seed " << seed << " breaks " << text_of(verify(g).broken);
    test::random_source rng(seed);
    growing<dense> inputs;
    for (int id : g.parameters_of(0)) inputs.push(test::random_dense(rng, g[id].type, g.shape(id)));
    test::step_runner run(*device_);
    for (int i = 0; i < inputs.size(); ++i)
      run.memory[g.parameters_of(0)[i]] = run.filled(inputs[i]);
    run.memory[node] = run.filled(dense(g[node].type, g.shape(node), 0xcdcdcdcdcdcdcdcd));
    run(opencl::convolution_text(g, accesses_of(g), node, on));
    growing<dense> actual;
    actual.push(run.array(node, g[node].type, g.shape(node)));
    EXPECT_TRUE(test::same_bits(seed, g, actual, test::meaning_of(g, inputs)));
  }
  void check_random(dtype in, int count, std::uint64_t first) {
    for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
      test::random_source rng(seed);
      test::random_convolution c = test::convolution_writer(rng).write();
      recorder r;
      handle const x = viewed_input(r, rng, in, c.x, 0), w = viewed_input(r, rng, in, c.w, 1);
      dtype const type = rng.chance(70) ? in : accumulator_of(in);
      c.c.has_bias = rng.chance(40);
      handle const bias = c.c.has_bias ? viewed_input(r, rng, type, c.out, 2) : handle{};
      handle const y = convolve(x, w, c.c, c.out, type, bias);
      r.finish({&y, 1});
      for (device_traits const& on : {cpu, gpu, small_gpu}) {
        check(r.result, y.id, on, seed);
        if (HasFailure()) return;
      }
    }
  }
  std::optional<opencl::device> device_;
};

TEST_F(convolution_text, floats) { check_random(dtype::f32, 14, 1); }
TEST_F(convolution_text, halves) {
  check_random(dtype::bf16, 6, 100);
  check_random(dtype::f16, 6, 200);
}
TEST_F(convolution_text, doubles_and_integers) {
  check_random(dtype::f64, 4, 300);
  for (dtype d : {dtype::i8, dtype::u16, dtype::i32, dtype::u64})
    check_random(d, 2, 400 + 10 * static_cast<std::uint64_t>(d));
}

// A layer with its two derivatives, large enough for tiles in local memory.
graph layer(int which) {
  recorder r;
  convolution c;
  c.rank_x = c.rank_w = c.rank_out = 4;
  c.x[0] = 'n', c.x[1] = 'h', c.x[2] = 'v', c.x[3] = 'c';
  c.w[0] = 'k', c.w[1] = 'l', c.w[2] = 'c', c.w[3] = 'f';
  c.out[0] = 'n', c.out[1] = 'y', c.out[2] = 'z', c.out[3] = 'f';
  c.window[c.windows++] = {.x = 'h', .w = 'k', .out = 'y', .stride = 2, .low = 1};
  c.window[c.windows++] = {.x = 'v', .w = 'l', .out = 'z', .stride = 2, .low = 1};
  extents const x{4, {2, 12, 12, 33}}, w{4, {3, 3, 33, 40}}, y{4, {2, 6, 6, 40}};
  extents const& first = which == 1 ? y : x;
  extents const& second = which == 2 ? y : w;
  handle const a = r.input(dtype::f32, first, {0, 0, false}),
               b = r.input(dtype::f32, second, {1, 0, false});
  convolution const one = which == 0 ? c : which == 1 ? by_input(c) : by_filter(c);
  handle const out = convolve(a, b, one, which == 0 ? y : which == 1 ? x : w, dtype::f32);
  r.finish({&out, 1});
  return r.result;
}
TEST_F(convolution_text, layers_of_a_network) {
  for (int which = 0; which < 3; ++which)
    for (device_traits const& on : {cpu, gpu}) check(layer(which), 2, on, 7);
}
// What a layer launches: one copy of x with its zeros, one product; its derivative by x has a
// product per phase of the stride, on one copy; by w one again.
TEST_F(convolution_text, launches) {
  int const expected[] = {2, 1 + 4, 2};
  for (int which = 0; which < 3; ++which) {
    graph const g = layer(which);
    EXPECT_EQ(opencl::convolution_text(g, accesses_of(g), 2, gpu).launches.size(),
              static_cast<std::size_t>(expected[which]));
  }
}

} // namespace
