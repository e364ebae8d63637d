// SPDX-License-Identifier: BSL-1.0
// build: alone
// vmap of random graphs is the loop over examples, bit for bit: every op, loops in loops, some of the
// inputs mapped, names inside and as the number of examples; on the interpreter and, for a part, on
// the block executor.
#include "random_graph.hpp"
#include "run_blocks.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"
#include "support/targets.hpp"
#include "transform/examples.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/inline_graph.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/transform/autocast.hpp>
#include <weft/transform/grad.hpp>
#include <weft/transform/jvp.hpp>
#include <weft/transform/vmap.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace test;

growing<bool> some_mapped(graph_view g, std::uint64_t seed) {
  random_source rng(seed + 77);
  growing<bool> mapped;
  for (int k = 0; k < g.parameters_of(0).size(); ++k) mapped.push(rng.chance(60));
  if (!mapped.empty()) mapped[rng.below(mapped.size())] = true;
  return mapped;
}
// Inputs of every example: as random_inputs for the graph of one, the mapped ones `count` times.
growing<dense> inputs_of_all(graph_view g, weft::view<bool> mapped, std::uint64_t seed, int count) {
  growing<dense> inputs = random_inputs(g, seed);
  random_source rng(seed + 99);
  for (int k = 0; k < inputs.size(); ++k)
    if (mapped[k]) {
      dense const first = inputs[k];
      inputs[k] = random_dense(rng, first.type, weft::with_leading(count, first.shape));
      for (int i = 0; i < first.size(); ++i) inputs[k][i] = first[i];
    }
  return inputs;
}

struct tally {
  int compared = 0, refused = 0, on_blocks = 0;
  std::set<op> seen; // ops of which something was mapped
};

void compare(std::uint64_t seed, graph_options const& options, bool name_examples, bool blocks,
             tally& counts) {
  weft::graph const g = random_graph(seed, options);
  growing<bool> const mapped = some_mapped(g, seed);
  int const count = 2 + static_cast<int>(seed % 3);
  weft::graph const all = weft::vmap(g, mapped, name_examples ? weft::pack_name("b") : count);
  if (all.error == weft::trace_error::mapped_nine_axes) {
    ++counts.refused;
    return;
  }
  weft::verify_error const e = weft::verify(all);
  ASSERT_FALSE(e) << "seed " << seed << ": " << weft::name_of(e.broken) << " at %" << e.node << "\n"
                  << weft::print(g) << weft::print(all);
  weft::detail::batch_marks const marks(g, mapped);
  for (int id = 0; id < g.size(); ++id)
    if (marks.batched[id]) counts.seen.insert(g[id].code);
  growing<dense> const inputs = inputs_of_all(g, mapped, seed, count);
  growing<int> axes;
  for (bool m : mapped) axes.push(m ? 0 : -1);
  growing<dense> const expected = looped(g, axes, inputs, count);
  ASSERT_TRUE(same_bits(seed, g, meaning_of(all, inputs), expected));
  ++counts.compared;
  if (!blocks) return;
  weft::cpu::serial here;
  ASSERT_TRUE(
      same_bits(seed, g, block_runner<test::narrow_target>(all).run(inputs, here), expected));
  ++counts.on_blocks;
}

TEST(vmap, of_random_graphs_is_the_loop_over_examples) {
  tally counts;
  for (std::uint64_t seed = 0; seed < 1000 && !HasFatalFailure(); ++seed) {
    graph_options options;
    options.large = false;
    options.nodes = 24;
    options.named = seed % 5 == 4;
    options.calls_host = true;
    compare(seed, options, seed % 3 == 1, seed % 6 == 0, counts);
  }
  EXPECT_GT(counts.compared, 950);
  EXPECT_GT(counts.on_blocks, 150);
  for (int i = 0; i < weft::op_count; ++i) {
    op const code = static_cast<op>(i);
    bool const never = code == op::constant || code == op::iota || code == op::rank ||
                       weft::is_loop(code);
    EXPECT_TRUE(never || counts.seen.count(code) == 1) << weft::name_of(code);
  }
}
// Few ops, so that conditions, starts and indices depend on what is mapped.
TEST(vmap, of_random_loops_and_windows) {
  tally counts;
  for (std::uint64_t seed = 0; seed < 600 && !HasFatalFailure(); ++seed) {
    graph_options options = graph_options::only(
        {op::add,         op::less,    op::bitcast,   op::convert,       op::select,
         op::while_loop,  op::cond,    op::scan,      op::dynamic_slice, op::dynamic_update_slice,
         op::gather,      op::scatter, op::contract,  op::pad,           op::window,
         op::overlap_add, op::reshape, op::broadcast, op::constant,      op::iota});
    options.dtypes = (1u << static_cast<int>(dtype::f32)) | (1u << static_cast<int>(dtype::i32)) |
                     (1u << static_cast<int>(dtype::boolean)) |
                     (1u << static_cast<int>(dtype::bf16));
    options.named = seed % 4 == 3;
    compare(seed, options, seed % 2 == 1, seed % 8 == 0, counts);
  }
  EXPECT_GT(counts.compared, 580);
}

// ---- vmap and the other transforms, in either order --------------------------------------------

using weft::graph, weft::handle;

struct orders {
  int compared = 0, on_blocks = 0;
};
// Both graphs mean the same, bit for bit; now and then on the block executor, too.
void expect_one_meaning(std::uint64_t seed, graph_view a, graph_view b, weft::view<dense> inputs,
                        bool blocks, orders& counts) {
  for (graph_view g : {a, b}) {
    weft::verify_error const e = weft::verify(g);
    ASSERT_FALSE(e) << "seed " << seed << ": " << weft::name_of(e.broken) << " at %" << e.node
                    << "\n"
                    << weft::print(g);
  }
  growing<dense> const meant = meaning_of(a, inputs);
  ASSERT_TRUE(same_bits(seed, b, meaning_of(b, inputs), meant)) << weft::print(a);
  ++counts.compared;
  if (!blocks) return;
  weft::cpu::serial here;
  for (graph_view g : {a, b})
    ASSERT_TRUE(same_bits(seed, g, block_runner<test::narrow_target>(g).run(inputs, here), meant));
  ++counts.on_blocks;
}
graph_options small_graphs(std::uint64_t seed) {
  graph_options options;
  options.large = false;
  options.nodes = 16;
  options.named = seed % 5 == 4;
  return options;
}
growing<int> float_inputs(graph_view g, weft::view<bool> wanted = {}) {
  growing<int> all;
  weft::view<int> const p = g.parameters_of(0);
  for (int i = 0; i < p.size(); ++i)
    if (weft::is_float(g[p[i]].type) && (wanted.empty() || wanted[i])) all.push(i);
  return all;
}

TEST(vmap, and_autocast_commute) {
  orders counts;
  for (std::uint64_t seed = 0; seed < 400 && !HasFatalFailure(); ++seed) {
    graph const g = random_graph(seed, small_graphs(seed));
    growing<bool> const mapped = some_mapped(g, seed);
    graph const all = weft::vmap(g, mapped, 3);
    if (all.error == weft::trace_error::mapped_nine_axes) continue;
    dtype const low = seed % 2 == 0 ? dtype::bf16 : dtype::f16;
    expect_one_meaning(seed, weft::autocast(all, low),
                       weft::vmap(weft::autocast(g, low), mapped, 3),
                       inputs_of_all(g, mapped, seed, 3), seed % 16 == 0, counts);
  }
  EXPECT_GT(counts.compared, 370);
  EXPECT_GT(counts.on_blocks, 20);
}
TEST(vmap, and_jvp_commute) {
  orders counts;
  for (std::uint64_t seed = 0; seed < 300 && !HasFatalFailure(); ++seed) {
    graph const g = random_graph(seed, small_graphs(seed));
    growing<bool> mapped = some_mapped(g, seed);
    graph const all = weft::vmap(g, mapped, 3);
    if (all.error == weft::trace_error::mapped_nine_axes) continue;
    growing<int> const wrt = float_inputs(g);
    graph const pushed = weft::jvp(g, wrt), pushed_all = weft::jvp(all, wrt);
    for (int i : wrt) mapped.push(mapped[i]);
    graph const all_pushed = weft::vmap(pushed, mapped, 3);
    if (all_pushed.error == weft::trace_error::mapped_nine_axes) continue;
    expect_one_meaning(seed, pushed_all, all_pushed, inputs_of_all(pushed, mapped, seed, 3),
                       seed % 16 == 0, counts);
  }
  EXPECT_GT(counts.compared, 270);
  EXPECT_GT(counts.on_blocks, 15);
}

// The sum of all float outputs of g, in float.
graph value_of(graph_view g) {
  weft::recorder r;
  growing<handle> arguments;
  for (int i = 0; i < g.inputs.size(); ++i) {
    int const p = g.parameters_of(0)[i];
    arguments.push(r.input(g[p].type, g.shape(p), g.inputs[i]));
  }
  handle total = constant(r, 0, dtype::f32, {});
  for (handle h : weft::inline_graph(r, g, arguments))
    if (weft::is_float(h.type())) total = total + sum_all(convert(h, dtype::f32));
  r.finish({&total, 1});
  return std::move(r.result);
}
graph without_value(graph_view g) {
  weft::recorder r;
  growing<handle> arguments;
  for (int i = 0; i < g.inputs.size(); ++i) {
    int const p = g.parameters_of(0)[i];
    arguments.push(r.input(g[p].type, g.shape(p), g.inputs[i]));
  }
  growing<handle> const out = weft::inline_graph(r, g, arguments);
  r.finish(weft::view<handle>(out).part(1, out.size() - 1));
  return std::move(r.result);
}
// By what the examples differ in. (Of what they share, the gradient is a sum over the examples,
// which the two add in different orders.)
TEST(vmap, and_gradients_commute) {
  orders counts;
  for (std::uint64_t seed = 0; seed < 600 && !HasFatalFailure(); ++seed) {
    graph_options const options = small_graphs(seed).without(op::while_loop);
    graph const g = value_of(weft::canonical(random_graph(seed, options)));
    growing<bool> const mapped = some_mapped(g, seed);
    growing<int> const wrt = float_inputs(g, mapped);
    graph const all = weft::vmap(g, mapped, 3);
    graph const all_gradients = weft::vmap(weft::value_and_grad(g, wrt), mapped, 3);
    if (all.error != all_gradients.error || all.error != weft::trace_error::clean || wrt.empty())
      continue;
    // The values of all examples are not compared: one graph has their sum.
    graph gradients = weft::value_and_grad(value_of(all), wrt), per_example = all_gradients;
    expect_one_meaning(seed, without_value(gradients), without_value(per_example),
                       inputs_of_all(g, mapped, seed, 3), seed % 16 == 0, counts);
  }
  EXPECT_GT(counts.compared, 330);
  EXPECT_GT(counts.on_blocks, 15);
}

} // namespace
