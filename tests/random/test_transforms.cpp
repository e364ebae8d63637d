// SPDX-License-Identifier: BSL-1.0
// build: alone
// On random graphs autocast and value_and_grad leave sound graphs, which the passes do not change
// in any bit; and what must hold of regions in regions.
#include "random_graph.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/inline_graph.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/transform/autocast.hpp>
#include <weft/transform/grad.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

void expect_sound(std::uint64_t seed, graph_view before, graph_view g, graph_view inputs_of) {
  weft::verify_error const e = weft::verify(g);
  ASSERT_FALSE(e) << "seed " << seed << ": " << weft::name_of(e.broken) << " at %" << e.node << "\n"
                  << weft::print(before) << weft::print(g);
  growing<dense> const inputs = random_inputs(inputs_of, seed);
  ASSERT_TRUE(
      same_bits(seed, g, test::meaning_of(weft::optimise(g), inputs), test::meaning_of(g, inputs)));
}

graph_options options_of(std::uint64_t seed) {
  graph_options options;
  options.named = seed % 4 == 3;
  return options;
}
dtype low_of(std::uint64_t seed) { return seed % 2 == 0 ? dtype::bf16 : dtype::f16; }

TEST(autocast, of_random_graphs) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 500 && !HasFatalFailure(); ++seed) {
    weft::graph const g = random_graph(seed, options_of(seed)),
                      low = weft::autocast(g, low_of(seed));
    expect_sound(seed, g, low, g);
    for (int k = 0; k < graph_view(g).outputs_of(0).size(); ++k)
      EXPECT_EQ(low[graph_view(low).outputs_of(0)[k]].type, g[graph_view(g).outputs_of(0)[k]].type);
    changed += weft::print(low) != weft::print(g);
  }
  EXPECT_GT(changed, 130);
}
// Of regions around each other the inner one holds, autocast<float> too.
TEST(autocast, of_random_graphs_in_regions) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 200 && !HasFatalFailure(); ++seed) {
    weft::graph const g = random_graph(seed, options_of(seed));
    dtype const inner = low_of(seed), outer = low_of(seed / 2);
    weft::graph const low = weft::autocast(g, inner), twice = weft::autocast(low, outer);
    weft::graph const kept = weft::autocast(weft::autocast(g, dtype::f32), outer);
    growing<dense> const inputs = random_inputs(g, seed);
    ASSERT_TRUE(
        same_bits(seed, twice, test::meaning_of(twice, inputs), test::meaning_of(low, inputs)));
    ASSERT_TRUE(same_bits(seed, kept, test::meaning_of(kept, inputs), test::meaning_of(g, inputs)));
    changed += weft::print(low) != weft::print(g);
  }
  EXPECT_GT(changed, 50);
}

// The sum of all float outputs, by all float inputs.
weft::graph with_one_value(graph_view g, growing<int>& wrt) {
  weft::recorder r;
  growing<handle> arguments;
  for (int p : g.parameters_of(0)) {
    if (weft::is_float(g[p].type)) wrt.push(arguments.size());
    arguments.push(r.input(g[p].type, g.shape(p), {arguments.size(), 0, false}));
  }
  handle total = constant(r, 0, dtype::f32, {});
  for (handle h : weft::inline_graph(r, g, arguments))
    if (weft::is_float(h.type())) total = total + sum_all(convert(h, dtype::f32));
  r.finish({&total, 1});
  return std::move(r.result);
}
TEST(value_and_grad, of_random_graphs) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 1000 && !HasFatalFailure(); ++seed) {
    graph_options options;
    options.large = false;
    growing<int> wrt;
    weft::graph const g = weft::canonical(random_graph(seed, options));
    weft::graph const one = with_one_value(g, wrt), gradient = weft::value_and_grad(one, wrt);
    if (gradient.error == weft::trace_error::while_reversed) ++refused;
    else expect_sound(seed, one, gradient, g);
  }
  EXPECT_GT(refused, 2);
  EXPECT_LT(refused, 200);
}
// Gradients of cast graphs have the types that their parameters were declared with.
TEST(value_and_grad, of_random_cast_graphs) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 400 && !HasFatalFailure(); ++seed) {
    graph_options options = graph_options().without(op::while_loop);
    options.large = false;
    growing<int> wrt;
    weft::graph const one = with_one_value(weft::canonical(random_graph(seed, options)), wrt);
    weft::graph const gradient = weft::value_and_grad(weft::autocast(one, low_of(seed)), wrt);
    expect_sound(seed, one, gradient, one);
    weft::view<int> const outputs = graph_view(gradient).outputs_of(0);
    ASSERT_EQ(outputs.size(), wrt.size() + 1);
    for (int k = 0; k < wrt.size(); ++k)
      EXPECT_EQ(gradient[outputs[k + 1]].type, one[graph_view(one).parameters_of(0)[wrt[k]]].type);
    compared += wrt.empty() ? 0 : 1;
  }
  EXPECT_GT(compared, 200);
}

} // namespace
