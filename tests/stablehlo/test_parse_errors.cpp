// SPDX-License-Identifier: BSL-1.0
// Texts that are wrong: where, and in which words. Texts that mean harm: no crash, no memory beyond
// the text's, no time beyond its length.
#include "stablehlo/text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

using namespace texts;

namespace {

struct wrong {
  char const *text, *mistake; // "line:column: text" begins so
};

// Operations in `func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>)`, from line 2, column 3 on.
wrong const operations[] = {
    {"%0 = stablehlo.fft %a", "2:8: weft: stablehlo: unknown operation stablehlo.fft; weft reads"},
    {"%0 = stablehlo.ad %a, %b", "2:8: weft: stablehlo: unknown operation stablehlo.ad; did you "
                                 "mean stablehlo.add, stablehlo.and, stablehlo.pad"},
    {"%0 = sdy.all_reduce %a", "2:8: weft: stablehlo: unknown operation sdy.all_reduce; write the "
                               "module of one device"},
    {"%0 = stablehlo.abs %c : tensor<2xf32>",
     "2:22: weft: stablehlo: %c is used before it is defined, or outside its region; write its "
     "definition first"},
    {"%0 = stablehlo.abs %a#1 : tensor<2xf32>",
     "2:22: weft: stablehlo: %a has 1 values, numbered from 0; there is no #1"},
    {"%a = stablehlo.abs %a : tensor<2xf32>",
     "2:3: weft: stablehlo: %a is defined already; write another name"},
    {"%0:2 = stablehlo.abs %a : tensor<2xf32>",
     "2:3: weft: stablehlo: stablehlo.abs has 1 results, and 2 are named"},
    {"%0:0 = stablehlo.abs %a : tensor<2xf32>", "2:7: weft: stablehlo: a name has no values"},
    {"%0 = stablehlo.abs %a : tensor<3xf32>",
     "2:3: weft: stablehlo: stablehlo.abs: operand 0 is tensor<2xf32> where it is defined, "
     "tensor<3xf32> here; write one type"},
    {"%0 = \"stablehlo.add\"(%a, %b) : (tensor<2xf32>) -> tensor<2xf32>",
     "2:3: weft: stablehlo: stablehlo.add has 2 operands and 1 types for them"},
    {"%0 = stablehlo.abs %a : tensor<2xcomplex<f32>>",
     "2:36: weft: stablehlo: no arithmetic for the element type complex; weft reads f32"},
    {"%0 = stablehlo.abs %a : tensor<2xf8E4M3FN>",
     "2:36: weft: stablehlo: no arithmetic for the element type f8E4M3FN"},
    {"%0 = stablehlo.abs %a : tensor<2xi4>",
     "2:36: weft: stablehlo: no arithmetic for the element type i4"},
    {"%0 = stablehlo.abs %a : tensor<2x!quant.uniform<i8:f32, 1.0>>",
     "2:36: weft: stablehlo: no arithmetic for the element type !quant.uniform"},
    {"%0 = stablehlo.abs %a : tensor<*xf32>", "2:34: weft: stablehlo: a tensor without rank"},
    {"%0 = stablehlo.abs %a : vector<2xf32>", "2:27: weft: stablehlo: expected a type"},
    {"%0 = stablehlo.abs %a : !stablehlo.future<tensor<2xf32>>",
     "2:27: weft: stablehlo: the type !stablehlo.future is not supported"},
    {"%0 = stablehlo.iota dim = 0 : tensor<1x1x1x1x1x1x1x1x1xf32>",
     "2:57: weft: stablehlo: a tensor has more than 8 axes"},
    {"%0 = stablehlo.iota dim = 0 : tensor<9223372036854775808xf32>",
     "2:40: weft: stablehlo: a number is 2^63 or more"},
    {"%0 = stablehlo.iota dims = 0 : tensor<2xf32>",
     "2:23: weft: stablehlo: stablehlo.iota has no attribute dims here"},
    {"%0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2xi32>",
     "2:33: weft: stablehlo: a list has 3 entries for the extent 2 of axis 0"},
    {"%0 = stablehlo.constant dense<[[1], [2]]> : tensor<2xi32>",
     "2:34: weft: stablehlo: expected a number; the text has '['"},
    {"%0 = stablehlo.constant dense<1.5> : tensor<2xi32>",
     "2:33: weft: stablehlo: the number 1 is not one of i32"},
    {"%0 = stablehlo.constant dense<256> : tensor<2xi8>",
     "2:33: weft: stablehlo: the number 256 is not one of i8; write one that fits the type"},
    {"%0 = stablehlo.constant dense<-1> : tensor<2xui8>",
     "2:34: weft: stablehlo: the number 1 is not one of ui8"},
    {"%0 = stablehlo.constant dense<1e39> : tensor<2xf32>",
     "2:33: weft: stablehlo: the number 1e39 is not one of f32"},
    {"%0 = stablehlo.constant dense<0x1FF80> : tensor<2xbf16>",
     "2:33: weft: stablehlo: the number 0x1FF80 is not one of bf16"},
    {"%0 = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xf32>",
     "2:33: weft: stablehlo: complex numbers are not supported"},
    {"%0 = stablehlo.constant dense<\"0x0102\"> : tensor<2xi16>", ""},
    {"%0 = stablehlo.constant dense<\"0x010203\"> : tensor<2xi16>",
     "2:33: weft: stablehlo: a text of 3 bytes for 2 i16"},
    {"%0 = stablehlo.constant dense<\"0x010203ZZ\"> : tensor<2xi16>",
     "2:33: weft: stablehlo: a byte is not two digits"},
    {"%0 = stablehlo.constant dense<1> : tensor<4611686018427387905xi8>",
     "2:33: weft: stablehlo: a constant's type has no number of elements below 2^62"},
    // 2^65 bytes, which are 0 modulo 2^64
    {"%0 = stablehlo.constant dense<\"0x\"> : tensor<4611686018427387904xf64>",
     "2:33: weft: stablehlo: a text of 0 bytes for 4611686018427387904 f64"},
    {"%0 = stablehlo.constant dense<1> : tensor<?xi8>",
     "2:33: weft: stablehlo: a constant's type has no number of elements"},
    {"%0 = stablehlo.constant 1 : i32", "2:27: weft: stablehlo: a constant is no tensor"},
    {"%0 = stablehlo.abs %a {a = 1, a = 2} : tensor<2xf32>",
     "2:33: weft: stablehlo: the attribute a is given twice; write it once"},
    {"%0 = stablehlo.abs %a {a = #b} : tensor<2xf32>",
     "2:30: weft: stablehlo: #b is not defined; write #b = ... before its use"},
    {"%0 = stablehlo.abs %a {a = \"b} : tensor<2xf32>",
     "2:30: weft: stablehlo: a string does not end on its line"},
    {"%0 = stablehlo.abs %a tensor<2xf32>",
     "2:25: weft: stablehlo: expected ':' and the types; the text has 'tensor'"},
    {"%0 = stablehlo.tuple %a : tuple<tensor<2xf32>, tensor<2xf32>>",
     "2:3: weft: stablehlo: stablehlo.tuple: the type has not one member for each operand"},
    {"%0 = stablehlo.reduce_precision %a, format = e5 : tensor<2xf32>",
     "2:51: weft: stablehlo: expected a format as e5m10"},
    {"%0 = \"stablehlo.case\"(%a) ({ ^bb0: stablehlo.return }, { }) : (tensor<2xf32>) -> ()",
     "2:60: weft: stablehlo: a region does not end with a return"},
    {"return return", "2:10: weft: stablehlo: an operation follows the return"},
    {"return\n^bb1:", "3:1: weft: stablehlo: a region has more than one block"},
    {"return %a : tensor<2xf32>", "1:1: weft: stablehlo: function main does not return what it "
                                  "declares"},
};

TEST(parse_errors, operations) {
  for (wrong const& w : operations) {
    std::string const found = mistake(
        read("func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {\n  " + std::string(w.text) +
             (std::string(w.text).find("return") == 0 ? "" : "\n  return") + "\n}\n"));
    EXPECT_EQ(found.substr(0, std::string(w.mistake).size()), w.mistake) << w.text << "\n" << found;
    if (*w.mistake == '\0') {
      EXPECT_EQ(found, "") << w.text;
    }
  }
}

wrong const modules[] = {
    {"", "1:1: weft: stablehlo: no function in the text"},
    {"module {\n}", "2:2: weft: stablehlo: no function in the text"},
    {"hello", "1:1: weft: stablehlo: unknown operation hello"},
    {"module {\n  func.func @f(%a: tensor<f32>)", "2:32: weft: stablehlo: expected '{'; the text "
                                                  "ends here"},
    {"module {\n  func.func @f(tensor<f32>)", "2:16: weft: stablehlo: expected an argument, "
                                              "'%name: type'; a function has a body"},
    {"func.func @f() { return }\nmodule { }", "2:1: weft: stablehlo: unknown operation module"},
    {"module { func.func @f() { return } }\nmodule { }", "2:1: weft: stablehlo: the text has two "
                                                         "modules"},
    {"#a = 1\n#a = 2", "2:1: weft: stablehlo: the alias a is defined already"},
};
TEST(parse_errors, modules) {
  for (wrong const& w : modules) {
    std::string const found = mistake(read(w.text));
    EXPECT_EQ(found.substr(0, std::string(w.mistake).size()), w.mistake) << w.text << "\n" << found;
  }
}

// Every beginning of a text is wrong, and says so.
TEST(parse_errors, truncated) {
  std::string const whole = R"(#n = {a = [1, 2]}
module @m attributes {a.b = "c\22"} {
  func.func public @main(%x: tensor<2x?xbf16> {a.b = #n}) -> (tensor<2x?xbf16> {c = dense<"0x0102"> : tensor<2xi8>}) {
    %0:2 = "stablehlo.case"(%x) <{a = array<i64: 1>}> ({ stablehlo.return %x, %x : tensor<2x?xbf16>, tensor<2x?xbf16> }) : (tensor<2x?xbf16>) -> (tensor<2x?xbf16>, tensor<2x?xbf16>)
    %1 = stablehlo.add %0#0, %0#1 : tensor<2x?xbf16> loc("a"(#l))
    return %1 : tensor<2x?xbf16>
  }
})";
  ASSERT_EQ(mistake(read(whole)), "");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    module_ir const m = read(whole.substr(0, n));
    EXPECT_TRUE(m.error.failed) << n;
    EXPECT_GE(m.error.line, 1);
    EXPECT_GE(m.error.column, 1);
  }
}

// Seconds that it takes; all lists of the module together are in proportion to the text.
double seconds(std::string const& text) {
  auto const start = std::chrono::steady_clock::now();
  module_ir const m = read(text);
  auto const end = std::chrono::steady_clock::now();
  auto const size = static_cast<int>(text.size()) + 100;
  EXPECT_LE(m.words.size() + m.attributes.size() + m.characters.size() + m.values.size(),
            20 * size);
  return std::chrono::duration<double>(end - start).count();
}
std::string repeated(std::string const& part, int n) {
  std::string r;
  for (int i = 0; i < n; ++i) r += part;
  return r;
}
TEST(parse_errors, hostile) {
  std::string const head = "func.func @f(%a: tensor<4xf32>) {\n";
  for (
      std::string const& text : {
          head + "%0 = stablehlo.constant dense<1.0> : tensor<1000000000xf32> return }",
          head +
              "%0 = stablehlo.constant dense<\"0x00\"> : tensor<1000000000x1000000000xi1> return }",
          head + "%0:2000000000 = stablehlo.abs %a : tensor<4xf32>",
          head + "%0 = stablehlo.abs %a {a = " + std::string(1000000, '['),
          head + "%0 = stablehlo.abs %a {a = " + repeated("{a = ", 200000),
          head + "%0 = stablehlo.abs %a {a = #x" + std::string(1000000, '<'),
          head + "%0 = stablehlo.constant dense<" + std::string(1000000, '['),
          head + repeated("\"stablehlo.case\"(%a) ({", 50000),
          head + repeated("tuple<", 100000),
          head + "%0 = stablehlo.constant dense<1." + std::string(1000000, '9') + ">: tensor<f64>",
          head + "%0 = stablehlo.constant dense<1." + std::string(1000000, '0') + "1>: tensor<f64>",
          head + "\"stablehlo.tuple\"(" + repeated("%a, ", 200000),
          head + repeated("%0", 500000),
          head + repeated("\"", 500001),
          std::string(1000000, '\n') + std::string(1000000, '('),
          std::string(1000000, '\0'),
          std::string(1000000, '\xff'),
      })
    EXPECT_LT(seconds(text), 5) << text.substr(0, 80);
  std::string aliases; // 2^60 attributes, if each were copied
  for (int i = 0; i < 60; ++i) {
    std::string const before = i > 0 ? "#a" + std::to_string(i - 1) : "\"x\"";
    aliases += "#a" + std::to_string(i) + " = [" + before + ", " + before + "]\n";
  }
  EXPECT_LT(seconds(aliases + head + "return }"), 5);
}
TEST(parse_errors, tuples_of_as_many_as_may_be) {
  for (int const n : {4096, 4097}) {
    std::string text = "module { func.func @main(%a: tuple<tensor<f32>";
    for (int i = 1; i < n; ++i) text += ", tensor<f32>";
    text += ">) -> tensor<f32> { %c = stablehlo.constant dense<0.0> : tensor<f32> return %c : "
            "tensor<f32> } }";
    EXPECT_EQ(mistake(read(text)).find("more than 4096 members") != std::string::npos, n > 4096);
  }
}
// Tuples of tuples: 2^40 tensors, or as many empty tuples.
TEST(parse_errors, tuples_of_tuples) {
  for (std::string const leaf : {"tensor<f32>", "tuple<>"}) {
    std::string aliases = "!t0 = tuple<" + leaf + ">\n";
    for (int i = 1; i <= 40; ++i) {
      std::string const before = "!t" + std::to_string(i - 1);
      aliases += "!t" + std::to_string(i) + " = tuple<" + before + ", " + before + ">\n";
    }
    module_ir const m = read(aliases + "func.func @main(%x: !t40) {\n  return\n}\n");
    EXPECT_EQ(mistake(m),
              "12:14: weft: stablehlo: a tuple has more than 4096 members, those of its "
              "members counted; write its tensors one by one");
  }
}

// Texts of the golden folder, and one of this file, changed at random: never a crash; what is read
// is printed and read again.
TEST(parse_errors, mutated) {
  std::vector<std::string> texts;
  for (auto const& path : golden_files())
    if (std::string t = file(path); t.size() < 8000) texts.push_back(t);
  texts.push_back(
      around("(%a: tensor<2xf32>)",
             "%0 = stablehlo.slice %a [0:2:1] : (tensor<2xf32>) -> tensor<2xf32>\n"
             "%1:2 = stablehlo.optimization_barrier %a, %0 : tensor<2xf32>, tensor<2xf32>"));
  std::mt19937 random(7);
  auto const below = [&](std::size_t n) { return random() % n; };
  char const signs[] = "(){}[]<>:,=#%@!\"-x09. \nabe^~\\";
  int read_whole = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string t = texts[below(texts.size())];
    for (std::size_t k = below(3) + 1; k-- > 0;) {
      std::size_t const at = below(t.size()), from = below(t.size());
      switch (below(5)) {
        case 0: t[at] = signs[below(sizeof signs - 1)]; break;
        case 1: t.erase(at, below(12) + 1); break;
        case 2: t.insert(at, t.substr(from, below(40))); break;
        case 3: t.replace(at, below(6), t.substr(from, below(6))); break;
        default: t[at] = static_cast<char>(random()); break;
      }
    }
    module_ir const m = read(t);
    if (m.error.failed) {
      EXPECT_GE(m.error.line, 1);
      EXPECT_GT(m.error.text.size(), 20);
      continue;
    }
    ++read_whole;
    for (text_form form : {text_form::generic, text_form::pretty}) {
      std::string const printed = write(m, form);
      module_ir const again = read(printed);
      ASSERT_TRUE(same(m, again)) << t << "\n" << printed << mistake(again);
    }
  }
  EXPECT_GT(read_whole, 20);
}

} // namespace
