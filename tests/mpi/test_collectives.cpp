// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks: every kind, type, combination and group of collective, small arrays and shares of large ones,
// against the interpreter that runs all ranks in one process: rank 0, which gets everybody's results.
#include "cpu/rank_cases.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "rank_programs.hpp"

#include <weft/testing/interpret_ranks.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>

namespace {

using namespace weft;

// What this rank gets, element after element.
void append_result(mpi::session& job, test::rank_case const& c, std::vector<word>& to) {
  cpu::block_program<cpu::native_target> const program(c.program);
  cpu::serial on;
  auto const r = static_cast<std::size_t>(job.rank());
  dense const mine = test::run_code(program.code(), c.inputs[r], on, &job)[0];
  to.insert(to.end(), mine.words.begin(), mine.words.end());
}
// The same of all ranks; `at`: where this case begins in each rank's list.
void expect_meant(test::rank_case const& c, std::vector<std::vector<word>> const& all,
                  std::size_t& at) {
  auto const meant = weft::testing::interpret_ranks(c.program, c.inputs);
  auto const count = static_cast<std::size_t>(meant[0][0].size());
  for (std::size_t k = 0; k < meant.size(); ++k) {
    bool same = at + count <= all[k].size();
    for (std::size_t i = 0; same && i < count; ++i)
      same = test::same_bits(all[k][at + i], meant[k][0][static_cast<int>(i)], meant[k][0].type);
    test::check(same, c.name + ", rank " + std::to_string(k));
  }
  at += count;
}
test::rank_program const collectives("collectives", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](mpi::session& job) {
    auto const world = static_cast<int>(job.world());
    std::vector<word> mine;
    test::rank_cases(world, [&](test::rank_case const& c) { append_result(job, c, mine); });
    std::vector<std::vector<word>> all;
    boost::mpi::gather(job.communicator(), mine, all, 0);
    if (job.rank() != 0) return;
    int cases = 0;
    std::size_t at = 0;
    test::rank_cases(world, [&](test::rank_case const& c) {
      expect_meant(c, all, at);
      ++cases;
    });
    test::check(cases > 300 && at == mine.size(), std::to_string(cases) + " cases");
    if (test::rank_failures == 0) std::printf("right: %d cases\n", cases);
  });
});

} // namespace
