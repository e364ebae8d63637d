// SPDX-License-Identifier: BSL-1.0
// The memory plan of random graphs: values alive together do not overlap, a value takes over the
// memory of one that dies in its step only element on element, and the arena is near the bytes that
// are alive at once. The layout of blocks against its lower bound.
#include "random/random_graph.hpp"

#include <weft/pass/memory_plan.hpp>
#include <weft/pass/pipeline.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

TEST(arena_layout, blocks_that_meet_lie_side_by_side) {
  arena_layout a;
  int const x = a.add(0, 2, 256), y = a.add(3, 4, 100), z = a.add(2, 3, 64), none = a.add(0, 4, 0);
  EXPECT_EQ(a.place(), 320);
  EXPECT_EQ(a.most_alive(), 320);
  EXPECT_EQ(a[x].offset, 0);
  EXPECT_EQ(a[y].offset, 0);
  EXPECT_EQ(a[z].offset, 256);
  EXPECT_EQ(a[none].bytes, 0);
}

// First come, first placed, would need 64 bytes more: the hole that 0 leaves is too small for 2.
TEST(arena_layout, large_blocks_come_first) {
  arena_layout a;
  a.add(0, 0, 64);
  a.add(0, 2, 64);
  a.add(1, 2, 128);
  EXPECT_EQ(a.place(), 192);
  EXPECT_EQ(a.most_alive(), 192);
}

extent no_scratch(void const*, int) { return 0; }

class plan_checker {
public:
  plan_checker(graph_view g, accesses const& reads, schedule_view plan, memory_plan const& memory)
      : g_(g), reads_(reads), plan_(plan), memory_(memory), first_(g.size(), -1),
        last_(g.size(), -1) {
    for (int id = 0; id < g.size(); ++id)
      if (memory.offset[id] >= 0) first_[id] = last_[id] = writer_of(id);
    for (int s = 0; s < plan.steps.size(); ++s)
      for (int member : plan.members_of(plan.steps[s]))
        for (int operand : g.operands_of(member)) last_[reads.of[operand].root] = s;
    for (int r = 0; r < g.regions.size(); ++r)
      for (int id : g.outputs_of(r)) last_[reads.of[id].root] = plan.first_step[r + 1];
  }
  void check() {
    for (int a = 0; a < g_.size(); ++a)
      for (int b = 0; b < a; ++b)
        if (first_[a] >= 0 && first_[b] >= 0 && g_[a].region == g_[b].region) check_pair(a, b);
    for (int r = 0; r < g_.regions.size(); ++r)
      EXPECT_GE(memory_.region_bytes[r], memory_.region_least[r]);
  }
  int taken_over = 0;

private:
  int writer_of(int id) const {
    return g_[id].code == op::get && plan_.group_of[id] < 0 ? plan_.group_of[g_.operand(id, 0)]
                                                            : plan_.group_of[id];
  }
  void check_pair(int a, int b) {
    if (last_[a] < first_[b] || last_[b] < first_[a]) return;
    extent const a0 = memory_.offset[a], b0 = memory_.offset[b];
    if (a0 + bytes_of(g_, a) <= b0 || b0 + bytes_of(g_, b) <= a0) return;
    int const old = first_[a] < first_[b] ? a : b, fresh = old == a ? b : a, s = first_[fresh];
    ++taken_over;
    EXPECT_EQ(a0, b0) << "%" << a << " %" << b;
    EXPECT_EQ(last_[old], s) << "%" << old << " is read after %" << fresh << " is written";
    EXPECT_LT(first_[old], s);
    EXPECT_EQ(size_of(g_[a].type), size_of(g_[b].type));
    EXPECT_TRUE(plan_.steps[s].kind == step_kind::group && plan_.steps[s].reduced == 0);
    for (int member : plan_.members_of(plan_.steps[s])) // itself, as it lies: no other view of it
      for (int operand : g_.operands_of(member))
        if (reads_.of[operand].root == old) {
          EXPECT_TRUE(is_row_major(reads_.of[operand], g_.shape(fresh))) << "%" << operand;
          EXPECT_EQ(g_.shape(operand), g_.shape(fresh)) << "%" << operand;
        }
  }
  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
  memory_plan const& memory_;
  growing<int> first_, last_; // steps, by value in the arena
};

TEST(memory_plan, of_random_graphs) {
  int taken_over = 0;
  double worst = 1;
  extent bytes = 0, least = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    test::graph_options options;
    options.nodes = seed % 4 == 0 ? 120 : 30;
    graph const recorded = test::random_graph(seed, options);
    graph const optimised = seed % 2 == 0 ? weft::optimise(recorded) : recorded;
    graph const g = bind(optimised, placeholders(optimised));
    accesses const reads = accesses_of(g);
    schedule const plan = make_schedule(g, reads);
    detail::planner planner{g, reads, plan, no_scratch, nullptr};
    planner.run();
    plan_checker c(g, reads, plan, planner.out);
    c.check();
    taken_over += c.taken_over;
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    extent const own = planner.out.region_bytes[0], bound = planner.out.region_least[0];
    bytes += own, least += bound;
    if (bound > 0) worst = std::max(worst, static_cast<double>(own) / static_cast<double>(bound));
  }
  EXPECT_GT(taken_over, 100);
  std::printf("arena over the bytes alive at once: %.4f in all, %.3f at worst; %d values took over "
              "another's memory\n",
              static_cast<double>(bytes) / static_cast<double>(least), worst, taken_over);
  EXPECT_LT(worst, 1.5);
}

} // namespace
