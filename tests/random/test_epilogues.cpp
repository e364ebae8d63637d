// SPDX-License-Identifier: BSL-1.0
// build: alone
// Elementwise work that runs behind each block of a product has the interpreter's bits, on random
// graphs of products and convolutions: as recorded and optimised, with names, in the bodies of loops,
// on one to three threads, at two widths, over moved arguments.
#include "random_graph.hpp"
#include "run_epilogues.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"
#include "support/targets.hpp"

#include <weft/cpu/pool.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

struct tally {
  weft::extent ran = 0;
  int planned = 0, donated = 0, waited = 0;
  void add(epilogue_run const& r) {
    ran += r.ran, planned += r.planned, donated += r.donated;
    waited += r.donated > 0 && r.ran < r.planned; // or a loop without turns
  }
};

// Programs with many products, and elementwise work of little else than arithmetic behind them.
graph_options products_first(std::uint64_t seed) {
  graph_options o =
      seed % 4 != 0
          ? graph_options::only({op::contract, op::convolve, op::abs, op::neg, op::add, op::scan})
          : graph_options::only({op::contract, op::convolve, op::add, op::mul, op::neg, op::convert,
                                 op::select, op::less, op::reshape, op::transpose, op::broadcast,
                                 op::slice, op::scan});
  o.nodes = seed % 3 == 0 ? 60 : 20;
  o.named = seed % 5 == 4;
  o.wide = seed % 7 == 6;
  return o;
}

template <class Target, class Executor>
void expect_bits(std::uint64_t seed, Executor& on, bool donate, tally& all) {
  weft::graph const g = random_graph(seed, products_first(seed));
  growing<dense> const inputs = random_inputs(g, seed);
  weft::cpu::block_program<Target> const program(g, seed % 8 == 0);
  told_code const code(program.code(), telling::always);
  epilogue_run const r = run_epilogues(code.code(), inputs, on, donate);
  all.add(r);
  bool loops = false;
  for (weft::node const& n : program.optimised().nodes) loops |= n.code == op::scan;
  if (!loops && !donate) { // the memory plan sees to it
    EXPECT_EQ(r.ran, r.planned) << "seed " << seed;
  }
  EXPECT_TRUE(same_bits(seed, g, r.results, test::meaning_of(g, inputs)));
}

TEST(epilogues, of_random_graphs) {
  tally all;
  weft::cpu::serial here;
  for (std::uint64_t seed = 0; seed < 3000 && !testing::Test::HasFailure(); ++seed)
    expect_bits<weft::cpu::native_target>(seed, here, seed % 4 == 1, all);
  EXPECT_GT(all.ran, 250);
  std::printf("%lld ran as epilogues, %d could, %d results over arguments, %d runs waited\n",
              static_cast<long long>(all.ran), all.planned, all.donated, all.waited);
}
TEST(epilogues, of_random_graphs_on_threads) {
  tally all;
  for (int threads : {2, 3}) {
    weft::cpu::pool pool(threads, 0);
    for (std::uint64_t seed = 2000; seed < 3000 && !testing::Test::HasFailure(); ++seed)
      expect_bits<weft::cpu::native_target>(seed, pool, false, all);
  }
  EXPECT_GT(all.ran, 150);
}
TEST(epilogues, of_random_graphs_at_another_width) {
  tally all;
  weft::cpu::serial here;
  for (std::uint64_t seed = 4000; seed < 5000 && !testing::Test::HasFailure(); ++seed)
    expect_bits<test::narrow_target>(seed, here, true, all);
  EXPECT_GT(all.ran, 60);
}
TEST(epilogues, are_few_where_products_choose) { // small ones do not
  weft::cpu::serial here;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    graph_options options = products_first(seed);
    options.wide = false;
    weft::graph const g = random_graph(seed, options);
    weft::cpu::block_program<test::narrow_target> const program(g);
    EXPECT_EQ(run_epilogues(program.code(), random_inputs(g, seed), here).ran, 0);
  }
}

} // namespace
