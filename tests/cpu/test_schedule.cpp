// SPDX-License-Identifier: BSL-1.0
// Schedules of random graphs are in order: every computed node is a member of exactly one step, and
// what a step reads is a register of its own group, or was stored by an earlier step of its region.
#include "random/random_graph.hpp"

#include <weft/pass/pipeline.hpp>
#include <weft/pass/schedule.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

class checker {
public:
  checker(graph_view g, accesses const& reads, schedule_view plan)
      : g_(g), reads_(reads), plan_(plan) {}

  void check() {
    growing<int> times(g_.size(), 0);
    for (int s = 0; s < plan_.steps.size(); ++s)
      for (int member : plan_.members_of(plan_.steps[s])) {
        ++times[member];
        EXPECT_EQ(plan_.group_of[member], s);
        EXPECT_EQ(g_[member].region, plan_.steps[s].region);
        for (int operand : g_.operands_of(member)) check_read(s, member, operand);
      }
    for (int id = 0; id < g_.size(); ++id) EXPECT_EQ(times[id], computed(id)) << "%" << id;
    for (int r = 0; r < g_.regions.size(); ++r)
      for (schedule_step const& s : plan_.steps_of(r)) EXPECT_EQ(s.region, r);
  }
  int fused_reads = 0; // values that needed no memory

private:
  bool computed(int id) const {
    op_kind const k = info_of(g_[id].code).kind;
    if (k == op_kind::view) return reads_.copied[id];
    return k != op_kind::source || is_second_word(g_, id);
  }
  void check_read(int s, int member, int operand) {
    int const root = reads_.of[operand].root;
    op const code = g_[root].code;
    if (code == op::parameter || code == op::constant || code == op::iota) return;
    bool const fusable = is_elementwise(code) || is_second_word(g_, root);
    if (root == operand && fusable && plan_.group_of[root] == s) {
      EXPECT_LT(root, member);
      ++fused_reads;
      return;
    }
    int const writer = code == op::get && plan_.group_of[root] < 0 ? g_.operand(root, 0) : root;
    EXPECT_TRUE(plan_.stored[root]) << "%" << member << " reads %" << root;
    EXPECT_LT(plan_.group_of[writer], s) << "%" << member << " reads %" << root;
  }
  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
};

TEST(schedule, of_random_graphs_is_in_order) {
  int fused = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    test::graph_options options;
    options.nodes = seed % 4 == 0 ? 120 : 30;
    graph const recorded = test::random_graph(seed, options);
    graph const g = seed % 2 == 0 ? weft::optimise(recorded) : recorded;
    accesses const reads = accesses_of(g);
    schedule const plan = make_schedule(g, reads);
    checker c(g, reads, plan);
    c.check();
    fused += c.fused_reads;
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(fused, 500);
}

} // namespace
