// SPDX-License-Identifier: BSL-1.0
// build: alone
// conv and conv_transpose of tensors and expressions: the interpreter's bits of the same functions
// traced.
#include "test_evaluate.hpp"

#include <weft/run/compiled.hpp>

#include <cstdio>

namespace {

using evaluated::expect_same, evaluated::numbers;
using weft::bf16, weft::conv, weft::conv_options, weft::conv_transpose,
    weft::conv_transpose_options, weft::pads, weft::sym, weft::tensor;

constexpr sym rows{"rows"};

TEST(evaluate, conv_of_tensors) {
  auto const x = numbers<float, 2, 7, 6, 4>();
  auto const w = numbers<float, 3, 2, 4, 5>();
  auto const bias = numbers<float, 5>();
  expect_same([](auto a, auto b) { return conv<"NHWC,HWIO->NHWC">(a, b); }, x, w);
  expect_same(
      [](auto a, auto b, auto c) {
        return conv<"NHWC,HWIO->NCHW", conv_options{.strides = {2, 1}, .padding = pads::same}>(
            a * 2, b, c);
      },
      x, w, bias);
  expect_same(
      [](auto a, auto b) {
        return conv<"NHWC,HWIO->NHWC",
                    conv_options{.padding = {{-1, 2}, {3, 0}}, .lhs_dilation = 2, .reverse = 1}>(a,
                                                                                                 b);
      },
      x, w);
}
TEST(evaluate, conv_of_groups_and_transposed) {
  auto const x = numbers<float, 4, 7, 4>();
  expect_same(
      [](auto a, auto b) {
        return conv<"NHC,HIO->NHC", conv_options{.padding = 1, .feature_groups = 4}>(a, b);
      },
      x, numbers<float, 3, 1, 8>());
  expect_same(
      [](auto a, auto b) { return conv<"NHC,OIH->NHC", conv_options{.batch_groups = 2}>(a, b); }, x,
      numbers<float, 6, 4, 3>());
  expect_same(
      [](auto a, auto b, auto c) {
        return conv_transpose<"NHC,IHO->NHC",
                              conv_transpose_options{.strides = 2, .feature_groups = 2}>(a, b, c);
      },
      x, numbers<float, 4, 3, 3>(), numbers<float, 6>());
}
TEST(evaluate, conv_of_names_and_types) {
  expect_same(
      [](auto a, auto b) { return conv<"HC,HIO->HC", conv_options{.padding = pads::same}>(a, b); },
      numbers<float, rows, 3>({2, {9, 3}}, 1), numbers<float, 4, 3, 2>());
  auto const low = numbers<bf16, 6, 3>();
  auto const filter = numbers<bf16, 2, 3, 2>();
  expect_same([](auto a, auto b) { return conv<"HC,HIO->HC">(a, b); }, low, filter);
  expect_same([](auto a, auto b) { return conv<"HC,HIO->HC", conv_options{}, float>(a, b); }, low,
              filter);
  expect_same([](auto a, auto b) { return conv<"HC,HIO->HC">(a, b); }, numbers<int, 6, 3>(9),
              numbers<int, 2, 3, 2>(9));
}
// The first layer of a network of pictures, with all that a program of it takes on one thread: its
// result and the one that the caller holds, x copied once with zeros around, a panel of packed
// operands. im2col would be 7 MB more.
TEST(evaluate, memory_of_a_wide_layer) {
  static constexpr auto layer = [](auto x, auto w) {
    return conv<"NHWC,HWIO->NHWC", conv_options{.strides = 2, .padding = pads::same}>(x, w);
  };
  using program = weft::compiled<layer, tensor<float, 1, 224, 224, 3>, tensor<float, 7, 7, 3, 64>>;
  constexpr std::size_t result = 112 * 112 * 64 * 4, copied = 229 * 229 * 3 * 4;
  std::size_t const bytes = program::memory_bytes();
  EXPECT_GE(bytes, 2 * result);
  EXPECT_LT(bytes, 2 * result + copied + 65'536);
  std::printf("  224x224x3 -> 64, 7x7/2: %zu bytes, %zu of them two results\n", bytes, 2 * result);
}

} // namespace
