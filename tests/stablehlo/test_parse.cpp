// SPDX-License-Identifier: BSL-1.0
// Both forms of a text are the same module, in constant evaluation too; what the module then says.
#include "stablehlo/forms.hpp"
#include "stablehlo/text.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace texts;
using weft::dtype;
using weft::word;

namespace {

template <unsigned long N> constexpr module_ir parsed(char const (&text)[N]) {
  return parse({text, static_cast<int>(N - 1)});
}

constexpr char const pretty[] = R"(
module @m attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32> {weft.name = "x"}, %arg1: tensor<3x2xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.tanh %0 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<[1.1, -2.5e-3]> : tensor<2xf32> // both
    %2 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<4x2xf32> loc(#loc1)
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:2 = stablehlo.while(%i = %c, %x = %4) : tensor<i32>, tensor<4xf32>
    cond {
      %c_1 = stablehlo.constant dense<5> : tensor<i32>
      %6 = stablehlo.compare LT, %i, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %i, %c_1 : tensor<i32>
      %7 = func.call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %6, %7 : tensor<i32>, tensor<4xf32>
    }
    return %5#1 : tensor<4xf32>
  }
  func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
#loc1 = loc("a.py":1:2)
)";
constexpr char const generic[] = R"(
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{weft.name = "x"}, {}], function_type = (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<4x3xf32>, %arg2: tensor<3x2xf32>):
    %1 = "stablehlo.dot_general"(%arg1, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %2 = "stablehlo.tanh"(%1) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %3 = "stablehlo.constant"() <{value = dense<"0xCDCC8C3F0AD723BB"> : tensor<2xf32>}> : () -> tensor<2xf32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xf32>) -> tensor<4x2xf32>
    %5 = "stablehlo.multiply"(%2, %4) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.reduce"(%5, %6) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %20 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) {dimensions = dense<1> : tensor<1xi64>} : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %9:2 = "stablehlo.while"(%8, %7) ({
    ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
      %20 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %21 = "stablehlo.compare"(%i, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
      %20 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %21 = "stablehlo.add"(%i, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %22 = "func.call"(%x) <{callee = @twice}> : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%21, %22) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "func.return"(%9#1) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "twice", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32} : () -> ()
)";

// Constant evaluation, with either compiler's usual limits.
static_assert(!parsed(pretty).error.failed);
static_assert(!parsed(generic).error.failed);
static_assert(same(parsed(pretty), parsed(generic)));
static_assert([] {
  module_ir const m = parsed(pretty);
  auto const text = print(m, text_form::pretty);
  return same(m, parse(text));
}());
static_assert([] {
  module_ir const m = parsed(pretty);
  return m.functions.size() == 2 && m.is(m.name, "m") && m.is(m.functions[1].name, "twice") &&
         !m.functions[1].is_public && m.functions[0].argument_attributes >= 0 &&
         m.functions[1].argument_attributes < 0;
}());
static_assert(parsed("func.func @f() {\n  %0 = stablehlo.fft\n}").error.line == 2);

// The attribute of the only operation that is not a return.
attribute const* attribute_of(module_ir const& m, char const* name) {
  return m.find(m.operations[0], name);
}

TEST(parse, what_a_module_says) {
  module_ir const m = parsed(pretty);
  function const& f = m.functions[0];
  EXPECT_EQ(f.line, 3);
  EXPECT_EQ(f.column, 3);
  module_region const& region = m.regions[f.region];
  ASSERT_EQ(region.argument_count, 2);
  ASSERT_EQ(region.operation_count, 10);
  operation const& dot = m.operations[m.bodies[region.first_operation]];
  EXPECT_EQ(dot.what, code::dot_general);
  EXPECT_EQ(dot.line, 4);
  EXPECT_EQ(dot.column, 5);
  EXPECT_EQ(m.find(dot, "precision_config"), nullptr); // the default
  attribute const& dimensions = *m.find(dot, "dot_dimension_numbers");
  ASSERT_EQ(dimensions.kind, attribute_kind::record);
  EXPECT_EQ(dimensions.count, 2); // no batching dimensions
  EXPECT_EQ(m.element(*m.find(dimensions, "lhs_contracting_dimensions"), 0), 1u);
  attribute const& record = m.attributes[f.argument_attributes];
  EXPECT_TRUE(m.is(m.find(record, "weft.name")->text, "x"));
  operation const& back = m.operations[m.bodies[region.first_operation + 9]];
  EXPECT_EQ(back.what, code::func_return);
  EXPECT_EQ(m.values[m.operand(back, 0)].owner, m.bodies[region.first_operation + 8]);
}

TEST(parse, both_forms_of_every_operation) {
  for (operation_forms const& f : all_forms) {
    module_ir const p = read(around(f.signature, f.pretty));
    module_ir const g = read(around(f.signature, f.generic));
    ASSERT_EQ(mistake(p), "") << f.pretty;
    ASSERT_EQ(mistake(g), "") << f.generic;
    EXPECT_TRUE(same(p, g)) << f.pretty;
  }
}

// What is different in the text is different in the module: `same` can say no.
TEST(parse, changes_are_seen) {
  std::string const text = generic;
  module_ir const m = read(text);
  struct {
    char const *from, *to;
  } const changes[] = {{"sym_name = \"m\"", "sym_name = \"n\""},
                       {"weft.name = \"x\"", "weft.name = \"y\""},
                       {"\"stablehlo.tanh\"", "\"stablehlo.sine\""},
                       {"(%2, %4)", "(%4, %2)"},
                       {"0xCDCC8C3F", "0xCECC8C3F"},
                       {"dense<5>", "dense<6>"},
                       {"direction LT", "direction LE"},
                       {"dimensions = dense<1>", "dimensions = dense<0>"},
                       {"(%9#1)", "(%7)"},
                       {"callee = @twice", "callee = @main"},
                       {"num_partitions = 1 : i32", "num_partitions = 1 : i64"},
                       {"\"private\"", "\"public\""},
                       {"lhs_contracting_dimensions = [1], ", ""}};
  for (auto const& c : changes) {
    std::string changed = text;
    changed.replace(changed.find(c.from), std::string(c.from).size(), c.to);
    module_ir const k = read(changed);
    ASSERT_EQ(mistake(k), "") << c.to;
    EXPECT_FALSE(same(m, k)) << c.to;
  }
}

// The elements of `dense<literal> : type`.
std::vector<word> elements(std::string const& literal, std::string const& type) {
  module_ir const m = read(
      around("()", "%0 = stablehlo.constant dense<" + literal + "> : " + type));
  EXPECT_EQ(mistake(m), "") << literal;
  std::vector<word> r;
  if (m.error.failed) return r;
  attribute const& a = *attribute_of(m, "value");
  for (int i = 0; i < a.count; ++i) r.push_back(m.words[a.first + i]);
  return r;
}
using words = std::vector<word>;

TEST(parse, constants) {
  EXPECT_EQ(elements("[[1, 2], [3, 4]]", "tensor<2x2xi32>"), (words{1, 2, 3, 4}));
  EXPECT_EQ(elements("[7, 7, 7]", "tensor<3xi32>"), (words{7})); // one for all
  EXPECT_EQ(elements("", "tensor<0x3xf32>"), (words{}));
  EXPECT_EQ(elements("1.0", "tensor<0x3xf32>"), (words{}));
  EXPECT_EQ(elements("[-1, 255, -128]", "tensor<3xi8>"), (words{255, 255, 128}));
  EXPECT_EQ(elements("[0x10, -0x1]", "tensor<2xi16>"), (words{16, 0xffff}));
  EXPECT_EQ(elements("18446744073709551615", "tensor<ui64>"), (words{~word{0}}));
  EXPECT_EQ(elements("-9223372036854775808", "tensor<i64>"), (words{word{1} << 63}));
  EXPECT_EQ(elements("[true, false, 1]", "tensor<3xi1>"), (words{1, 0, 1}));
  EXPECT_EQ(elements("[1.1, -0.0, 1.401300e-45]", "tensor<3xf32>"),
            (words{0x3f8ccccd, 0x80000000, 1}));
  EXPECT_EQ(elements("[0x7F800000, 0xFFC00000, 3]", "tensor<3xf32>"),
            (words{0x7f800000, 0xffc00000, 0x40400000}));
  EXPECT_EQ(elements("[1.1, 0xFF80]", "tensor<2xbf16>"), (words{0x3f8d, 0xff80}));
  EXPECT_EQ(elements("[1.1, 0x7C00, 65504.0]", "tensor<3xf16>"), (words{0x3c66, 0x7c00, 0x7bff}));
  EXPECT_EQ(elements("0.1", "tensor<f64>"), (words{0x3fb999999999999a}));
  EXPECT_EQ(elements("\"0x0102030405060708\"", "tensor<2xi32>"), (words{0x04030201, 0x08070605}));
  EXPECT_EQ(elements("\"0x0000803F\"", "tensor<1000000000xf32>"), (words{0x3f800000}));
  EXPECT_EQ(elements("\"0x0506\"", "tensor<9xi1>"), (words{1, 0, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(elements("\"0x010001\"", "tensor<3xi1>"), (words{1, 0, 1}));
}

TEST(parse, attributes) {
  module_ir const m = read("#map = affine_map<(d0) -> (d0)>\n#n = [1, 2]\n!t = tensor<2xf32>\n" +
                           around("(%a: !t)", R"(%0 = stablehlo.custom_call @f(%a) {a, b = true,
    c = -3 : i8, d = 2.5 : f32, e = "q\22\0A", f = @g::@h, g = #n, h = [1 : i32, "x"],
    i = {j = 1, "k l" = tensor<?xi1>}, j = #map, k = #sdy.sharding<@mesh, [{"x"}, {}]>,
    l = array<i1: true, false>, m = dense<[0, 1]> : tensor<2xindex>, n = 1 : index,
    o = 0x7F800000 : f32} : (!t) -> tensor<2xf32>)"));
  ASSERT_EQ(mistake(m), "");
  auto const get = [&](char const* name) -> attribute const& { return *attribute_of(m, name); };
  auto const text = [&](char const* name) {
    view<char> const s = m.text(get(name).text);
    return std::string(s.begin(), s.end());
  };
  EXPECT_EQ(get("a").kind, attribute_kind::unit);
  EXPECT_EQ(get("b").integer, 1);
  EXPECT_EQ(get("c").integer, -3);
  EXPECT_EQ(m.types[get("c").type].element, dtype::i8);
  EXPECT_EQ(get("d").kind, attribute_kind::real);
  EXPECT_EQ(weft::element_of_word<double>(static_cast<word>(get("d").integer)), 2.5);
  EXPECT_EQ(text("e"), "q\"\n");
  EXPECT_EQ(text("f"), "g::@h");
  EXPECT_EQ(get("g").kind, attribute_kind::numbers);
  EXPECT_EQ(get("h").kind, attribute_kind::list);
  EXPECT_EQ(m.find(get("i"), "k l")->kind, attribute_kind::type);
  EXPECT_EQ(text("j"), "affine_map<(d0) -> (d0)>");
  EXPECT_EQ(text("k"), "#sdy.sharding<@mesh, [{\"x\"}, {}]>");
  EXPECT_EQ(get("l").count, 2);
  EXPECT_EQ(text("m"), "dense<[0, 1]> : tensor<2xindex>");
  EXPECT_EQ(text("n"), "1 : index");
  EXPECT_EQ(weft::element_of_word<double>(static_cast<word>(get("o").integer)),
            std::numeric_limits<double>::infinity());
  for (text_form form : {text_form::generic, text_form::pretty}) {
    std::string const printed = write(m, form);
    EXPECT_TRUE(same(m, read(printed))) << printed << mistake(read(printed));
  }
}

// Locations may stand behind everything; a text may be without module.
TEST(parse, locations_and_bare_functions) {
  module_ir const m = read(R"(#loc1 = loc("x")
func.func @main(%arg0: tensor<3xf32> loc("x"), %b: tensor<f32> {a.b = 1} loc(unknown)) -> tensor<f32> {
  %0 = stablehlo.sine %arg0 : tensor<3xf32> loc(callsite("f"("a.py":1:2 to :4) at #loc1))
  %1 = stablehlo.reduce(%0 init: %b) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32> loc("p"), %y: tensor<f32> loc("q")) {
    %2 = stablehlo.subtract %x, %y : tensor<f32> loc(fused[#loc1, "z"])
    stablehlo.return %2 : tensor<f32> loc(#loc1)
  } loc(#loc1)
  return %1 : tensor<f32> loc(#loc1)
} loc(#loc1)
#loc2 = loc("later")
)");
  EXPECT_EQ(mistake(m), "");
}

// sdy.mesh is passed over; shardings are text.
TEST(parse, meshes) {
  module_ir const m = read(R"(module {
  sdy.mesh @mesh = <["i"=4]> {stablehlo.mesh = {axes = [{name = "i", size = 4 : i64}]}}
  "sdy.mesh"() <{mesh = #sdy.mesh<["i"=4]>, sym_name = "other"}> : () -> ()
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}]>}) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
})");
  EXPECT_EQ(mistake(m), "");
  EXPECT_EQ(m.functions.size(), 1);
}

TEST(parse, golden) {
  auto const files = golden_files();
  if (files.empty()) GTEST_SKIP() << "no golden/stablehlo";
  int pairs = 0;
  for (auto const& path : files) {
    module_ir const m = read(file(path));
    if (is_global(path)) { // the view of all devices: shard_map has no form without sdy
      EXPECT_NE(mistake(m).find("sdy.manual_computation"), std::string::npos) << path;
      continue;
    }
    ASSERT_EQ(mistake(m), "") << path;
    if (!is_generic(path)) continue;
    auto const other = path.parent_path() / path.stem().stem().concat(".mlir");
    EXPECT_TRUE(same(m, read(file(other)))) << path;
    ++pairs;
  }
  EXPECT_GT(pairs, 50);
}

} // namespace
