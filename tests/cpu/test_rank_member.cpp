// SPDX-License-Identifier: BSL-1.0
// build: alone
// Collectives of the block executor on ranks that are threads, against the interpreter on the same:
// every kind, type, combination and group, worlds of 1 to 8 ranks, small arrays and shares of large
// ones.
#include "cpu/rank_cases.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"

#include <weft/cpu/rank_member.hpp>
#include <weft/testing/interpret_ranks.hpp>

#include <gtest/gtest.h>

#include <atomic>

namespace {

using namespace weft;

std::vector<dense> run_threads(graph const& g, std::vector<growing<dense>> const& inputs) {
  std::vector<dense> results(inputs.size());
  cpu::block_program<cpu::native_target> const program(g);
  weft::testing::on_rank_threads(static_cast<int>(inputs.size()), [&](rank_transport& here) {
    auto const r = static_cast<std::size_t>(here.rank());
    cpu::rank_member member(here);
    cpu::serial on;
    results[r] = test::run_code(program.code(), inputs[r], on, &member)[0];
  });
  return results;
}
void expect_interpreted(int world) {
  int cases = 0;
  test::rank_cases(world, [&](test::rank_case const& c) {
    ++cases;
    auto const meant = weft::testing::interpret_ranks(c.program, c.inputs);
    auto const found = run_threads(c.program, c.inputs);
    for (std::size_t r = 0; r < meant.size(); ++r)
      ASSERT_EQ(test::first_difference(found[r], meant[r][0]), -1) << c.name << " rank " << r;
  });
  EXPECT_GT(cases, 300);
}
TEST(rank_member, alone) { expect_interpreted(1); }
TEST(rank_member, two) { expect_interpreted(2); }
TEST(rank_member, three) { expect_interpreted(3); }
TEST(rank_member, four) { expect_interpreted(4); }
TEST(rank_member, eight) { expect_interpreted(8); }

// Of a collective of one rank there is nobody to ask, and no scratch.
TEST(rank_member, collectives_of_one_rank_ask_nobody) {
  struct nobody final : cpu::rank_group {
    extent rank() const override { return 0; }
    extent world() const override { return 1; }
    void begin(graph_view, std::uint64_t&) override { ADD_FAILURE(); }
    void failed(char const*) override {}
    void enters() override {}
    void start(collective const&, int, cpu::strided_array const&, std::byte*,
               cpu::scratch) override {
      ADD_FAILURE() << "asked";
    }
    std::int64_t started() const override { return 0; }
    void finish(std::int64_t) override { ADD_FAILURE() << "asked"; }
    void abandon() noexcept override {}
    std::int64_t given_up() const override { return 0; }
  } group;
  cpu::serial on;
  extent const self[] = {0};
  for (auto kind : {collective_kind::reduce_scatter, collective_kind::all_gather}) {
    auto const c = test::make_rank_case({kind, {}, 1, 0, 1, 1, {self, 1}}, dtype::f32,
                                        test::shape_of({2, 3}), false);
    cpu::block_program<cpu::native_target> const as_it_is(c.program, true);
    auto const found = test::run_code(as_it_is.code(), c.inputs[0], on, &group);
    EXPECT_EQ(test::first_difference(found[0], c.inputs[0][0]), -1);
  }
}
// A rank that is refused frees what it gave: nobody takes it any more.
TEST(rank_member, nobody_takes_from_a_rank_that_is_refused) {
  extent const all[] = {0, 1, 2};
  collective const c{.world = 3, .group = 3, .ranks = {all, 3}};
  std::atomic<bool> refused = false;
  int raised = 0;
  auto const exchange = [&](rank_transport& here, view<given_bytes> gives,
                            view<taken_bytes> takes) {
    EXPECT_THROW(here.exchange({c, dtype::i32, {}}, gives, takes), usage_error);
    ++raised;
  };
  weft::testing::on_rank_threads(3, [&](rank_transport& here) {
    if (here.rank() == 0) {
      auto const mine = std::make_unique<int>(7);
      given_bytes const to[] = {{2, mine.get(), 4}, {1, mine.get(), 4}};
      exchange(here, {to, 2}, {});
      refused = true;
    } else if (here.rank() == 1) {
      while (!refused) std::this_thread::yield();
      int theirs = 1;
      taken_bytes const from[] = {{0, &theirs, 4}};
      exchange(here, {}, {from, 1});
      EXPECT_EQ(theirs, 1);
    }
  });
  EXPECT_EQ(raised, 2);
}
// Who waits elsewhere is told which collective's arrays differ.
TEST(rank_member, shapes_that_differ_in_another_collective) {
  extent const all[] = {0, 1, 2};
  collective const sum{.world = 3, .group = 3, .ranks = {all, 3}};
  collective const other{
      .kind = collective_kind::broadcast, .world = 3, .group = 3, .ranks = {all, 3}};
  std::string said[3];
  weft::testing::on_rank_threads(3, [&](rank_transport& here) {
    float x[3] = {};
    given_bytes const to[] = {{1, x, 8}};
    taken_bytes const from[] = {{here.rank() == 1 ? 0 : 1, x, 12}};
    try {
      if (here.rank() == 0) here.exchange({sum, dtype::f32, {1, {2}}}, {to, 1}, {});
      else here.exchange({here.rank() == 1 ? sum : other, dtype::f32, {1, {3}}}, {}, {from, 1});
    } catch (shape_error const& e) {
      said[here.rank()] = e.what();
    }
  });
  for (std::string const& text : said)
    EXPECT_EQ(text,
              "weft: all_reduce: ranks give arrays of (2) and of (3); a name has one extent on "
              "all ranks");
}

} // namespace
