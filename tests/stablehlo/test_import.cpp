// SPDX-License-Identifier: BSL-1.0
// build: alone
// StableHLO to graphs: in constant evaluation, the nodes that weft's own doors record, meanings at
// the edges, and what is refused with which words.
#include "stablehlo/imports.hpp"

#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

namespace {

using namespace weft;
using imports::graph_text;
using imports::run;
using numbers = std::vector<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

std::string in_main(std::string const& signature, std::string const& body) {
  return "func.func @main" + signature + " {\n" + body + "\n}\n";
}
std::string refusal(std::string const& signature, std::string const& body) {
  return imports::mistake(imports::read(in_main(signature, body)));
}
template <class... Args, class F> std::string door(F const& f) { return print(record<Args...>(f)); }

// ---- constant evaluation
constexpr char const small[] = R"(func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.tanh %x : tensor<2x3xf32>
  %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
})";
constexpr bool imports_in_constant_evaluation() {
  auto const i = stablehlo::to_graph(
      stablehlo::parse({small, static_cast<int>(sizeof(small)) - 1}));
  return !i.error.failed && i.program.inputs.size() == 1 && i.program.regions.size() == 1;
}
static_assert(imports_in_constant_evaluation());

// ---- what doors record
TEST(StablehloImport, GivesTheNodesOfTheDoors) {
  EXPECT_EQ(graph_text(small), (door<tensor<float, 2, 3>>([](auto x) { return sum<1>(tanh(x)); })));
  EXPECT_EQ(graph_text(in_main("(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32>",
                               R"(%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] :
      (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>)")),
            (door<tensor<float, 2, 3>, tensor<float, 3, 4>>(
                [](auto a, auto b) { return einsum<"ba,ac->bc">(a, b); })));
  EXPECT_EQ(graph_text(in_main("(%x: tensor<1x5x5x2xf32>, %w: tensor<3x3x2x4xf32>) -> "
                               "tensor<1x3x3x4xf32>",
                               R"(%0 = stablehlo.convolution(%x, %w)
      dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
      (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32>
    return %0 : tensor<1x3x3x4xf32>)")),
            (door<tensor<float, 1, 5, 5, 2>, tensor<float, 3, 3, 2, 4>>([](auto x, auto w) {
              return conv<"NHWC,HWIO->NHWC", conv_options{.strides = 2, .padding = 1}>(x, w);
            })));
}

// ---- meanings
std::string compared(std::string const& how, std::string const& type) {
  return in_main("(%a: tensor<6x" + type + ">, %b: tensor<6x" + type + ">) -> tensor<6xi1>",
                 "%0 = stablehlo.compare " + how + ", %a, %b : (tensor<6x" + type + ">, tensor<6x" +
                     type + ">) -> tensor<6xi1>\nreturn %0 : tensor<6xi1>");
}
TEST(StablehloImport, ComparesByTotalOrder) {
  auto const with_type = [](std::string const& how, std::string const& type) {
    return in_main("(%a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<6xi1>",
                   "%0 = stablehlo.compare " + how + ", %a, %b, " + type +
                       " : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>\n"
                       "return %0 : tensor<6xi1>");
  };
  numbers const a{-0.0, 0, nan, 1, -infinity, -1}, b{0, -0.0, 1, nan, -1, -2};
  EXPECT_EQ(run(with_type("LT", "TOTALORDER"), {a, b}), (numbers{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(run(with_type("LT", "FLOAT"), {a, b}), (numbers{0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(run(with_type("EQ", "TOTALORDER"), {a, b}), (numbers{0, 0, 0, 0, 0, 0}));
}
TEST(StablehloImport, ComparesBooleans) {
  numbers const a{0, 0, 1, 1, 0, 1}, b{0, 1, 0, 1, 1, 0};
  EXPECT_EQ(run(compared("LT", "i1"), {a, b}), (numbers{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(run(compared("GE", "i1"), {a, b}), (numbers{1, 0, 1, 1, 0, 1}));
}
TEST(StablehloImport, DividesAndShiftsIntegersAtTheEdges) {
  auto const of = [](std::string const& name) {
    return in_main("(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32>",
                   "%0 = stablehlo." + name + " %a, %b : tensor<4xi32>\nreturn %0 : tensor<4xi32>");
  };
  numbers const a{7, -2147483648.0, -7, 1}, b{0, -1, 2, 33};
  EXPECT_EQ(run(of("divide"), {a, b}), (numbers{-1, -2147483648.0, -3, 0}));
  EXPECT_EQ(run(of("remainder"), {a, b}), (numbers{7, 0, -1, 1}));
  EXPECT_EQ(run(of("shift_left"), {a, b}), (numbers{7, 0, -28, 0}));
  EXPECT_EQ(run(of("shift_right_arithmetic"), {a, b}), (numbers{7, -1, -2, 0}));
}
TEST(StablehloImport, ReducesByAnyBodyInOrder) {
  // (a, b) -> b: associative, not commutative; the last element stays.
  std::string const text = in_main("(%x: tensor<7xf32>) -> tensor<f32>", R"(
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce"(%x, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.multiply %a, %z : tensor<f32>
      %2 = stablehlo.add %1, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>)");
  EXPECT_EQ(run(text, {{1, 2, 3, 4, 5, 6, 7}}), (numbers{7}));
}
TEST(StablehloImport, SortsByAnyComparator) {
  // |a| < |b|: a key; a * b < 0 and a < b, else a > b: none.
  auto const sorted = [](std::string const& body) {
    return in_main("(%x: tensor<5xf32>) -> tensor<5xf32>", R"(
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
)" + body + R"(
      stablehlo.return %r : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>)");
  };
  EXPECT_EQ(run(sorted(R"(%p = stablehlo.abs %a : tensor<f32>
    %q = stablehlo.abs %b : tensor<f32>
    %r = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>)"),
                {{-3, 2, 1, -1, 3}}),
            (numbers{1, -1, 2, -3, 3}));
  EXPECT_EQ(run(sorted(R"(%p = stablehlo.floor %a : tensor<f32>
    %r = stablehlo.compare LT, %p, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>)"),
                {{3, 2, 5, 1, 4}}),
            (numbers{1, 2, 3, 4, 5}));
}
// JAX's comparators put one NaN for all; one that puts another number there sorts by that.
TEST(StablehloImport, SortsByWhatStandsForNan) {
  auto const sorted = [](std::string const& nan_as) {
    std::string body = "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
                       "%by = stablehlo.constant dense<" +
                       nan_as + "> : tensor<f32>\n";
    for (std::string const v : {"%a", "%b"})
      body += v + "0 = stablehlo.compare EQ, " + v + ", %zero : (tensor<f32>, tensor<f32>) -> " +
              "tensor<i1>\n" + v + "1 = stablehlo.select " + v + "0, %zero, " + v +
              " : tensor<i1>, tensor<f32>\n" + v + "2 = stablehlo.compare NE, " + v + ", " + v +
              " : (tensor<f32>, tensor<f32>) -> tensor<i1>\n" + v + "3 = stablehlo.select " + v +
              "2, %by, " + v + "1 : tensor<i1>, tensor<f32>\n";
    return in_main("(%x: tensor<3xf32>) -> tensor<3xf32>", R"(
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
)" + body + R"(
      %r = stablehlo.compare LT, %a3, %b3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>)");
  };
  auto const first = [&](std::string const& nan_as) {
    return run(sorted(nan_as), {{nan, 1, -2}})[0];
  };
  EXPECT_EQ(first("0x7FC00000"), -2);
  EXPECT_TRUE(std::isnan(first("0xFF800000"))); // -infinity
  EXPECT_EQ(run(sorted("0.0"), {{3, nan, -2}})[0], -2);
  EXPECT_TRUE(std::isnan(run(sorted("0.0"), {{3, nan, -2}})[1]));
}
TEST(StablehloImport, ScattersByAnyBodyInOrder) {
  std::string const text = in_main(
      "(%x: tensor<3xf32>, %i: tensor<4x1xi64>, %u: tensor<4xf32>) -> tensor<3xf32>", R"(
    %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %a : tensor<f32>
      %2 = stablehlo.add %1, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} :
      (tensor<3xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>)");
  EXPECT_EQ(run(text, {{1, 2, 3}, {0, 0, 9, 2}, {1, 1, 1, 1}}), (numbers{7, 2, 7}));
}
TEST(StablehloImport, IndicesOfOtherTypesAreClamped) {
  std::string const text = in_main("(%x: tensor<4xf32>, %i: tensor<i64>) -> tensor<2xf32>", R"(
    %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] :
      (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
    return %0 : tensor<2xf32>)");
  EXPECT_EQ(run(text, {{1, 2, 3, 4}, {4294967297.0}}), (numbers{3, 4}));
  EXPECT_EQ(run(text, {{1, 2, 3, 4}, {-4294967296.0}}), (numbers{1, 2}));
}
TEST(StablehloImport, OnlyTheTakenBranchRuns) {
  std::string const text = in_main("(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32>", R"(
    %0 = "stablehlo.case"(%i) ({
      stablehlo.return %x : tensor<f32>
    }, {
      %1 = stablehlo.negate %x : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }, {
      %1 = stablehlo.add %x, %x : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    return %0 : tensor<f32>)");
  for (auto const& [index, result] : {std::pair(0.0, 3.0), {1, -3}, {2, 6}, {-1, 6}, {7, 6}})
    EXPECT_EQ(run(text, {{index}, {3}}), (numbers{result}));
  stablehlo::imported const i = imports::read(text);
  int branches = 0;
  for (node const& n : i.program.nodes) branches += n.code == op::cond;
  EXPECT_EQ(branches, 3);
}
TEST(StablehloImport, LoopsThatCountAreScans) {
  auto const loop = [](std::string const& step, std::string const& how) {
    return in_main("(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<i32>, tensor<f32>)", R"(
    %s = stablehlo.constant dense<2> : tensor<i32>
    %0:3 = stablehlo.while(%i = %s, %a = %x, %b = %y) : tensor<i32>, tensor<f32>, tensor<f32>
    cond {
      %n = stablehlo.constant dense<6> : tensor<i32>
      %c = stablehlo.compare )" + how + R"(, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<)" + step + R"(> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
      %p = stablehlo.multiply %f, %b : tensor<f32>
      %q = stablehlo.add %a, %p : tensor<f32>
      stablehlo.return %j, %q, %b : tensor<i32>, tensor<f32>, tensor<f32>
    }
    return %0#0, %0#1 : tensor<i32>, tensor<f32>)");
  };
  auto const loops = [](std::string const& text) {
    stablehlo::imported const i = imports::read(text);
    std::pair<int, int> r{0, 0};
    for (node const& n : i.program.nodes)
      r.first += n.code == op::scan, r.second += n.code == op::while_loop;
    return r;
  };
  EXPECT_EQ(run(loop("1", "LT"), {{1}, {10}}), (numbers{6, 141}));
  EXPECT_EQ(run(loop("3", "LT"), {{1}, {10}}), (numbers{8, 71}));
  EXPECT_EQ(run(loop("1", "LE"), {{1}, {10}}), (numbers{7, 201}));
  EXPECT_EQ(loops(loop("1", "LT")), std::pair(1, 0));
  EXPECT_EQ(loops(loop("3", "LT")), std::pair(0, 1));
  EXPECT_EQ(loops(loop("1", "LE")), std::pair(0, 1));
}
// Loops that resemble those of the exporter, and are other loops: five turns of `body`, which makes
// %t of the counter %i, of %j = %i + 1 and of %s, from %from on; %t after them is the result.
TEST(StablehloImport, LoopsThatUseTheirCounterOtherwise) {
  auto const loop = [](std::string const& type, std::string const& from, std::string const& body) {
    return in_main("(%x: tensor<5xf32>, %z: tensor<5xf32>) -> " + type, R"(
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %four = stablehlo.constant dense<4> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %empty = stablehlo.constant dense<0.0> : tensor<5xf32>
    %first = stablehlo.constant dense<0.0> : tensor<1xf32>
    %0:2 = stablehlo.while(%i = %zero, %s = )" + from + ") : tensor<i32>, " +
                                                                            type + R"(
    cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>)" + body + R"(
      stablehlo.return %j, %t : tensor<i32>, )" + type + R"(
    }
    return %0#1 : )" + type);
  };
  auto const given = [&](std::string const& text) {
    return run(text, {{1, 2, 3, 4, 5}, {1, 10, 100, 1000, 10000}});
  };
  std::string const scalar = "tensor<f32>", vector = "tensor<5xf32>", one = "tensor<1xf32>";
  auto const slice = [&](std::string const& name, std::string const& array, std::string const& at) {
    return "\n%" + name + "_row = stablehlo.dynamic_slice " + array + ", " + at +
           ", sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>\n%" + name +
           " = stablehlo.reshape %" + name + "_row : (tensor<1xf32>) -> tensor<f32>";
  };
  auto const update = [&](std::string const& array, std::string const& row) {
    return " = stablehlo.dynamic_update_slice " + array + ", " + row +
           ", %i : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>";
  };
  // The counter after its step: 1 + ... + 5.
  EXPECT_EQ(given(loop(scalar, "%none", R"(
      %f = stablehlo.convert %j : (tensor<i32>) -> tensor<f32>
      %t = stablehlo.add %s, %f : tensor<f32>)")),
            numbers{15});
  EXPECT_EQ(given(loop("tensor<i32>", "%zero", "\n%t = stablehlo.negate %j : tensor<i32>")),
            numbers{-5});
  // An array read forwards, another backwards, in either order.
  std::string const back = "\n%r = stablehlo.subtract %four, %i : tensor<i32>", products = R"(
      %p = stablehlo.multiply %a, %b : tensor<f32>
      %t = stablehlo.add %s, %p : tensor<f32>)";
  numbers const crossed{1e4 + 2e3 + 3e2 + 4e1 + 5};
  EXPECT_EQ(given(loop(scalar, "%none",
                       slice("a", "%x", "%i") + back + slice("b", "%z", "%r") + products)),
            crossed);
  EXPECT_EQ(given(loop(scalar, "%none",
                       back + slice("b", "%z", "%r") + slice("a", "%x", "%i") + products)),
            crossed);
  EXPECT_EQ(given(loop(scalar, "%none",
                       back + slice("a", "%x", "%r") + slice("b", "%z", "%r") + products)),
            numbers{54321});
  // An array that is written into and was something before; one whose new values are read again;
  // rows that nothing was reshaped for.
  std::string const row = slice("a", "%x", "%i") + "\n%u = stablehlo.negate %a : tensor<f32>" +
                          "\n%v = stablehlo.reshape %u : (tensor<f32>) -> tensor<1xf32>";
  EXPECT_EQ(given(loop(vector, "%empty", row + "\n%t" + update("%s", "%v"))),
            (numbers{-1, -2, -3, -4, -5}));
  EXPECT_EQ(given(loop(vector, "%z", row + "\n%t" + update("%s", "%v"))),
            (numbers{-1, -2, -3, -4, -5}));
  EXPECT_EQ(
      given(loop(vector, "%z",
                 row + "\n%w" + update("%s", "%v") + "\n%t = stablehlo.add %w, %w : " + vector)),
      (numbers{-32, -32, -24, -16, -10}));
  EXPECT_EQ(
      given(loop(vector, "%empty",
                 "\n%v = stablehlo.constant dense<7.0> : " + one + "\n%t" + update("%s", "%v"))),
      (numbers{7, 7, 7, 7, 7}));
  // The row itself, as an array.
  EXPECT_EQ(given(loop(one, "%first",
                       "\n%t = stablehlo.dynamic_slice %x, %i, sizes = [1] : (" + vector +
                           ", tensor<i32>) -> " + one)),
            numbers{5});
}
TEST(StablehloImport, TuplesAreTheirMembersAndTokensNothing) {
  std::string const text = in_main("(%x: tensor<f32>) -> tensor<f32>", R"(
    %t = stablehlo.create_token : !stablehlo.token
    %n = stablehlo.negate %x : tensor<f32>
    %0 = stablehlo.tuple %x, %n : tuple<tensor<f32>, tensor<f32>>
    %1 = stablehlo.get_tuple_element %0[1] :
      (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
    return %1 : tensor<f32>)");
  EXPECT_EQ(run(text, {{2}}), (numbers{-2}));
}
// xs that count down, ys that the exporter's form gives: they keep their places.
TEST(StablehloImport, ScansThatReadBackwardsGiveTheirYsInOrder) {
  std::string const text = in_main("(%w: tensor<4xf32>, %h: tensor<f32>) -> "
                                   "(tensor<f32>, tensor<4xf32>)",
                                   R"(
    %xs = stablehlo.iota dim = 0 : tensor<4xi32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %ys = stablehlo.constant dense<0.0> : tensor<4xf32>
    %r:3 = stablehlo.while(%i = %z, %c = %h, %y = %ys) : tensor<i32>, tensor<f32>, tensor<4xf32>
    cond {
      %n = stablehlo.constant dense<4> : tensor<i32>
      %m = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    } do {
      %xr = stablehlo.dynamic_slice %xs, %i, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
      %x = stablehlo.reshape %xr : (tensor<1xi32>) -> tensor<i32>
      %k = stablehlo.constant dense<3> : tensor<i32>
      %t = stablehlo.subtract %k, %x : tensor<i32>
      %wr = stablehlo.dynamic_slice %w, %t, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %v = stablehlo.reshape %wr : (tensor<1xf32>) -> tensor<f32>
      %s = stablehlo.add %c, %v : tensor<f32>
      %sr = stablehlo.reshape %s : (tensor<f32>) -> tensor<1xf32>
      %y1 = stablehlo.dynamic_update_slice %y, %sr, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %i1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %i1, %s, %y1 : tensor<i32>, tensor<f32>, tensor<4xf32>
    }
    return %r#1, %r#2 : tensor<f32>, tensor<4xf32>)");
  EXPECT_EQ(run(text, {{1, 2, 3, 4}, {0}}), (numbers{10, 4, 7, 9, 10}));
}
// What XLA's exporters write for operations that StableHLO has not; and where an array shall lie.
TEST(StablehloImport, CallsOfXlasDialectAndShardings) {
  auto const of_x = [](std::string const& line) {
    return in_main("(%x: tensor<4xf32>) -> tensor<4xf32>", line + "\nreturn %0 : tensor<4xf32>");
  };
  std::string const as_before = "(tensor<4xf32>) -> tensor<4xf32>";
  EXPECT_EQ(graph_text(of_x("%0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, "
                            "mhlo.version = 1 : i64} : " +
                            as_before)),
            graph_text(of_x("%0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>")));
  EXPECT_EQ(
      graph_text(of_x(R"(%0 = sdy.sharding_constraint %x <@mesh, [{"a", ?}]> : tensor<4xf32>)")),
      graph_text(of_x("%0 = stablehlo.optimization_barrier %x : tensor<4xf32>")));
  EXPECT_EQ(graph_text(of_x(R"(%0 = "sdy.sharding_constraint"(%x) <{sharding = )"
                            R"(#sdy.sharding<@mesh, [{"a"}]>}> : )" +
                            as_before)),
            graph_text(of_x("%0 = stablehlo.optimization_barrier %x : tensor<4xf32>")));
  auto const top = [](std::string const& attributes) {
    return in_main("(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)",
                   "%0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {" + attributes +
                       "}} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)\n"
                       "return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>");
  };
  EXPECT_EQ(run(top("k = 2 : i64, largest = true"), {{3, 9, 1, 7}}), (numbers{9, 7, 1, 3}));
  EXPECT_EQ(imports::mistake(imports::read(top("k = 2 : i64, largest = false"))),
            "2:1: weft: stablehlo.custom_call: gives the smallest; write a sort");
  EXPECT_EQ(imports::mistake(imports::read(top("largest = true"))),
            "2:1: weft: stablehlo.custom_call: the last axis does not have -1 elements");
  EXPECT_EQ(
      refusal("(%x: tensor<4xf32>) -> tensor<4xf32>",
              "%0 = stablehlo.custom_call @mhlo.nothing(%x) : " + as_before +
                  "\nreturn %0 : tensor<4xf32>"),
      "2:1: weft: stablehlo.custom_call: no function is given for @mhlo.nothing; give to_graph "
      "a table with it, or write its operations");
}
// One product of operands that are rounded once; several that stand for more digits.
TEST(StablehloImport, AlgorithmsOfProducts) {
  auto const product = [](std::string const& products) {
    return in_main(
        "(%a: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<f32>",
        "%0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], algorithm = "
        "<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, "
        "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = " +
            products +
            ", allow_imprecise_accumulation = false> : "
            "(tensor<1xf32>, tensor<1xf32>) -> tensor<f32>\nreturn %0 : tensor<f32>");
  };
  EXPECT_EQ(run(product("1"), {{1.00390625}, {1}}), numbers{1});
  EXPECT_EQ(run(product("3"), {{1.00390625}, {1}}), numbers{1.00390625});
}
TEST(StablehloImport, BatchNormsAreTheirFormulas) {
  std::string const text = in_main("(%x: tensor<2x2xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>) -> "
                                   "(tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)",
                                   R"(%0:3 = "stablehlo.batch_norm_training"(%x, %s, %o)
      {epsilon = 0.0 : f32, feature_index = 1 : i64} :
      (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) ->
      (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
    return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)");
  EXPECT_EQ(run(text, {{1, 2, 3, 6}, {1, 2}, {0, 1}}), (numbers{-1, -1, 1, 3, 2, 4, 1, 4}));
}

// ---- extents that only the run knows
TEST(StablehloImport, EqualUnknownExtentsHaveOneName) {
  stablehlo::imported const i = imports::read(
      in_main("(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32>",
              "%0 = stablehlo.add %a, %b : tensor<?x2xf32>\nreturn %0 : tensor<?x2xf32>"));
  ASSERT_EQ(imports::mistake(i), "");
  graph_view const g = i.program;
  extents const first = g.shape(g.parameters_of(0)[0]);
  EXPECT_TRUE(is_named(first[0]));
  EXPECT_EQ(first, g.shape(g.parameters_of(0)[1]));
}

// ---- custom calls
constexpr growing<handle> doubled(stablehlo::custom_call_site const& at) {
  return growing<handle>(1, at.operands[0] + at.operands[0]);
}
TEST(StablehloImport, CustomCallsAreTheUsersFunctions) {
  std::string const text = in_main(
      "(%x: tensor<2xf32>) -> tensor<2xf32>",
      "%0 = stablehlo.custom_call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "return %0 : tensor<2xf32>");
  stablehlo::custom_call const known[] = {{"twice", doubled}};
  EXPECT_FALSE(stablehlo::to_graph(texts::read(text), {known, 1}).error.failed);
  EXPECT_NE(imports::mistake(imports::read(text)).find("no function is given for @twice"),
            std::string::npos);
}

// ---- refusals: what, and where
TEST(StablehloImport, RefusesWithPlaceAndWords) {
  EXPECT_EQ(refusal("(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32>",
                    "  %0 = \"stablehlo.add\"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> "
                    "tensor<2xf32>\n  return %0 : tensor<2xf32>"),
            "2:3: weft: stablehlo.add: operands differ: f32 (2) and f32 (3)");
  EXPECT_EQ(refusal("(%x: tensor<2x3xf32>) -> tensor<2x3xf32>",
                    "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> "
                    "tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"),
            "2:1: weft: stablehlo.transpose: gives f32 (3, 2), but the text says f32 (2, 3)");
  EXPECT_EQ(refusal("(%x: tensor<4xf32>) -> tensor<4xf32>",
                    "%0 = stablehlo.popcnt %x : tensor<4xf32>\nreturn %0 : tensor<4xf32>"),
            "2:1: weft: stablehlo.popcnt: there is no popcount of f32");
  EXPECT_EQ(refusal("(%x: tensor<4xf32>) -> tensor<5xf32>",
                    "%0 = stablehlo.slice %x [0:5] : (tensor<4xf32>) -> tensor<5xf32>\n"
                    "return %0 : tensor<5xf32>"),
            "2:1: weft: stablehlo.slice: axis 0 has 4 elements, not those from 0 to 5 in steps of "
            "1");
}
TEST(StablehloImport, RefusesRecursionAndEndlessInlining) {
  std::string const loop = R"(func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @main(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
})";
  EXPECT_EQ(imports::mistake(imports::read(loop)),
            "6:3: weft: func.call: @main calls itself; write a while");
  std::string twice = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
                      "  %0 = call @f0(%x) : (tensor<f32>) -> tensor<f32>\n"
                      "  return %0 : tensor<f32>\n}\n";
  for (int i = 0; i < 40; ++i) {
    std::string const next = i < 39 ? "call @f" + std::to_string(i + 1) : "call @end";
    twice += "func.func private @f" + std::to_string(i) + "(%x: tensor<f32>) -> tensor<f32> {\n" +
             "  %0 = " + next + "(%x) : (tensor<f32>) -> tensor<f32>\n" + "  %1 = " + next +
             "(%0) : (tensor<f32>) -> tensor<f32>\n  return %1 : tensor<f32>\n}\n";
  }
  twice += "func.func private @end(%x: tensor<f32>) -> tensor<f32> {\n"
           "  return %x : tensor<f32>\n}\n";
  EXPECT_NE(imports::mistake(imports::read(twice)).find("more than 2^20 operations"),
            std::string::npos);
}
// A call costs as much as its operations do: what a function says in numbers is kept once, and
// functions are found by name whatever their number.
TEST(StablehloImport, KeepsTheConstantsOfAFunctionOnce) {
  std::string numbers_of_table, calls;
  for (int i = 0; i < 1000; ++i) numbers_of_table += (i > 0 ? ", " : "") + std::to_string(i);
  for (int i = 0; i < 20; ++i)
    calls += "%" + std::to_string(i + 1) + " = call @f(%" + std::to_string(i) +
             ") : (tensor<1000xf32>) -> tensor<1000xf32>\n";
  std::string text = "func.func @main(%0: tensor<1000xf32>) -> tensor<1000xf32> {\n" + calls +
                     "return %20 : tensor<1000xf32>\n}\n" +
                     "func.func private @f(%x: tensor<1000xf32>) -> tensor<1000xf32> {\n" +
                     "%c = stablehlo.constant dense<[" + numbers_of_table +
                     "]> : tensor<1000xf32>\n%0 = stablehlo.add %x, %c : tensor<1000xf32>\n" +
                     "return %0 : tensor<1000xf32>\n}\n";
  stablehlo::imported const i = imports::read(text);
  ASSERT_EQ(imports::mistake(i), "");
  EXPECT_EQ(i.program.constants.size(), 1000);
  EXPECT_EQ(run(text, {numbers(1000, 1.0)})[999], 1 + 20 * 999.0);
}
TEST(StablehloImport, FindsFunctionsByName) {
  std::string text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n", functions;
  int const count = 20000;
  for (int i = 0; i < count; ++i) {
    std::string const n = std::to_string(i), name = std::string(60, 'f') + n;
    text += "%" + n + " = call @" + name + "(%x) : (tensor<f32>) -> tensor<f32>\n";
    functions += "func.func private @" + name + "(%x: tensor<f32>) -> tensor<f32> {\n" +
                 "return %x : tensor<f32>\n}\n";
  }
  auto const before = std::chrono::steady_clock::now();
  EXPECT_EQ(imports::mistake(imports::read(text + "return %0 : tensor<f32>\n}\n" + functions)), "");
  EXPECT_LT((std::chrono::steady_clock::now() - before) / std::chrono::seconds(1), 5);
}
TEST(StablehloImport, RefusesWhatABodyOfElementsCannotDo) {
  EXPECT_NE(refusal("(%x: tensor<4xf32>) -> tensor<f32>", R"(
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce"(%x, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = stablehlo.constant dense<true> : tensor<i1>
      %1 = "stablehlo.if"(%t) ({ stablehlo.return %a : tensor<f32> },
                              { stablehlo.return %b : tensor<f32> }) : (tensor<i1>) -> tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>)")
                .find("stablehlo.if: is not read in the body of a reduction"),
            std::string::npos);
}
TEST(StablehloImport, NeedsAnEntry) {
  EXPECT_NE(imports::mistake(imports::read("func.func private @f() {\n  return\n}\n"))
                .find("there is no function @main"),
            std::string::npos);
}

} // namespace
