// SPDX-License-Identifier: BSL-1.0
// build: alone
// Every pass takes a graph of 4000 nodes within the default limits of both compilers (clang counts
// 2^20 steps per evaluation). A pass that stops being linear, or costs more than 250 steps a node,
// does not compile here.
#include <weft/graph/handle.hpp>
#include <weft/pass/dissolve.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/transform/autocast.hpp>
#include <weft/transform/checkpoint.hpp>

#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

// Chains that share operands, over 35 shapes; every second chain runs inside one loop, over a
// constant of the loop, an x and the carry. Every node of a chain has an equal twin.
struct sample {
  graph g;
  growing<int> parameters[2], outputs[2];

  constexpr int add(op code, int region, int shape, int a = -1, int b = -1) {
    int both[] = {a, b};
    return g.add({.code = code, .type = dtype::f32, .shape = shape, .region = region},
                 {both, (a >= 0) + (b >= 0)}, {});
  }
  constexpr int parameter(int region, int shape) {
    extent k[] = {parameters[region].size()};
    node n{.code = op::parameter, .type = dtype::f32, .shape = shape, .region = region};
    parameters[region].push(g.add(n, {}, {k, 1}));
    if (region == 0) g.inputs.push({static_cast<int>(k[0]), 0, false});
    return parameters[region].back();
  }
  constexpr void chain(int region, int shape, int x, int y, int turns) {
    for (int i = 0; i < turns; ++i) {
      int p = add(op::mul, region, shape, x, y), q = add(op::mul, region, shape, x, y);
      x = add(op::tanh, region, shape, add(op::sub, region, shape, p, q));
      add(op::neg, region, shape, x); // dead
    }
    outputs[region].push(x);
  }
};

constexpr graph loop_of_chains(int turns) {
  sample s;
  s.g.add_region(-1);
  s.g.add_region(0);
  for (int i = 0; i < 36; ++i) s.g.intern({2, {i + 1, i % 7 + 1}});
  int x = s.parameter(0, 0), shape = s.g.intern({3, {5, 1, 1}}), xs = s.parameter(0, shape);
  int carry = s.parameter(1, 0), one = s.parameter(1, 0), constant = s.parameter(1, 0);
  int const bound[] = {x, xs, x};
  for (int k = 0; k < 18; ++k) {
    int p = s.parameter(0, 2 * k + 1 < 36 ? 2 * k + 1 : 1);
    s.chain(0, 2 * k + 1 < 36 ? 2 * k + 1 : 1, p, p, turns);
    s.chain(1, 0, k % 2 == 0 ? carry : constant, k % 3 == 0 ? one : constant, turns);
  }
  growing<int> last;
  last.push(s.outputs[1].back());
  s.g.set_parameters(1, s.parameters[1]);
  s.g.set_outputs(1, last);
  node n{.code = op::scan, .type = dtype::f32, .shape = 0, .region = 0, .body = 1};
  int scan = s.g.add(n, {bound, 3}, encode(loop{.carries = 1, .xs = 1, .ys = 0, .length = 5}));
  s.g.regions[1].owner = scan;
  extent first[] = {0};
  s.outputs[0].push(s.g.add({.code = op::get, .type = dtype::f32}, {&scan, 1}, {first, 1}));
  s.g.set_parameters(0, s.parameters[0]);
  s.g.set_outputs(0, s.outputs[0]);
  return std::move(s.g);
}

constexpr graph_sizes sizes = sizes_of(loop_of_chains(22));
constexpr auto program = freeze<sizes>(loop_of_chains(22));
static_assert(sizes.nodes > 3950 && sizes.nodes < 4050 && sizes.shapes == 37);

static_assert(fold(program).size() > 0);
static_assert(simplify(program).size() > 0);
static_assert(hoist(program).size() > 0);
static_assert(cse(program).size() > 0);
static_assert(dce(program).size() < sizes.nodes);
static_assert(rematerialise(program).size() == sizes.nodes);
static_assert(autocast(program, dtype::bf16).size() > 0);

// Scores of scores: every difference is computed twice.
constexpr graph scores(int turns) {
  recorder r;
  extents const s{2, {4, 4}};
  handle x = r.input(dtype::f32, s, {0, 0, false});
  for (int i = 0; i < turns; ++i) {
    handle const c = x - spread_over(reduce(op::reduce_sum, x, 2), s, 2);
    x = c / spread_over(reduce(op::reduce_sum, c * c, 2), s, 2);
  }
  r.finish({&x, 1});
  return std::move(r.result);
}
constexpr graph_sizes scores_sizes = sizes_of(scores(567));
constexpr auto many_scores = freeze<scores_sizes>(scores(567));
static_assert(scores_sizes.nodes > 3950 && scores_sizes.nodes < 4050);
static_assert(rematerialise(many_scores).size() == scores_sizes.nodes + 567);

// The first program as a region of checkpoint.
constexpr graph_sizes region_sizes = sizes_of(checkpoint(program, residuals::nothing));
constexpr auto a_region = freeze<region_sizes>(checkpoint(program, residuals::nothing));
static_assert(has_regions(a_region) && dissolve_regions(a_region).size() > 0);
static_assert(merge_regions(a_region).size() > 0);
static_assert(with_residuals(a_region, residuals::products).size() == region_sizes.nodes);
static_assert(kept_bytes(a_region) == 0);

TEST(steps, the_sample_is_sound) {
  verify_error e = verify(program);
  EXPECT_FALSE(e) << name_of(e.broken) << " at " << e.node;
  graph g = optimise(program);
  EXPECT_FALSE(verify(g));
  EXPECT_LT(g.size(), sizes.nodes);
}

} // namespace
