// SPDX-License-Identifier: BSL-1.0
// build: alone
// On random graphs every pass leaves a sound graph, the same inputs, and the same outputs bit for
// bit (NaN payloads aside).
#include "random_graph.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/pipeline.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

testing::AssertionResult is_sound(std::uint64_t seed, graph_view g) {
  weft::verify_error const e = weft::verify(g);
  if (!e) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "seed " << seed << ": " << weft::name_of(e.broken) << " at %" << e.node << "\n"
         << weft::print(g);
}
testing::AssertionResult same_inputs(graph_view a, graph_view b) {
  weft::view<int> p = a.parameters_of(0), q = b.parameters_of(0);
  if (p.size() != q.size()) return testing::AssertionFailure() << "another number of inputs";
  for (int k = 0; k < p.size(); ++k)
    if (a[p[k]].type != b[q[k]].type || !(a.shape(p[k]) == b.shape(q[k])))
      return testing::AssertionFailure() << "input " << k << " differs";
  return testing::AssertionSuccess();
}

int count_of(weft::graph const& g, weft::op code) {
  int count = 0;
  for (weft::node const& n : g.nodes) count += n.code == code;
  return count;
}

class keeps_meaning : public testing::TestWithParam<int> {};

TEST_P(keeps_meaning, of_random_graphs) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    graph_options options;
    options.named = seed % 5 == 4;
    options.calls_host = true;
    options.nodes = seed % 3 == 0 ? 60 : 30;
    weft::graph const g = random_graph(seed, options);
    weft::graph const after = weft::optimise_stage(GetParam(), g);
    ASSERT_TRUE(is_sound(seed, after)) << weft::print(g);
    ASSERT_TRUE(same_inputs(g, after)) << "seed " << seed;
    growing<dense> const inputs = random_inputs(g, seed);
    ASSERT_TRUE(same_bits(seed, g, test::meaning_of(after, inputs), test::meaning_of(g, inputs)))
        << weft::print(after);
    changed += weft::print(after) != weft::print(g);
  }
  // What sums are taken off is rare here: tests/pass/test_rematerialise.cpp has random graphs of it.
  std::string const name = weft::optimise_steps<>[GetParam()].name;
  EXPECT_GT(changed, name == "rematerialise" ? 5 : 100);
}
INSTANTIATE_TEST_SUITE_P(every_pass, keeps_meaning, testing::Range(0, weft::optimise_stages),
                         [](auto const& one) {
                           return std::string(weft::optimise_steps<>[one.param].name);
                         });

// Programs compile those ops of fold that `ops_on_splats` names: the ones that it takes away.
TEST(fold, computes_what_it_announces) {
  int announced = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    weft::graph const g = random_graph(seed), after = weft::fold(g);
    weft::op_set const ops = weft::ops_on_splats(g);
    for (int o = 0; o < weft::op_count; ++o) {
      auto const code = static_cast<weft::op>(o);
      bool const shrank = count_of(after, code) < count_of(g, code);
      ASSERT_EQ(ops.has(code), shrank && !weft::is_view(code)) << seed << '\n' << weft::print(g);
    }
    announced += ops.size();
  }
  EXPECT_GT(announced, 100);
}

// Products of per-step values with constants, in nested loops of few ops: hoist finds work here.
TEST(hoist, keeps_meaning_of_loops) {
  graph_options options = graph_options::only(
      {op::contract, op::cond, op::while_loop, op::scan, op::add, op::mul, op::tanh, op::convert,
       op::constant, op::broadcast, op::transpose, op::slice, op::reshape, op::reverse, op::window,
       op::concat, op::reduce_sum, op::reduce_max, op::reduce_prod});
  options.nodes = 50;
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    weft::graph const g = random_graph(seed, options), after = weft::hoist(g);
    ASSERT_TRUE(is_sound(seed, after)) << weft::print(g);
    growing<dense> const inputs = random_inputs(g, seed);
    ASSERT_TRUE(same_bits(seed, g, test::meaning_of(after, inputs), test::meaning_of(g, inputs)))
        << weft::print(after);
    for (int id = 0; id < g.size(); ++id) moved += g[id].code == op::contract && g[id].region != 0;
    for (int id = 0; id < after.size(); ++id)
      moved -= after[id].code == op::contract && after[id].region != 0;
  }
  EXPECT_GT(moved, 50);
}

TEST(optimise, keeps_meaning_and_is_done_after_few_rounds) {
  for (std::uint64_t seed = 5000; seed < 6000; ++seed) {
    weft::graph const g = random_graph(seed), once = weft::optimise(g),
                      twice = weft::optimise(once);
    ASSERT_TRUE(is_sound(seed, twice));
    growing<dense> const inputs = random_inputs(g, seed), expected = test::meaning_of(g, inputs);
    ASSERT_TRUE(same_bits(seed, g, test::meaning_of(once, inputs), expected)) << weft::print(once);
    ASSERT_TRUE(same_bits(seed, g, test::meaning_of(twice, inputs), expected))
        << weft::print(twice);
    EXPECT_LE(twice.size(), once.size())
        << "seed " << seed << weft::print(once) << weft::print(twice);
  }
}

} // namespace
