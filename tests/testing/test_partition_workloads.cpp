// SPDX-License-Identifier: BSL-1.0
// Which collectives a training step is, and the bytes that a rank sends in one: golden numbers of an MLP,
// attention and a GRU in a scan on data, model and both. Of smaller programs: tests/pass/test_partition.cpp.
#include "testing/mesh_workloads.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

using namespace weft;

// "2 all_reduce, 1 all_gather; 96 bytes": what a step does, loops counted out.
std::string exchanged_by(std::string const& name, char const* mesh) {
  for (test::workload const& w : test::workloads()) {
    if (w.name != name) continue;
    partitioned const p = w.on(mesh_of(mesh));
    std::map<std::string, extent> counts;
    extent bytes = 0;
    for (partition_move const& m : p.moves) {
      counts[weft::detail::name_of(m.step.kind)] += m.times;
      bytes += m.bytes * m.times;
    }
    std::string t;
    for (auto const& [kind, n] : counts)
      t += (t.empty() ? "" : ", ") + std::to_string(n) + " " + kind;
    return t + "; " + std::to_string(bytes) + " bytes";
  }
  return "no workload";
}
// Over data the gradients and the loss, 265 numbers to each of 3 others; over model the sum that is the
// output, 24 x 4 numbers.
TEST(partition_workloads, mlp) {
  EXPECT_EQ(exchanged_by("mlp", "data=4,model=1"), "4 all_reduce; 3180 bytes");
  EXPECT_EQ(exchanged_by("mlp", "data=1,model=4"), "1 all_reduce; 1152 bytes");
  EXPECT_EQ(exchanged_by("mlp", "data=2,model=2"), "5 all_reduce; 724 bytes");
}
// Over data four weights of 384 numbers and the loss; over model the output and the gradient of the
// tokens, 24 x 3 x 8 numbers each.
TEST(partition_workloads, attention) {
  EXPECT_EQ(exchanged_by("attention", "data=4,model=1"), "5 all_reduce; 18444 bytes");
  EXPECT_EQ(exchanged_by("attention", "data=1,model=4"), "2 all_reduce; 13824 bytes");
  EXPECT_EQ(exchanged_by("attention", "data=2,model=2"), "7 all_reduce; 5380 bytes");
}
// Over data four weights, 2232 numbers, and two means. Over model the gates' rows stand across the gates:
// in each of 4 steps four gathers of 24 x 18 numbers, there and back, and the gradient of the state.
TEST(partition_workloads, gru_in_a_scan) {
  EXPECT_EQ(exchanged_by("gru in a scan", "data=4,model=1"), "6 all_reduce; 26808 bytes");
  EXPECT_EQ(exchanged_by("gru in a scan", "data=1,model=4"),
            "16 all_gather, 4 all_reduce; 110592 bytes");
  EXPECT_EQ(exchanged_by("gru in a scan", "data=2,model=2"),
            "16 all_gather, 10 all_reduce; 36728 bytes");
}

} // namespace
