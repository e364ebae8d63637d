// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Products that compute the elementwise work that follows them, by chance: labels, types, views, with
// and without others that read the product. The interpreter's bits in the forms of CPUs and of GPUs;
// one launch for both steps; and what no product may compute.
#include "opencl/contraction_cases.hpp"
#include "opencl/launches.hpp"

#include <weft/lang/einsum.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/transforms.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;
using contraction_cases::writer;
using test::launches, test::random_source;

// What follows a product c: some elementwise ops on it and on inputs that are read in any way.
handle tail_of(writer& w, random_source& rng, handle c) {
  handle y = c;
  for (int n = rng.between(1, 4); n > 0; --n) switch (rng.below(is_float(y.type()) ? 6 : 5)) {
      case 0: y = y + w.viewed(y.type(), y.shape(), 40); break;
      case 1: y = w.viewed(y.type(), y.shape(), 40) * y; break;
      case 2: y = binary(op::maximum, y.type(), y, c.type() == y.type() ? c : -y); break;
      case 3:
        if (y.shape().rank > 0) y = y + iota(w.r, y.type(), y.shape(), rng.below(y.shape().rank));
        break;
      case 4: y = convert(y, rng.chance(50) ? dtype::f32 : dtype::i16); break;
      default: y = unary(op::tanh, y); break;
    }
  return y;
}

struct seen {
  int products = 0, epilogues = 0, kept = 0;
};
void run_cases(opencl::device_traits const& traits, std::uint64_t first, std::uint64_t count,
               seen& all) {
  opencl::device const on;
  constexpr dtype types[] = {dtype::f32, dtype::f64, dtype::bf16, dtype::f16,
                             dtype::i32, dtype::i8,  dtype::u64};
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    random_source rng(seed);
    writer w(seed);
    handle const c = contraction_cases::product_of(
        w, rng, contraction_cases::random_labels(rng, 20000), types[rng.below(7)], 30);
    growing<handle> outputs(1, tail_of(w, rng, c));
    if (rng.chance(30)) outputs.push(c);
    if (rng.chance(30)) outputs.push(tail_of(w, rng, c));
    w.r.finish(outputs);
    graph const g = std::move(w.r.result);
    growing<dense> const inputs = test::random_inputs(g, seed);
    test::device_runner runner(on, g, false, traits);
    ASSERT_TRUE(test::same_bits(seed, g, runner.run(inputs), test::meaning_of(g, inputs)));
    fused_schedule const& fused = runner.program().fused;
    for (int s = 0; s < fused.plan.steps.size(); ++s) {
      all.products += fused.plan.steps[s].kind == step_kind::contraction;
      all.epilogues += fused.epilogue_of[s] >= 0;
      all.kept += fused.product_kept[s];
    }
  }
}

TEST(epilogue, of_random_products) {
  if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  seen all;
  run_cases(opencl::traits_of(opencl::devices()[0]), 1, 24, all);
  run_cases({false, 32 * 1024, 1024}, 1000, 24, all);
  EXPECT_GE(all.epilogues, all.products * 3 / 4);
  EXPECT_GT(all.kept, 3);
  EXPECT_LT(all.kept, all.epilogues / 2);
}

constexpr auto dropped = [](auto x, auto w, auto b, auto k) {
  return dropout(k, 0.25f, linear<"ni,oi->no">(x, w, b));
};

TEST(epilogue, is_the_dropout_behind_a_linear_layer) {
  if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  constexpr auto kept = [](auto x, auto w, auto b) {
    auto y = linear<"ni,oi->no">(x, w, b);
    return std::pair(tanh(y), y);
  };
  graph const layer = record<tensor<float, 33, 20>, tensor<float, 40, 20>, tensor<float, 40>, key>(
      dropped);
  graph const two = record<tensor<float, 33, 20>, tensor<float, 40, 20>, tensor<float, 40>>(kept);
  for (opencl::device_traits const& traits :
       {opencl::device_traits{true, 32 * 1024, 4096}, {false, 32 * 1024, 1024}}) {
    EXPECT_EQ(launches(layer, traits, 1), 1);
    EXPECT_EQ(launches(two, traits, 1), 1);
  }
}
// Whatever numbers the names get, 0 among them: one kernel, or none.
TEST(epilogue, has_named_extents) {
  if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  constexpr sym rows{"rows"};
  constexpr sym width{"width"};
  graph const g = record<tensor<float, rows, 20>, tensor<float, width, 20>, tensor<float, width>>(
      [](auto x, auto w, auto b) { return tanh(linear<"ni,oi->no">(x, w, b)) * 0.5f; });
  for (std::uint64_t seed = 1; seed < 12; ++seed)
    EXPECT_LE(launches(g, {seed % 2 == 0, 32 * 1024, 1024}, seed), 1) << seed;
}

} // namespace
