// SPDX-License-Identifier: BSL-1.0
// build: alone
// Programs for several ranks at doors that run one: refused before anything is computed. And what a
// run on all ranks refuses.
#include "support/block.hpp"
#include <weft/run/block.hpp>
#include <weft/run/compiled.hpp>
#include <weft/run/explain.hpp>
#include <weft/testing/run_ranks.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using weft::all_reduce, weft::axis, weft::combine, weft::mesh, weft::sym, weft::tensor;
using weft::testing::each_rank, weft::testing::run_ranks;

inline constexpr auto one = mesh<axis<"data", 1>>;
inline constexpr auto two = mesh<axis<"data", 2>>;
inline constexpr auto four = mesh<axis<"data", 4>>;

template <class Error, class F> std::string said(F const& f) {
  try {
    f();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing";
}

inline constexpr auto summed = [](auto x) { return all_reduce<four>(x + 1.0f); };
inline constexpr auto placed = [](auto x) { return x + weft::axis_index<four, "data">(); };
std::string const wants_four =
    "weft: all_reduce: the program is for 4 ranks, and 1 runs it; start as many (as threads: "
    "testing::run_ranks; under MPI: jit<f>(job, ...)), or trace it for another mesh";

TEST(mesh_doors, one_rank_does_not_run_the_program_of_four) {
  tensor<float, 100> x = weft::ones<float, 100>();
  auto const refused = [](auto const& run) { return said<weft::usage_error>(run); };
  EXPECT_EQ(refused([&] { weft::jit<summed>(x); }), wants_four);
  EXPECT_EQ(refused([&] { weft::jit<summed>(weft::cpu::block, x); }), wants_four);
  EXPECT_EQ(refused([&] {
              weft::compiled<summed, tensor<float, 100>> f;
              f(x);
            }),
            wants_four);
  EXPECT_NE(
      refused([&] { weft::jit<placed>(tensor<int>(3)); }).find("weft: rank: the program is for 4"),
      std::string::npos);
  // A donated argument is as it was.
  EXPECT_EQ(refused([&] { weft::jit<summed>(std::move(x)); }), wants_four);
  for (float e : x) EXPECT_EQ(e, 1);
  EXPECT_EQ(
      refused([&] { run_ranks<summed>(two, x); }),
      "weft: all_reduce: the program is for 4 ranks, and 2 run it; start as many (as threads: "
      "testing::run_ranks; under MPI: jit<f>(job, ...)), or trace it for another mesh");
  // Outside of a program.
  EXPECT_NE(refused([&] {
              [[maybe_unused]] tensor<int> const p = weft::axis_index<four>() + tensor<int>(1);
            }).find("weft: axis_index: the program is for 4 ranks"),
            std::string::npos);
}
TEST(mesh_doors, a_mesh_of_one_rank_runs_everywhere) {
  static constexpr auto f = [](auto x) {
    return std::pair(all_reduce<one, combine::mean>(x) * 0.5f,
                     weft::reduce_scatter<one, "data", 0>(x) +
                         weft::convert<float>(weft::axis_index<one>()));
  };
  tensor<float, 100> const x = weft::convert<float>(weft::arange<int, 100>());
  auto const expected = run_ranks<f>(one, x)[0];
  auto const expect = [&](auto const& is) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(is.first(i), expected.first(i));
      EXPECT_EQ(is.second(i), expected.second(i));
    }
  };
  expect(weft::jit<f>(x));
  expect(weft::jit<f>(weft::cpu::block, x));
  weft::compiled<f, tensor<float, 100>> program;
  expect(program(x));
  EXPECT_EQ(expected.first(7), 3.5f);
  std::string const plan = weft::explain<f, tensor<float, 100>>();
  EXPECT_EQ(plan.find("collective"), std::string::npos) << plan;
}
TEST(mesh_doors, meshes_of_two_sizes) {
  static constexpr auto f = [](auto x) { return all_reduce<two>(all_reduce<four>(x)); };
  static constexpr auto g = [](auto x) { return all_reduce<two>(x) + weft::axis_index<four>(); };
  std::string const expected = weft::detail::two_meshes_text;
  EXPECT_EQ(said<weft::usage_error>([] { weft::jit<f>(weft::cpu::block, tensor<float, 3>{}); }),
            expected);
  EXPECT_EQ(said<weft::usage_error>([] { run_ranks<g>(four, tensor<int, 3>{}); }), expected);
  // In a loop's body, too.
  static constexpr auto h = [](auto x) {
    return weft::scan<weft::scan_options{.length = 2}>(
               [](auto c, auto) { return std::pair(all_reduce<two>(c), weft::none); },
               all_reduce<four>(x), weft::none)
        .first;
  };
  EXPECT_EQ(said<weft::usage_error>([] { run_ranks<h>(two, tensor<float, 3>{}); }), expected);
}

inline constexpr sym n{"n"};
inline constexpr sym share{"share"};
TEST(mesh_doors, named_extents_that_do_not_fit) {
  static constexpr auto scattered = [](auto x) { return weft::reduce_scatter<two, 0, share>(x); };
  std::string const uneven = said<weft::shape_error>(
      [] { run_ranks<scattered>(two, tensor<float, n, 3>(5)); });
  EXPECT_EQ(uneven, "weft: the extent is no multiple of the ranks along the mesh's axes; pad the "
                    "array, or choose other axes: (5, 3) and 2");
  EXPECT_EQ(
      said<weft::shape_error>([] { weft::testing::parts<two, "data", 0>(tensor<float, n, 3>(5)); }),
      uneven);
  static constexpr auto reduced = [](auto x) { return all_reduce<two>(x); };
  auto const apart = each_rank(two, [](int r) { return tensor<float, n, 2>(3 + r); });
  std::string const differ = said<weft::shape_error>([&] { run_ranks<reduced>(two, apart); });
  EXPECT_TRUE(
      differ == "weft: all_reduce: ranks give arrays of (3, 2) and of (4, 2); a name has one "
                "extent on all ranks" ||
      differ == "weft: all_reduce: ranks give arrays of (4, 2) and of (3, 2); a name has one "
                "extent on all ranks")
      << differ;
}
TEST(mesh_doors, values_for_other_ranks) {
  static constexpr auto f = [](auto x) { return all_reduce<two>(x); };
  auto const three = each_rank(mesh<axis<"data", 3>>, [](int r) { return tensor<int>(r); });
  EXPECT_EQ(said<weft::usage_error>([&] { run_ranks<f>(two, three); }),
            "weft: run_ranks: values for 3 ranks are given, the mesh has 2");
  auto const alone = each_rank(one, [](int r) { return tensor<int>(r); });
  EXPECT_EQ(said<weft::usage_error>([&] { run_ranks<f>(two, alone); }),
            "weft: run_ranks: values for 1 rank are given, the mesh has 2");
}
// A branch that only some ranks take may not meet the others.
TEST(mesh_doors, ranks_that_part) {
  static constexpr auto f = [](auto x) {
    return weft::cond(
        weft::axis_index<two>() == 0, [](auto y) { return all_reduce<two>(y); },
        [](auto y) { return y; }, x);
  };
  EXPECT_EQ(said<weft::usage_error>([] { run_ranks<f>(two, tensor<int>(1)); }),
            "weft: ranks come to different collectives, or not all of them to this one; let "
            "conditions of loops and branches agree");
}

} // namespace
