// SPDX-License-Identifier: BSL-1.0
// Programs of ranks that ask where they are and exchange nothing: a module states all partitions of the
// mesh, and is read back as a program that only so many ranks run.
#include "module_text.hpp"
#include "stablehlo/imports.hpp"

#include <weft/graph/handle_collective.hpp>
#include <weft/testing/interpret_ranks.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

using places = std::vector<growing<dense>>;

// Of a mesh of 2 x 4 ranks.
graph place(extent divisor, extent modulus) {
  recorder r;
  handle const p = rank_of_mesh(r, divisor, modulus, 8);
  r.finish({&p, 1});
  return std::move(r.result);
}
TEST(module_of_ranks, states_all_ranks_of_the_mesh_whichever_axis_is_asked) {
  struct axis_of_mesh {
    extent divisor, modulus;
  };
  for (axis_of_mesh a : {axis_of_mesh{4, 2}, axis_of_mesh{1, 4}, axis_of_mesh{1, 8}}) {
    graph const g = place(a.divisor, a.modulus);
    std::string const text = test::exported(g);
    EXPECT_NE(text.find("mhlo.num_partitions = 8 : i32"), std::string::npos) << text;
    stablehlo::imported const again = imports::read(text);
    ASSERT_EQ(imports::mistake(again), "");
    places const found = weft::testing::interpret_ranks(again.program, places(8));
    for (std::uint32_t k = 0; k < 8; ++k)
      EXPECT_EQ(found[k][0][0], static_cast<word>(k / a.divisor % a.modulus)) << text;
    EXPECT_THROW(weft::testing::interpret_ranks(again.program, places(4)), usage_error);
  }
}

} // namespace
