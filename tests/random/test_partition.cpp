// SPDX-License-Identifier: BSL-1.0
// build: alone
// Random graphs, partitioned with random specifications of inputs and outputs over meshes of 2 to 4
// ranks, are the graphs themselves: every rank gets its part of what one machine computes, bit for
// bit where no floats are combined over ranks.
#include "random_graph.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"
#include "testing/ranks_reference.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/partition.hpp>
#include <weft/testing/interpret_ranks.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace test;
using weft::mesh_axes, weft::sharding;

sharding random_sharding(random_source& rng, extents const& shape, mesh_axes const& mesh) {
  sharding s;
  for (int m = rng.below(2), turn = 0; turn < mesh.count; ++turn, m = (m + 1) % mesh.count) {
    if (mesh.d[m].size == 1 || shape.rank == 0 || !rng.chance(65)) continue;
    sharding const more = s.with(m, rng.below(shape.rank));
    if (!weft::fault_of(more, shape, mesh)) s = more;
  }
  return s;
}
growing<sharding> random_shardings(random_source& rng, graph_view g, weft::view<int> ids,
                                   mesh_axes const& mesh) {
  growing<sharding> all;
  for (int id : ids) all.push(random_sharding(rng, g.shape(id), mesh));
  return all;
}
std::string text_of(graph_view g, weft::view<int> ids, weft::view<sharding> s,
                    mesh_axes const& mesh) {
  std::string t;
  for (int i = 0; i < s.size(); ++i)
    t += std::string(" ") + weft::print_sharding(s[i], g.shape(ids[i]).rank, mesh).c_str();
  return t;
}

// Are floats of several ranks combined: by sums or products, which round; by their largest or smallest?
template <class Picked> bool combines_floats(graph_view g, Picked picked) {
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code != op::collective || !weft::is_float(g[id].type)) continue;
    weft::collective const c = weft::collective_of(g.attributes_of(id));
    if (c.kind != weft::collective_kind::all_reduce &&
        c.kind != weft::collective_kind::reduce_scatter)
      continue;
    if (picked(c.combine)) return true;
  }
  return false;
}
bool is_extreme(weft::collective_combine c) {
  return c == weft::collective_combine::max || c == weft::collective_combine::min;
}
bool adds_floats(graph_view g) {
  return combines_floats(g, [](auto c) { return !is_extreme(c); });
}
bool picks_floats(graph_view g) { return combines_floats(g, is_extreme); }

struct tally {
  int compared = 0, moved = 0, split = 0, extremes = 0;
  std::set<op> seen; // ops of which something was split
};

void compare(std::uint64_t seed, graph_options const& options, char const* mesh_text,
             tally& counts) {
  weft::graph const g = canonical(random_graph(seed, options));
  mesh_axes const mesh = weft::mesh_of(mesh_text);
  random_source rng(seed + 5);
  graph_view const v = g;
  growing<sharding> const in = random_shardings(rng, v, v.parameters_of(0), mesh),
                          out = random_shardings(rng, v, v.outputs_of(0), mesh);
  weft::partitioned const p = weft::partition(v, mesh, in, out);
  std::string const about = "seed " + std::to_string(seed) + " on " + mesh_text + "\n" +
                            weft::print(g) + "in" + text_of(v, v.parameters_of(0), in, mesh) +
                            "\nout" + text_of(v, v.outputs_of(0), out, mesh) + "\n";
  ASSERT_FALSE(p.fault) << about << weft::detail::fault_text(p.fault.what).c_str();
  weft::verify_error const e = weft::verify(p.program);
  ASSERT_FALSE(e) << weft::name_of(e.broken) << " at %" << e.node << "\n"
                  << about << weft::print(p.program);
  if (adds_floats(p.program)) return;
  counts.extremes += picks_floats(p.program) ? 1 : 0;
  growing<dense> const inputs = random_inputs(g, seed);
  growing<dense> const whole = meaning_of(g, inputs);
  auto const outputs = weft::testing::interpret_ranks(p.program, parts_of_ranks(inputs, in, mesh));
  auto const expected = parts_of_ranks(whole, out, mesh);
  for (unsigned r = 0; r < outputs.size(); ++r)
    ASSERT_TRUE(same_bits(outputs[r], expected[r]))
        << "rank " << r << " of " << about << weft::print(p.program);
  ++counts.compared;
  counts.moved += p.moves.empty() ? 0 : 1;
  bool split = false;
  for (int id = 0; id < v.size(); ++id)
    if (!p.stands[id].whole()) {
      counts.seen.insert(v[id].code);
      split = true;
    }
  counts.split += split ? 1 : 0;
}

constexpr char const* meshes[] = {"data=2, model=1", "data=4, model=1", "data=2, model=2",
                                  "data=1, model=4"};
graph_options shared_out(std::uint64_t seed) {
  graph_options options = graph_options().without(op::collective).without(op::rank);
  options.large = false;
  options.even = true;
  options.calls_host = seed % 7 == 0;
  options.nodes = 8 + static_cast<int>(seed % 24);
  return options;
}

TEST(partition, random_graphs_of_whole_numbers_have_the_bits_of_one_machine) {
  tally counts;
  unsigned integers = 0;
  for (int d = 0; d < weft::dtype_count; ++d)
    if (!weft::is_float(static_cast<dtype>(d))) integers |= 1u << d;
  for (std::uint64_t seed = 0; seed < 1200 && !HasFatalFailure(); ++seed) {
    graph_options options = shared_out(seed);
    options.dtypes = integers;
    compare(seed, options, meshes[seed % 4], counts);
  }
  EXPECT_EQ(counts.compared, 1200);
  EXPECT_GT(counts.split, 800);
  EXPECT_GT(counts.moved, 400);
}
TEST(partition, random_graphs_have_the_bits_of_one_machine_where_no_floats_are_combined) {
  tally counts;
  for (std::uint64_t seed = 5000; seed < 6200 && !HasFatalFailure(); ++seed)
    compare(seed, shared_out(seed), meshes[seed % 4], counts);
  EXPECT_GT(counts.compared, 1000);
  EXPECT_GT(counts.split, 800);
  EXPECT_GT(counts.moved, 400);
  EXPECT_GT(counts.extremes, 0);
  std::printf("%d graphs with largest or smallest floats over ranks\n", counts.extremes);
  for (int i = 0; i < weft::op_count; ++i) { // whose results were split, sooner or later
    op const code = static_cast<op>(i);
    bool const never = code == op::rank || code == op::collective || code == op::custom_call ||
                       code == op::observe || weft::is_loop(code); // prints are of whole arrays
    EXPECT_TRUE(never || counts.seen.count(code) == 1) << weft::name_of(code);
  }
}

} // namespace
