// SPDX-License-Identifier: BSL-1.0
// Printed modules are read as the same module, and printed again as the same text.
#include "stablehlo/forms.hpp"
#include "stablehlo/text.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace texts;
using weft::dtype;
using weft::word;

namespace {

void expect_fixed(module_ir const& m, std::string const& where) {
  for (text_form form : {text_form::generic, text_form::pretty}) {
    std::string const text = write(m, form);
    module_ir const again = read(text);
    ASSERT_EQ(mistake(again), "") << where << "\n" << text;
    EXPECT_TRUE(same(m, again)) << where << "\n" << text;
    EXPECT_EQ(write(again, form), text) << where;
  }
}

TEST(print, golden) {
  auto const files = golden_files();
  if (files.empty()) GTEST_SKIP() << "no golden/stablehlo";
  for (auto const& path : files)
    if (!is_global(path)) expect_fixed(read(file(path)), path.string());
}
TEST(print, forms) {
  for (operation_forms const& f : all_forms)
    expect_fixed(read(around(f.signature, f.pretty)), f.pretty);
}

// The texts themselves.
char const text[] = R"(module @m attributes {mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<2xf32> {jax.result_info = "r"}) {
    %0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %2 = call @f(%1) : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0:2 = stablehlo.while(%arg1 = %arg0, %arg2 = %arg0) : tensor<2xf32>, tensor<2xf32>
    cond {
      %1 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.return %arg2, %arg1 : tensor<2xf32>, tensor<2xf32>
    }
    return %0#1 : tensor<2xf32>
  }
}
)";
TEST(print, pretty_text) { EXPECT_EQ(write(read(text), text_form::pretty), text); }
TEST(print, generic_text) {
  EXPECT_EQ(write(read(text), text_form::generic),
            R"("builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2xf32>, res_attrs = [{jax.result_info = "r"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %3 = "func.call"(%1) <{callee = @f}> : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%3) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "f", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xf32>):
    %0:2 = "stablehlo.while"(%arg0, %arg0) ({
    ^bb0(%arg1: tensor<2xf32>, %arg2: tensor<2xf32>):
      %1 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%1) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<2xf32>, %arg4: tensor<2xf32>):
      "stablehlo.return"(%arg4, %arg3) : (tensor<2xf32>, tensor<2xf32>) -> ()
    }) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    "func.return"(%0#1) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_replicas = 1 : i32} : () -> ()
)");
}

std::string constant(std::string const& literal, std::string const& type) {
  std::string const all = write(
      read(around("()", "%0 = stablehlo.constant dense<" + literal + "> : " + type)),
      text_form::pretty);
  std::size_t const first = all.find("dense<") + 6;
  return all.substr(first, all.find("> :") - first);
}
TEST(print, constants) {
  EXPECT_EQ(constant("1.1", "tensor<f32>"), "1.100000e+00");
  EXPECT_EQ(constant("16777217.0", "tensor<f64>"), "1.67772170000000e+07");
  EXPECT_EQ(constant("0.1", "tensor<f64>"), "1.000000e-01");
  EXPECT_EQ(constant("123456789.0", "tensor<f32>"), "1.2345679e+08");
  EXPECT_EQ(constant("-0.0", "tensor<f16>"), "-0.000000e+00");
  EXPECT_EQ(constant("0x7FC00001", "tensor<f32>"), "0x7FC00001");
  EXPECT_EQ(constant("9.9999999e-10", "tensor<f32>"), "1.000000e-09");
  EXPECT_EQ(constant("[[1, -2], [3, 4]]", "tensor<2x2xi8>"), "[[1, -2], [3, 4]]");
  EXPECT_EQ(constant("[[], []]", "tensor<2x0xi8>"), "");
  EXPECT_EQ(constant("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]", "tensor<17xi8>"),
            "\"0x000102030405060708090A0B0C0D0E0F10\"");
}

// Floats of all magnitudes come back the same, as short as seven digits may be.
TEST(print, floats_come_back) {
  std::mt19937_64 random(20);
  for (int i = 0; i < 20000; ++i)
    for (dtype d : {dtype::f32, dtype::f64, dtype::f16, dtype::bf16}) {
      word const bits = random() & weft::detail::storage_mask(d);
      weft::stablehlo::detail::writer w;
      weft::stablehlo::detail::write_float(w, bits, d);
      std::string const s(w.out.data(), static_cast<std::size_t>(w.out.size()));
      weft::stablehlo::detail::reader r(view<char>{s.data(), static_cast<int>(s.size())});
      ASSERT_EQ(weft::stablehlo::detail::parse_element_of(r, d), bits) << s;
    }
}

} // namespace
