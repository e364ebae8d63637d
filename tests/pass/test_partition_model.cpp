// SPDX-License-Identifier: BSL-1.0
// The training step of examples/char_lm (embedding, GRU in a scan, dropout, cross entropy, Adam),
// partitioned as it stands: over its streams one all_reduce per gradient, and the losses are gathered;
// with its weights and moments split, too, each is gathered once and its gradient scattered.
#include "../../examples/char_lm/model.hpp"

#include <weft/graph/verify.hpp>
#include <weft/partition.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;
using kind = detail::reshard_kind;

// Of each leaf of parameters and moments: "data" on its first axis, or whole.
partitioned split_step(graph_view g, mesh_axes const& mesh, bool weights) {
  growing<sharding> in, out;
  view<int> const inputs = g.parameters_of(0), outputs = g.outputs_of(0);
  for (int i = 0; i < inputs.size(); ++i) {
    int const argument = g.inputs[i].argument;
    bool const has_axes = g.shape(inputs[i]).rank > 0;
    in.push(sharding_of(argument == 2                         ? "data"
                        : argument == 3 || argument == 4      ? "-, data"
                        : argument < 2 && weights && has_axes ? "data"
                                                              : "",
                        mesh));
  }
  for (int i = 0; i + 2 < outputs.size(); ++i) out.push(in[i]);
  out.push(sharding_of("data", mesh));
  out.push({});
  return checked_partition(g, mesh, in, out);
}
extent count(partitioned const& p, kind k) {
  extent n = 0;
  for (partition_move const& m : p.moves) n += m.step.kind == k ? m.times : 0;
  return n;
}
extent bytes(partitioned const& p) {
  extent n = 0;
  for (partition_move const& m : p.moves) n += m.bytes * m.times;
  return n;
}
TEST(partition, the_step_of_a_language_model) {
  graph const g = canonical(
      record<char_lm::parameters, char_lm::moments<tensor>, char_lm::state, char_lm::block,
             char_lm::block, key, float>(char_lm::train_step<char_lm::loss>));
  mesh_axes const mesh = mesh_of("data=4");
  int const leaves = leaf_count<char_lm::parameters>;
  partitioned const streams = split_step(g, mesh, false);
  EXPECT_FALSE(verify(streams.program));
  EXPECT_EQ(count(streams, kind::all_reduce), leaves);
  EXPECT_EQ(count(streams, kind::all_gather), 1); // the losses
  EXPECT_EQ(streams.moves.size(), leaves + 1) << print_partition(g, streams, mesh);
  EXPECT_EQ(bytes(streams), 1743360);
  partitioned const weights = split_step(g, mesh, true);
  EXPECT_FALSE(verify(weights.program));
  EXPECT_EQ(count(weights, kind::all_gather), leaves + 1);
  EXPECT_EQ(count(weights, kind::reduce_scatter), leaves);
  EXPECT_EQ(count(weights, kind::all_reduce), 0);
  EXPECT_EQ(weights.moves.size(), 2 * leaves + 1) << print_partition(g, weights, mesh);
  EXPECT_EQ(bytes(weights), 1733376);
}

} // namespace
