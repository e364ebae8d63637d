// SPDX-License-Identifier: BSL-1.0
// build: alone
// jit<f>(ranks, args...): compiled programs and the block executor as ranks that are threads, against
// testing::run_ranks; what a program says of ranks that are too few.
#include "lang/mesh_functions.hpp"
#include "support/block.hpp"
#include "support/text_of.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/run/model.hpp>
#include <weft/run/ranks.hpp>
#include <weft/testing/run_ranks.hpp>

#include <gtest/gtest.h>

namespace {

using namespace mesh_functions;
using weft::tensor;
using items = std::vector<float>;
template <auto... E> items items_of(tensor<float, E...> const& x) {
  return {x.data(), x.data() + x.size()};
}
tensor<float, 4, 4> input_of(weft::extent rank) {
  return weft::eval(weft::uniform<float, 4, 4>(weft::key(static_cast<unsigned>(rank) + 1)));
}
template <class Run> void expect_meant(Run const& run) {
  auto const meant = weft::testing::run_ranks<every_kind>(
      quad, weft::testing::each_rank(quad, [](int r) { return input_of(r); }));
  std::vector<items> found(4);
  weft::testing::on_rank_threads(4, [&](weft::rank_transport& others) {
    weft::cpu::rank_member here(others);
    found[static_cast<std::size_t>(others.rank())] = items_of(run(here, input_of(others.rank())));
  });
  for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(found[r], items_of(meant[r])) << r;
}
TEST(ranks, compiled) {
  expect_meant([](auto& here, auto const& x) { return weft::jit<every_kind>(here, x); });
}
TEST(ranks, on_an_executor) {
  expect_meant([](auto& here, auto const& x) {
    weft::cpu::pool two(2, 0);
    return weft::jit<every_kind>(here, two, x);
  });
}
TEST(ranks, in_blocks) {
  expect_meant(
      [](auto& here, auto const& x) { return weft::jit<every_kind>(here, weft::cpu::block, x); });
}
struct named : weft::program<every_kind, tensor<float, 4, 4>> {};
TEST(ranks, named_program) {
  expect_meant([](auto& here, auto const& x) { return weft::jit<named>(here, x); });
}

// A rank's own extents are the run's to check; a call afterwards is alone again.
TEST(ranks, too_few_of_them) {
  weft::testing::on_rank_threads(2, [](weft::rank_transport& others) {
    weft::cpu::rank_member here(others);
    EXPECT_EQ(test::text_of([&] { return weft::jit<every_kind>(here, input_of(0)); }),
              "weft: all_reduce: the program is for 4 ranks, and 2 run it; start as many (as "
              "threads: testing::run_ranks; under MPI: jit<f>(job, ...)), or trace it for "
              "another mesh");
    tensor<float, 4, 4> x = input_of(1);
    EXPECT_EQ(test::text_of([&] { return weft::jit<every_kind>(std::move(x)); }),
              "weft: all_reduce: the program is for 4 ranks, and 1 runs it; start as many (as "
              "threads: testing::run_ranks; under MPI: jit<f>(job, ...)), or trace it for "
              "another mesh");
    EXPECT_EQ(items_of(x), items_of(input_of(1))) << "it was not computed, so not donated";
  });
}

// A model without collectives has nothing to say to the others, its errors neither.
TEST(ranks, errors_of_a_model_that_is_alone) {
  weft::recorder r;
  weft::handle const out = r.input(weft::dtype::f32, {}, {0, 0, false});
  r.finish({&out, 1});
  expect_meant([&](auto& here, auto const& x) {
    weft::model alone(r.result);
    alone.join(&here);
    EXPECT_EQ(test::text_of([&] { return alone.run({}); }),
              "weft: model: 0 arguments given, the program has 1");
    return weft::jit<every_kind>(here, x);
  });
}

} // namespace
