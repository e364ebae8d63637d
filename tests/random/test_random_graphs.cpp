// SPDX-License-Identifier: BSL-1.0
// build: alone
// Random graphs are sound, mean something, and survive copying; together they meet every op.
#include "random_graph.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <bitset>

namespace {

using namespace test;

std::string broken_rule(graph_view g) {
  weft::verify_error const e = weft::verify(g);
  return e ? std::string(weft::name_of(e.broken)) + " at %" + std::to_string(e.node) : "";
}

struct seen_things {
  std::bitset<static_cast<std::size_t>(weft::op_count)> ops;
  int loops_in_loops = 0, captures = 0, dead_loops = 0, long_sums = 0, zero_lengths = 0, tables = 0;

  void add(graph_view g) {
    for (int id = 0; id < g.size(); ++id) {
      ops.set(static_cast<std::size_t>(g[id].code));
      tables += g[id].code == op::constant && g[id].attribute_count == 2;
      if (g[id].code == op::reduce_sum)
        long_sums += weft::count_of(g.shape(g.operand(id, 0))) > 16384;
      if (g[id].code != op::scan) continue;
      weft::loop const l = weft::loop_of(g, id);
      loops_in_loops += g[id].region != 0;
      captures += g[id].operand_count > l.carries + l.xs;
      zero_lengths += l.length == 0;
    }
  }
};

TEST(random_graphs, are_sound_and_mean_something) {
  seen_things seen;
  int numbers = 0, not_numbers = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    graph_options options;
    options.calls_host = true;
    weft::graph const g = random_graph(seed, options);
    ASSERT_EQ(broken_rule(g), "") << "seed " << seed << "\n" << weft::print(g);
    ASSERT_EQ(g.error, weft::trace_error::clean);
    growing<dense> const outputs = test::meaning_of(g, random_inputs(g, seed));
    ASSERT_EQ(outputs.size(), g.regions[0].output_count);
    for (dense const& x : outputs)
      if (x.type == dtype::f32)
        for (word w : x.words) ++(is_nan(w, x.type) ? not_numbers : numbers);
    seen.add(g);
  }
  EXPECT_TRUE(seen.ops.all()) << seen.ops;
  EXPECT_GT(seen.loops_in_loops, 20);
  EXPECT_GT(seen.captures, 200);
  EXPECT_GT(seen.zero_lengths, 15);
  EXPECT_GT(seen.long_sums, 5);
  EXPECT_GT(seen.tables, 100);
  EXPECT_GT(numbers, not_numbers);
}

TEST(random_graphs, with_names_are_sound_for_any_number) {
  graph_options options;
  options.named = true;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    weft::graph const g = random_graph(seed, options);
    ASSERT_EQ(broken_rule(g), "") << "seed " << seed << "\n" << weft::print(g);
    for (std::uint64_t again = 0; again < 2; ++again) {
      growing<dense> const inputs = random_inputs(g, 2 * seed + again);
      growing<dense> const outputs = test::meaning_of(g, inputs);
      growing<extents> shapes;
      for (dense const& x : inputs) shapes.push(x.shape);
      weft::graph const numbers = weft::bind(g, weft::bind_inputs(g, shapes));
      ASSERT_EQ(broken_rule(numbers), "") << "seed " << seed << "\n" << weft::print(numbers);
      EXPECT_TRUE(same_bits(seed, g, test::meaning_of(numbers, inputs), outputs));
    }
  }
}

TEST(random_graphs, depend_on_the_seed_alone) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(weft::print(random_graph(seed)), weft::print(random_graph(seed)));
  EXPECT_NE(weft::print(random_graph(1)), weft::print(random_graph(2)));
}

TEST(random_graphs, keep_to_the_allowed_ops) {
  graph_options const options = graph_options::only({op::add, op::mul, op::reduce_sum});
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    weft::graph const g = random_graph(seed, options);
    ASSERT_EQ(broken_rule(g), "");
    for (weft::node const& n : g.nodes)
      EXPECT_TRUE(n.code == op::parameter || options.allows(n.code)) << weft::name_of(n.code);
  }
}

TEST(random_graphs, survive_a_copy) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    weft::graph const g = random_graph(seed);
    growing<dense> const inputs = random_inputs(g, seed);
    weft::graph const copy = weft::thaw(g);
    EXPECT_EQ(weft::print(copy), weft::print(g));
    EXPECT_TRUE(same_bits(seed, g, test::meaning_of(copy, inputs), test::meaning_of(g, inputs)));
  }
}

// A comparison that cannot fail proves nothing.
TEST(same_bits, sees_one_bit) {
  dense a(dtype::f32, {1, {3}}), b = a;
  EXPECT_TRUE(same_bits(weft::view<dense>{&a, 1}, {&b, 1}));
  b[2] = 0x80000000u;
  EXPECT_FALSE(same_bits(weft::view<dense>{&a, 1}, {&b, 1}));
  a[2] = 0x7fc00000u, b[2] = 0xffc00001u;
  EXPECT_TRUE(same_bits(weft::view<dense>{&a, 1}, {&b, 1}));
  a.type = b.type = dtype::i32;
  EXPECT_FALSE(same_bits(weft::view<dense>{&a, 1}, {&b, 1}));
}

} // namespace
