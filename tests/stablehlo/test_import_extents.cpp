// SPDX-License-Identifier: BSL-1.0
// Modules whose extents only the run knows: which `?` are the same, whatever operation says so, and
// branches that give arrays of them.
#include "module_text.hpp"
#include "stablehlo/imports.hpp"

#include <weft/weft.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

std::string in_main(std::string const& signature, std::string const& body) {
  return "func.func @main" + signature + " {\n" + body + "\n}\n";
}
// How many names the inputs of a text have; -1, and a failed test: it is not read.
int names_of(std::string const& text) {
  stablehlo::imported const i = imports::read(text);
  EXPECT_EQ(imports::mistake(i), "") << text;
  if (i.error.failed) return -1;
  EXPECT_FALSE(verify(i.program));
  graph_view const g = i.program;
  growing<extent> names;
  for (int id : g.parameters_of(0))
    for (int k = 0; k < g.shape(id).rank; ++k) {
      bool known = !is_named(g.shape(id)[k]);
      for (extent e : names) known = known || e == g.shape(id)[k];
      if (!known) names.push(g.shape(id)[k]);
    }
  return names.size();
}
// A function of x and y, vectors of floats, by its text.
std::string of_two(std::string const& body, std::string const& result = "tensor<?xf32>") {
  return in_main("(%x: tensor<?xf32>, %y: tensor<?xf32>) -> " + result,
                 body + "\nreturn %0 : " + result);
}

TEST(StablehloExtents, EqualOnesAreFoundInAnyOrder) {
  auto const sums = [](std::string const& lines) {
    return in_main("(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32>",
                   lines + "\nreturn %1 : tensor<?xf32>");
  };
  EXPECT_EQ(names_of(sums("%0 = stablehlo.add %a, %b : tensor<?xf32>\n"
                          "%1 = stablehlo.add %0, %c : tensor<?xf32>")),
            1);
  EXPECT_EQ(names_of(sums("%0 = stablehlo.add %b, %c : tensor<?xf32>\n"
                          "%1 = stablehlo.add %a, %0 : tensor<?xf32>")),
            1);
  EXPECT_EQ(names_of(sums("%0 = stablehlo.add %a, %c : tensor<?xf32>\n"
                          "%1 = stablehlo.add %b, %0 : tensor<?xf32>")),
            1);
  EXPECT_EQ(names_of(in_main("(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, "
                             "%d: tensor<?xf32>) -> tensor<?xf32>",
                             "%0 = stablehlo.add %c, %d : tensor<?xf32>\n"
                             "%1 = stablehlo.add %b, %c : tensor<?xf32>\n"
                             "%2 = stablehlo.add %a, %d : tensor<?xf32>\n"
                             "return %2 : tensor<?xf32>")),
            1);
}
TEST(StablehloExtents, EveryOperationSaysWhichAreEqual) {
  EXPECT_EQ(names_of(in_main("(%p: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> "
                             "tensor<?xf32>",
                             "%0 = stablehlo.select %p, %x, %y : tensor<?xi1>, tensor<?xf32>\n"
                             "return %0 : tensor<?xf32>")),
            1);
  EXPECT_EQ(names_of(of_two("%0 = stablehlo.clamp %x, %y, %x : tensor<?xf32>")), 1);
  EXPECT_EQ(names_of(in_main("(%x: tensor<?x2xf32>, %y: tensor<?x3xf32>) -> tensor<?x5xf32>",
                             "%0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<?x2xf32>, "
                             "tensor<?x3xf32>) -> tensor<?x5xf32>\nreturn %0 : tensor<?x5xf32>")),
            1);
  EXPECT_EQ(names_of(of_two(R"(%0 = "stablehlo.map"(%x, %y) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>)")),
            1);
  EXPECT_EQ(names_of(of_two(R"(%s:2 = "stablehlo.sort"(%x, %y) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
    %0 = stablehlo.negate %s#1 : tensor<?xf32>)")),
            1);
  EXPECT_EQ(names_of(in_main("(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?xf32>", R"(
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0:2 = "stablehlo.reduce"(%x, %y, %z, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %1 = stablehlo.add %a, %d : tensor<f32>
      %2 = stablehlo.add %b, %c : tensor<f32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<f32>, tensor<f32>)
      -> (tensor<?xf32>, tensor<?xf32>)
    return %0#0 : tensor<?xf32>)")),
            1);
  EXPECT_EQ(names_of(in_main("(%x: tensor<4xf32>, %i: tensor<?x1xi32>, %y: tensor<?xf32>) -> "
                             "tensor<4xf32>",
                             R"(
    %0 = "stablehlo.scatter"(%x, %i, %y) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} :
      (tensor<4xf32>, tensor<?x1xi32>, tensor<?xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>)")),
            1);
  EXPECT_EQ(names_of(in_main("(%x: tensor<?x4xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32>", R"(
    %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<
        collapsed_slice_dims = [1], operand_batching_dims = [0],
        start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 1>} : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>)")),
            1);
}
TEST(StablehloExtents, LoopsSayWhichAreEqual) {
  auto const loop = [](std::string const& step) {
    return of_two(R"(
    %s = stablehlo.constant dense<0> : tensor<i32>
    %l:3 = stablehlo.while(%i = %s, %a = %x, %b = %y) : tensor<i32>, tensor<?xf32>, tensor<?xf32>
    cond {
      %n = stablehlo.constant dense<4> : tensor<i32>
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<)" +
                  step + R"(> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %b, %a : tensor<i32>, tensor<?xf32>, tensor<?xf32>
    }
    %0 = stablehlo.negate %l#1 : tensor<?xf32>)");
  };
  EXPECT_EQ(names_of(loop("1")), 1);
  EXPECT_EQ(names_of(loop("2")), 1);
}

// ---- branches
std::string cased(std::string const& second) {
  return in_main("(%i: tensor<i32>, %x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32>",
                 R"(
    %0 = "stablehlo.case"(%i) ({
      %1 = stablehlo.negate %x : tensor<?x3xf32>
      stablehlo.return %1 : tensor<?x3xf32>
    }, {
      )" + second +
                     R"(
    }) : (tensor<i32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>)");
}
growing<dense> of_rows(graph_view g, word index, extent rows) {
  growing<dense> inputs;
  for (int id : g.parameters_of(0)) {
    extents s = g.shape(id);
    for (int k = 0; k < s.rank; ++k)
      if (is_named(s[k])) s[k] = rows;
    dense d(g[id].type, s);
    for (int k = 0; k < d.size(); ++k)
      d[k] = s.rank == 0 ? index : word_of(static_cast<float>(k + 10 * inputs.size()));
    inputs.push(d);
  }
  return inputs;
}
TEST(StablehloExtents, BranchesGiveArraysOfUnknownExtents) {
  std::string const text = cased("stablehlo.return %y : tensor<?x3xf32>");
  ASSERT_EQ(names_of(text), 1);
  graph const g = imports::read(text).program;
  for (word index : {0u, 1u}) {
    dense const found = test::meaning_of(g, of_rows(g, index, 2))[0];
    ASSERT_EQ(found.size(), 6);
    for (int k = 0; k < 6; ++k)
      EXPECT_EQ(found[k],
                word_of(index == 0 ? -static_cast<float>(k + 10) : static_cast<float>(k + 20)));
  }
  std::string branch = text;
  branch.replace(branch.find("stablehlo.case"), 14, "stablehlo.if");
  branch.replace(branch.find("tensor<i32>"), 11, "tensor<i1>");
  branch.replace(branch.find("tensor<i32>"), 11, "tensor<i1>");
  ASSERT_EQ(names_of(branch), 1);
  graph const h = imports::read(branch).program;
  EXPECT_EQ(test::meaning_of(h, of_rows(h, 1, 2))[0][5], word_of(-15.0f));
  EXPECT_EQ(test::meaning_of(h, of_rows(h, 0, 2))[0][5], word_of(25.0f));
}
// An extent that is made in a branch, by joining.
TEST(StablehloExtents, BranchesMakeExtents) {
  std::string const joined = "stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x3xf32>, "
                             "tensor<?x3xf32>) -> tensor<?x3xf32>";
  std::string text = cased("%2 = " + joined + "\nstablehlo.return %2 : tensor<?x3xf32>");
  std::string const first = "stablehlo.negate %x : tensor<?x3xf32>";
  text.replace(text.find(first), first.size(), joined);
  stablehlo::imported const i = imports::read(text);
  ASSERT_EQ(imports::mistake(i), "");
  EXPECT_FALSE(verify(i.program));
  EXPECT_EQ(test::meaning_of(i.program, of_rows(i.program, 0, 2))[0].size(), 12);
}

// ---- what weft itself has written
template <class... Args, class F> void check_round_trip(F const& f, int names) {
  std::string const text = test::exported(record<Args...>(f));
  ASSERT_EQ(names_of(text), names);
  graph const back = imports::read(text).program;
  graph const again = imports::read(test::exported(back)).program;
  EXPECT_EQ(print(back), print(again));
}
constexpr sym rows{"rows"}, cols{"cols"};
TEST(StablehloExtents, TheNamesOfAnExportAreKeptApart) {
  using vector = tensor<float, rows>;
  check_round_trip<tensor<bool, rows>, vector, vector>(
      [](auto p, auto x, auto y) { return where(p, x, y); }, 1);
  check_round_trip<vector, vector, vector>([](auto a, auto b, auto c) { return a + (b + c); }, 1);
  check_round_trip<vector, vector, tensor<float, cols>>(
      [](auto a, auto b, auto c) { return std::tuple(a * 2, b * 3, c); }, 2);
}

} // namespace
