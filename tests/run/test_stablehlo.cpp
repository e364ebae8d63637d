// SPDX-License-Identifier: BSL-1.0
// build: alone
// models: weighted
// Programs out of modules: read by the compiler, frozen into a header, read at run time, on a device.
#include "support/block.hpp"
#include "support/text_of.hpp"

#include <weft/stablehlo.hpp>
#include <weft/weft.hpp>

#include <weighted.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

using namespace weft;

struct doubled : stablehlo::program<[] {
  return R"(module {
    func.func public @main(%x: tensor<3xf32>, %k: tensor<i32>) -> (tensor<3xf32>, tensor<i32>) {
      %two = stablehlo.constant dense<2.0> : tensor<3xf32>
      %y = stablehlo.multiply %x, %two : tensor<3xf32>
      %n = stablehlo.add %k, %k : tensor<i32>
      return %y, %n : tensor<3xf32>, tensor<i32>
    }
  })";
}> {};

tensor<float, 3> three() {
  tensor<float, 3> x;
  for (int i = 0; i < 3; ++i) x.mutate()(i) = static_cast<float>(i) + 0.5f;
  return x;
}
tensor<float, 2, 6> rows() {
  tensor<float, 2, 6> x;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 6; ++j) x.mutate()(i, j) = static_cast<float>(i - j) / 2;
  return x;
}
std::string text_of(std::string const& name) {
  std::ifstream file(std::string(WEFT_SOURCE_DIR) + "/tests/run/models/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(stablehlo_program, is_read_by_the_compiler) {
  auto const [y, n] = jit<doubled>(three(), 21);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(y(i), 2 * static_cast<float>(i) + 1);
  EXPECT_EQ(n(), 42);
  static_assert(std::is_same_v<doubled::arguments, type_list<tensor<float, 3>, tensor<int>>>);
}
// The frozen header and the text at run time are one program.
TEST(stablehlo_program, is_frozen_with_its_tables_beside_it) {
  static_assert(weighted::tables == 1 && weighted::arguments == 1);
  model m = stablehlo::read(text_of("weighted.mlir"));
  for (int times = 0; times < 2; ++times) {
    auto const [y, n] = jit<weighted>(rows());
    auto const [z, k] = m.call<std::tuple<tensor<float, 2, 8>, tensor<int>>>(rows());
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 8; ++j) EXPECT_EQ(y(i, j), z(i, j));
    EXPECT_EQ(n(), 7);
    EXPECT_EQ(k(), 7);
  }
}
TEST(stablehlo_program, runs_on_arrays_of_any_type) {
  model m = stablehlo::read(text_of("weighted.mlir"));
  EXPECT_EQ(m.inputs(), 1);
  EXPECT_EQ(m.outputs(), 2);
  EXPECT_EQ(m.output(1).type, dtype::i32);
  std::vector<host_array> const out = m.run({host_array(rows())});
  auto const [y, n] = jit<weighted>(rows());
  EXPECT_EQ((out[0].as<float, 2, 8>()(1, 3)), y(1, 3));
  EXPECT_NE(explain(m).find("contraction"), std::string::npos);
}
TEST(stablehlo_program, says_what_is_wrong_and_where) {
  EXPECT_EQ(test::text_of<value_error>([] {
              stablehlo::read(std::string("module {\n  nonsense\n}"));
            }).substr(0, 11),
            "module:2:3:");
  model m = stablehlo::read(text_of("weighted.mlir"));
  EXPECT_EQ(test::text_of<usage_error>([&] { m.run({}); }),
            "weft: model: 0 arguments given, the program has 1");
  using two = std::tuple<tensor<float, 2, 8>, tensor<int>>;
  EXPECT_EQ(test::text_of<usage_error>([&] { m.call<tensor<float, 2, 8>>(rows()); }),
            "weft: model: 1 results given, the program has 2");
  EXPECT_THROW(m.call<two>(tensor<int, 2, 6>{}), usage_error);
  EXPECT_THROW(m.call<two>(tensor<float, 6, 2>{}), shape_error);
  using narrow = std::tuple<tensor<float, 2, 7>, tensor<int>>;
  EXPECT_EQ(test::text_of<shape_error>([&] { m.call<narrow>(rows()); }),
            "weft: model: result 0 has shape (2, 8), the tensor (2, 7)");
  using other = std::tuple<tensor<int, 2, 8>, tensor<int>>;
  EXPECT_EQ(test::text_of<usage_error>([&] { m.call<other>(rows()); }),
            "weft: model: result 0 is f32, the tensor i32");
}
// A user's own op, by the table of custom calls.
TEST(stablehlo_program, takes_custom_calls_of_the_users) {
  std::string const text = R"(module {
    func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = stablehlo.custom_call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %y : tensor<3xf32>
    }
  })";
  EXPECT_THROW(stablehlo::read(text), value_error);
  stablehlo::custom_call const mine[] = {{"twice", [](stablehlo::custom_call_site const& at) {
                                            return growing<handle>(1,
                                                                   at.operands[0] + at.operands[0]);
                                          }}};
  model m = stablehlo::read(text, {mine, 1});
  EXPECT_EQ((m.call<tensor<float, 3>>(three())(2)), 5.0f);
}

} // namespace
