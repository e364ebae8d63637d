// SPDX-License-Identifier: BSL-1.0
// build: alone
// Random graphs of every op as modules: the text is read back as the module that was written, gives
// a graph of the same bits, and that graph has the same text.
#include "module_text.hpp"
#include "random/random_graph.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/print.hpp>
#include <weft/stablehlo/import.hpp>
#include <weft/stablehlo/parse.hpp>
#include <weft/stablehlo/same.hpp>

#include <gtest/gtest.h>

namespace {

namespace shlo = weft::stablehlo;
using namespace test;

shlo::module_ir parsed(std::string const& text, shlo::failure& error) {
  shlo::module_ir m = shlo::parse({text.data(), static_cast<int>(text.size())});
  error = m.error;
  return m;
}
// What an import makes of a text; an empty graph and a failed test if there is an error.
weft::graph imported(std::string const& text) {
  shlo::failure error;
  shlo::module_ir const m = parsed(text, error);
  EXPECT_FALSE(error.failed) << error.line << ":" << error.column << ": " << error.text.c_str();
  shlo::imported const back = shlo::to_graph(m);
  EXPECT_FALSE(back.error.failed) << back.error.line << ":" << back.error.column << ": "
                                  << back.error.text.c_str();
  return back.program;
}
void check_round_trip(std::uint64_t seed, graph_options const& options) {
  weft::graph const g = random_graph(seed, options);
  shlo::module_ir const m = shlo::to_module(g);
  std::string const text = text_of(m);
  shlo::failure error;
  EXPECT_TRUE(shlo::same(m, parsed(text, error))) << "seed " << seed;
  weft::graph const back = imported(text);
  ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << "\n" << text;
  growing<dense> const inputs = random_inputs(g, seed);
  EXPECT_TRUE(same_bits(seed, g, meaning_of(back, inputs), meaning_of(g, inputs)));
  EXPECT_EQ(exported(back), text) << "seed " << seed;
}

TEST(round_trip, of_random_graphs) {
  for (std::uint64_t seed = 0; seed < 600 && !HasFailure(); ++seed) check_round_trip(seed, {});
}
TEST(round_trip, of_graphs_of_loops) {
  auto options = graph_options::only({op::scan, op::while_loop, op::cond, op::add, op::mul,
                                      op::constant, op::less, op::reduce_sum, op::slice});
  for (std::uint64_t seed = 0; seed < 300 && !HasFailure(); ++seed) check_round_trip(seed, options);
}
TEST(round_trip, of_graphs_of_products) {
  auto options = graph_options::only({op::contract, op::convolve, op::add, op::constant});
  for (std::uint64_t seed = 0; seed < 300 && !HasFailure(); ++seed) check_round_trip(seed, options);
}

// A scan with all that its node may say.
weft::graph marked_scan(weft::loop l) {
  weft::recorder r;
  handle const start = r.input(dtype::f32, {}, {0, 0, false});
  growing<handle> operands;
  int const body = r.begin_body();
  growing<handle> outputs;
  if (l.carries > 0) operands.push(start), outputs.push(r.parameter(dtype::f32, {}));
  else outputs.push(start + start);
  if (l.carries > 0) outputs[0] = outputs[0] * outputs[0];
  operands.append(r.end_body(body, outputs));
  growing<handle> const results = weft::detail::record_loop(r, body, l, operands);
  r.finish(results);
  return r.result;
}
TEST(round_trip, of_marks) {
  for (weft::loop const& l :
       {weft::loop{.carries = 1, .length = 5, .unroll = 4},
        weft::loop{.carries = 1, .length = 5, .save = weft::residuals::everything},
        weft::loop{.carries = 1, .length = 5, .save = weft::residuals::nothing},
        weft::loop{.ys = 1, .length = 1, .role = weft::region_role::forward},
        weft::loop{.ys = 1, .length = 1, .role = weft::region_role::backward}}) {
    weft::graph const back = imported(exported(marked_scan(l)));
    int scans = 0;
    for (int id = 0; id < back.size(); ++id)
      if (back[id].code == op::scan) {
        ++scans;
        EXPECT_EQ(growing<weft::extent>(weft::encode(weft::loop_of(back, id))).size(),
                  weft::encode(l).size());
        EXPECT_TRUE(weft::view<weft::extent>(weft::encode(weft::loop_of(back, id))) ==
                    weft::view<weft::extent>(weft::encode(l)));
      }
    EXPECT_EQ(scans, 1);
  }
}
// XLA does not carry names into composites: calls, which say what they stand for.
TEST(round_trip, of_own_ops_of_named_extents) {
  weft::recorder r;
  weft::extents const s{2, {weft::pack_name("d0"), weft::pack_name("d1")}};
  handle const x = r.input(dtype::f32, s, {});
  handle const all[] = {weft::arg_sort({&x, 1}, 1, 1), weft::arg_reduce(x, 1, true),
                        weft::arg_reduce(x, 2, false), weft::unary(op::softplus, x)};
  r.finish({all, 4});
  std::string const text = exported(r.result);
  EXPECT_EQ(exported(imported(text)), text);
}
// The counter is seen by the text's own body: the exporter's form does not have that.
TEST(round_trip, is_not_taken_for_one_where_the_body_reads_the_counter) {
  std::string text = exported(marked_scan({.carries = 1, .length = 5}));
  std::string const from = "%4 = \"stablehlo.multiply\"(%arg4, %arg4)";
  std::size_t const at = text.find(from);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, from.size(),
               "%n = \"stablehlo.convert\"(%arg3) : (tensor<i32>) -> tensor<f32>\n"
               "%4 = \"stablehlo.add\"(%arg4, %n)");
  weft::graph const back = imported(text);
  growing<dense> start;
  start.push(dense(dtype::f32, {}, weft::word_of(3.0f)));
  EXPECT_EQ(meaning_of(back, start)[0][0], weft::word_of(3.0f + 0 + 1 + 2 + 3 + 4)) << text;
}

} // namespace
