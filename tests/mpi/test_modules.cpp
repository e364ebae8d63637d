// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks: a StableHLO module with a lifted constant, places of its inputs and an all-reduce with a
// scale is written, checked, read and run, on one rank as on several; the interpreter runs the graph it
// was made of. Of one rank the scale is all that is left, and is still applied.
#include "rank_programs.hpp"
#include "support/block.hpp"

#include <weft/graph/handle_collective.hpp>
#include <weft/graph/verify.hpp>
#include <weft/run/stablehlo_write.hpp>
#include <weft/stablehlo.hpp>
#include <weft/testing/interpret_ranks.hpp>

#include <cstring>

namespace {

using namespace weft;

extents const shape{2, {2, 4}};

// scale * (sum over all ranks of x) * table
graph reduced_and_scaled(extent ranks) {
  recorder r;
  handle const x = r.input(dtype::f32, shape, {0, 0, false});
  handle const scale = r.input(dtype::f32, {}, {1, 0, false});
  extent const first = r.result.constants.size();
  for (int i = 0; i < 8; ++i) r.result.constants.push(word_of(static_cast<float>(i) / 4));
  extent const place[] = {first, 0};
  growing<extent> all;
  for (extent k = 0; k < ranks; ++k) all.push(k);
  handle const table = r.emit(op::constant, dtype::f32, shape, {}, {place, 2});
  handle const sum = exchange(x, {.world = ranks, .group = ranks, .ranks = all});
  handle const scaled = sum * broadcast_to(scale, shape) * table;
  r.finish({&scaled, 1});
  return std::move(r.result);
}
host_array elements_of(dense const& x) {
  host_array a(x.type, x.shape);
  for (int i = 0; i < x.size(); ++i)
    std::memcpy(a.data() + i * size_of(x.type), &x.words[i],
                static_cast<std::size_t>(size_of(x.type)));
  return a;
}
test::rank_program const module_of_ranks("module", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](mpi::session& job) {
    extent const ranks = job.world();
    graph const g = reduced_and_scaled(ranks);
    stablehlo::exported_module const written = stablehlo::exported(
        g, {{"x"}, {"scale", stablehlo::location::parameter}}, {"y"}, {.lift = 4});
    std::string groups = "[[0";
    for (extent k = 1; k < ranks; ++k) groups += ", " + std::to_string(k);
    test::check(written.text.find(ranks == 1 ? "dense<0> : tensor<1x1xi64>" : groups + "]]") !=
                    std::string::npos,
                written.text);
    test::check(written.constants.size() == 1, "the table is no constant");

    std::vector<growing<dense>> inputs;
    for (extent r = 0; r < ranks; ++r) {
      dense x(dtype::f32, shape);
      for (int i = 0; i < 8; ++i) x[i] = word_of(1.0f / static_cast<float>(3 * r + i + 1));
      inputs.emplace_back(1, x);
      inputs.back().push(dense(dtype::f32, {}, word_of(0.3f)));
    }
    auto const mine = static_cast<std::size_t>(job.rank());
    std::vector<host_array> const given{elements_of(inputs[mine][0]), elements_of(inputs[mine][1]),
                                        elements_of(written.constants[0].data)};
    std::vector<stablehlo::array_info> infos;
    for (host_array const& a : given) infos.push_back({a.type(), a.shape()});
    stablehlo::check(written.about, infos);

    model program = stablehlo::read(written.text);
    program.join(&job);
    auto const y = program.run(given)[0].as<float, 2, 4>();
    dense const meant = weft::testing::interpret_ranks(g, inputs)[mine][0];
    for (int i = 0; i < 8; ++i)
      test::check(word_of(y.data()[i]) == meant[i], "element " + std::to_string(i));
    if (ranks == 1) // 1 / 3 * 0.3 * 2 / 4, as float rounds it
      test::check(y.data()[2] == 1.0f / 3.0f * 0.3f * 0.5f, "the scale of one rank");
    if (job.rank() == 0 && test::rank_failures == 0) std::printf("right\n");
  });
});

} // namespace
