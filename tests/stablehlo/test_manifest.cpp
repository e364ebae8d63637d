// SPDX-License-Identifier: BSL-1.0
// needs: nlohmann/json.hpp
// The manifest beside a module: written, read back, held against arrays; and lifted constants.
#include "random/random_graph.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>
#include <weft/stablehlo/lift_constants.hpp>
#include <weft/stablehlo/manifest_read.hpp>

#include <gtest/gtest.h>

namespace {

namespace shlo = weft::stablehlo;
using test::dtype;
using weft::extent;
using weft::extents;
using weft::growing;
using weft::handle;

extent const rows = weft::pack_name("rows");

shlo::manifest example() {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {2, {rows, 3}}, {0, 0, false});
  handle const w = r.input(dtype::f32, {2, {rows, 3}}, {1, 0, false});
  r.input(dtype::u32, {1, {2}}, {2, 0, true});
  handle const sum = x + w;
  r.finish({&sum, 1});
  shlo::export_names names{"step", {}, {}};
  names.arguments.push({"x", -1});
  names.arguments.push({"params.w\"1\"\n", 0});
  names.results.push("loss");
  shlo::location const where[] = {shlo::location::input, shlo::location::parameter};
  return shlo::manifest_of(r.result, names, {where, 2});
}
template <class Function> std::string error_of(Function const& f) {
  try {
    f();
  } catch (weft::error const& e) {
    return e.what();
  }
  return "";
}

TEST(manifest, is_one_line_an_array) {
  EXPECT_EQ(shlo::to_json(example()), R"({
  "format": "weft-manifest-1",
  "module": "step",
  "arguments": [
    {"name": "x", "location": "input", "dtype": "f32", "shape": ["rows", 3]},
    {"name": "params.w\"1\"\u000a", "location": "parameter", "dtype": "f32", "shape": ["rows", 3], "donated_to": 0},
    {"name": "", "location": "key", "dtype": "ui32", "shape": [2]}
  ],
  "results": [
    {"name": "loss", "dtype": "f32", "shape": ["rows", 3]}
  ]
}
)");
}
TEST(manifest, is_read_as_it_was_written) {
  shlo::manifest const m = example();
  EXPECT_TRUE(shlo::manifest_from_json(shlo::to_json(m)) == m);
}
TEST(manifest, refuses_what_to_json_does_not_write) {
  auto const error = [](char const* text) {
    return error_of([&] { shlo::manifest_from_json(text); });
  };
  EXPECT_EQ(error("{"), "weft: stablehlo: a manifest is no JSON; write it with to_json");
  EXPECT_EQ(error("[]"), "weft: stablehlo: a manifest has something else where an object belongs; "
                         "write it with to_json");
  EXPECT_EQ(error("{}"),
            "weft: stablehlo: a manifest lacks the key 'format'; write it with to_json");
  EXPECT_EQ(error(R"({"format": "x", "more": 1})"),
            "weft: stablehlo: a manifest has an unknown key 'more'; write it with to_json");
  auto const changed = [&](std::string const& from, std::string const& to) {
    std::string text = shlo::to_json(example());
    text.replace(text.find(from), from.size(), to);
    return error(text.c_str());
  };
  EXPECT_NE(changed("\"f32\"", "\"f31\"").find("an unknown dtype 'f31'"), std::string::npos);
  EXPECT_NE(changed("\"key\"", "\"kay\"").find("an unknown location 'kay'"), std::string::npos);
  EXPECT_NE(changed("[2]", "[-2]").find("an extent that is neither"), std::string::npos);
  EXPECT_NE(changed("[2]", "[1,1,1,1,1,1,1,1,1]").find("at most 8"), std::string::npos);
  EXPECT_NE(changed("\"rows\"", "\"no name\"").find("no name 'no name'"), std::string::npos);
  EXPECT_NE(changed("_to\": 0", "_to\": 1").find("donates to a result"), std::string::npos);
}
TEST(manifest, is_held_against_arrays) {
  shlo::manifest m = example();
  m.arguments[1].name = "w";
  extents const shape{2, {4, 3}}, key{1, {2}};
  auto const error = [&](std::vector<shlo::array_info> const& arrays) {
    return error_of([&] { shlo::check(m, arrays); });
  };
  EXPECT_EQ(error({{dtype::f32, shape}, {dtype::f32, shape}, {dtype::u32, key}}), "");
  EXPECT_EQ(error({{dtype::f32, shape}}),
            "weft: stablehlo: the module takes 3 arguments, 1 are given");
  EXPECT_EQ(error({{dtype::f32, shape}, {dtype::bf16, shape}, {dtype::u32, key}}),
            "weft: stablehlo: argument 1 'w' is bf16, the manifest says f32");
  EXPECT_EQ(error({{dtype::f32, shape}, {dtype::f32, {2, {5, 3}}}, {dtype::u32, key}}),
            "weft: stablehlo: argument 1 'w' is (5, 3), the manifest says (rows, 3)");
}

TEST(lift_constants, keeps_the_meaning) {
  int lifted = 0, inside = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    weft::graph const g = test::random_graph(seed);
    shlo::lifted_graph const l = shlo::lift_constants(g, 4);
    weft::verify_error const e = weft::verify(l.program);
    ASSERT_FALSE(e) << "seed " << seed << " " << weft::name_of(e.broken) << " at %" << e.node
                    << "\n"
                    << weft::print(l.program);
    growing<weft::dense> inputs = test::random_inputs(g, seed);
    growing<weft::dense> const wanted = test::meaning_of(g, inputs);
    for (shlo::lifted_constant const& c : l.constants) inputs.push(c.data);
    EXPECT_TRUE(test::same_bits(test::meaning_of(l.program, inputs), wanted)) << "seed " << seed;
    lifted += l.constants.size();
    for (int r = 1; r < l.program.regions.size(); ++r)
      inside += l.program.regions[r].parameter_count > g.regions[r].parameter_count;
    for (int id = 0; id < l.program.size(); ++id)
      EXPECT_FALSE(l.program[id].code == weft::op::constant && l.program[id].attribute_count == 2 &&
                   weft::count_of(l.program.shape(id)) >= 4);
  }
  EXPECT_GT(lifted, 50);
  EXPECT_GT(inside, 5);
}
TEST(lift_constants, names_them_and_leaves_small_ones) {
  weft::recorder r;
  for (weft::word w : {1u, 2u, 3u}) r.result.constants.push(w);
  extent const place[] = {0, 0};
  handle const table = r.emit(weft::op::constant, dtype::i32, {1, {3}}, {}, {place, 2});
  r.finish({&table, 1});
  EXPECT_EQ(shlo::lift_constants(r.result, 4).constants.size(), 0);
  shlo::lifted_graph const l = shlo::lift_constants(r.result, 3);
  ASSERT_EQ(l.constants.size(), 1);
  EXPECT_STREQ(l.constants[0].name.c_str(), "constant.0");
  EXPECT_EQ(l.constants[0].data[2], 3u);
  EXPECT_EQ(l.program.constants.size(), 0);
}

} // namespace
