// SPDX-License-Identifier: BSL-1.0
// build: alone
// On random graphs autocast and value_and_grad leave sound graphs, which the passes do not change
// in any bit.
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

TEST(autocast, of_random_graphs) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 800 && !HasFatalFailure(); ++seed) {
    graph_options options;
    options.named = seed % 4 == 3;
    weft::graph const g = random_graph(seed, options), low = weft::autocast(g, dtype::bf16);
    expect_sound(seed, g, low, g);
    changed += weft::print(low) != weft::print(g);
  }
  EXPECT_GT(changed, 200);
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

} // namespace
