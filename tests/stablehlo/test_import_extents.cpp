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
