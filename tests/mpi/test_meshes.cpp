// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks: training steps of whole arrays, partitioned over every mesh of data and model that so many ranks
// make, by the block executor, against the interpreter that runs all ranks in one process (rank 0, which
// gets everybody's results), bit for bit: an MLP, attention and a GRU in a scan, each with its gradients,
// and ten linear layers in a scan, in float and bf16.
#include "random/run_blocks.hpp"
#include "rank_programs.hpp"
#include "support/block.hpp"
#include "testing/mesh_workloads.hpp"
#include "testing/ranks_reference.hpp"

#include <weft/testing/interpret_ranks.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>

namespace {

using namespace weft;
using test::shardings, test::workload;

// Numbers from -1/2 to 1/2, other ones for every input.
dense numbers(dtype d, extents const& s, std::uint32_t seed) {
  dense x(d, s);
  for (int i = 0; i < x.size(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = static_cast<word>(bits_of(static_cast<double>(seed >> 8) / 16777216.0 - 0.5, d));
  }
  return x;
}
struct on_mesh {
  std::string name;
  partitioned p;
  std::vector<growing<dense>> inputs; // by rank

  on_mesh(workload const& w, mesh_axes const& on, std::string const& where)
      : name(w.name + " on " + where), p(w.on(on)) {
    growing<dense> whole;
    graph_view const g = w.whole;
    for (int id : g.parameters_of(0))
      whole.push(numbers(g[id].type, g.shape(id), static_cast<std::uint32_t>(id) + 1));
    inputs = test::parts_of_ranks(whole, shardings(w.in, on), on);
  }
};
// f(program) of every workload on every mesh.
template <class F> void programs(int world, F const& f) {
  for (workload const& w : test::workloads())
    for (int model = 1; model <= world; ++model) {
      if (world % model != 0) continue;
      std::string const where = "data=" + std::to_string(world / model) +
                                ",model=" + std::to_string(model);
      f(on_mesh(w, mesh_of(where.c_str()), where));
    }
}
void append_results(mpi::session& job, on_mesh const& m, std::vector<word>& to) {
  cpu::block_program<cpu::native_target> const program(m.p.program);
  cpu::serial on;
  auto const r = static_cast<std::size_t>(job.rank());
  for (dense const& x : test::run_code(program.code(), m.inputs[r], on, &job))
    to.insert(to.end(), x.words.begin(), x.words.end());
}
// `at`: where this program's results begin in each rank's list.
void expect_meant(on_mesh const& m, std::vector<std::vector<word>> const& all, std::size_t& at) {
  auto const meant = weft::testing::interpret_ranks(m.p.program, m.inputs);
  std::size_t next = at;
  for (std::size_t r = 0; r < meant.size(); ++r) {
    next = at;
    int apart = 0;
    for (dense const& x : meant[r])
      for (int i = 0; i < x.size(); ++i, ++next)
        apart += next >= all[r].size() || all[r][next] != x[i];
    test::check(apart == 0, m.name + ", rank " + std::to_string(r) + ": " + std::to_string(apart) +
                                " of " + std::to_string(next - at) + " elements");
  }
  at = next;
}
test::rank_program const meshes("meshes", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](mpi::session& job) {
    auto const world = static_cast<int>(job.world());
    std::vector<word> mine;
    programs(world, [&](on_mesh const& m) { append_results(job, m, mine); });
    std::vector<std::vector<word>> all;
    boost::mpi::gather(job.communicator(), mine, all, 0);
    if (job.rank() != 0) return;
    int count = 0;
    std::size_t at = 0;
    programs(world, [&](on_mesh const& m) {
      expect_meant(m, all, at);
      test::check(m.p.moves.empty() == (world == 1), m.name + ": exchanges");
      ++count;
    });
    test::check(at == mine.size() && at > 1000, "results of " + std::to_string(count));
    if (test::rank_failures == 0)
      std::printf("right: %d programs, %zu elements of rank 0\n", count, at);
  });
});

} // namespace
