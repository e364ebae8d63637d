// SPDX-License-Identifier: BSL-1.0
// build: alone
// The text of a convolution and its plan: roles, numbers of spatial axes, and every reason to refuse.
#include <weft/graph/conv_plan.hpp>

#include <gtest/gtest.h>

namespace {

using weft::conv_check, weft::conv_error, weft::conv_options, weft::conv_transpose_options,
    weft::extent, weft::extents, weft::pads;
using enum conv_error;

constexpr conv_error parse(weft::text spec) { return weft::detail::parse_conv(spec).fault.code; }
template <unsigned long N> constexpr conv_error read(char const (&spec)[N]) {
  return parse({spec, static_cast<int>(N) - 1});
}
template <unsigned long N> constexpr int place(char const (&spec)[N]) {
  return weft::detail::parse_conv({spec, static_cast<int>(N) - 1}).fault.position;
}
template <unsigned long N> constexpr int spatial(char const (&spec)[N]) {
  return weft::detail::parse_conv({spec, static_cast<int>(N) - 1}).spatial;
}

// accepted: any order, any letters, 0 to 4 spatial axes
static_assert(read("NHWC,HWIO->NHWC") == sound && spatial("NHWC,HWIO->NHWC") == 2);
static_assert(read("NHC,CHF->NHF") == sound && spatial("NHC,CHF->NHF") == 1);
static_assert(read("CHWN, IHWO -> CHWN") == sound && read("xCyN,OyxI->NyxF") == sound);
static_assert(read("NC,IO->NC") == sound && spatial("NC,IO->NC") == 0);
static_assert(read("NCabcd,OIabcd->NCabcd") == sound && spatial("NCabcd,OIabcd->NCabcd") == 4);
static_assert(read("HC,HIO->HC") == sound && read("NH,HO->NHC") == sound);
static_assert(read("NHC,HI->NH") == sound && read("H,H->H") == sound && read(",->") == sound);
static_assert(read("Nhwc,hwcO->NhwcF") == sound); // small letters are no roles

// refused, with the place
static_assert(read("NHWC;HWIO->NHWC") == bad_character && place("NHWC;HWIO->NHWC") == 4);
static_assert(read("NHWC,HWIO") == not_three_texts && place("NHWC,HWIO") == 9);
static_assert(read("NHWC->NHWC") == not_three_texts && place("NHWC->NHWC") == 5);
static_assert(read("NHC,HIO,NHC") == not_three_texts && read("NHC,HIO->N->") == not_three_texts);
static_assert(read("NHC,HIO-NHC") == not_three_texts && read("NHC,HIO>NHC") == not_three_texts);
static_assert(read("") == not_three_texts && place("") == 0);
static_assert(read("NHHC,HIO->NHC") == letter_twice && place("NHHC,HIO->NHC") == 2);
static_assert(read("NHC,HICO->NHC") == letter_twice && read("NHC,HIO->NHCF") == letter_twice);
static_assert(read("NHI,HIO->NHC") == role_in_x && place("NHI,HIO->NHC") == 2);
static_assert(read("NHF,HIO->NHC") == role_in_x && read("NHO,HIO->NHC") == role_in_x);
static_assert(read("NHC,NIO->NHC") == role_in_filter && place("NHC,NIO->NHC") == 4);
static_assert(read("NHC,HIO->NHO") == role_in_result && read("NHC,HIO->NHI") == role_in_result);
static_assert(read("abcdeN,I->N") == too_many_spatial && place("abcdeN,I->N") == 4);
static_assert(read("NHC,HIO->HC") == batch_unpaired && place("NHC,HIO->HC") == 9);
static_assert(read("HC,HIO->NHC") == batch_unpaired && place("HC,HIO->NHC") == 0);
static_assert(read("NHC,HO->NHC") == channels_unpaired && read("NH,HIO->NHC") == channels_unpaired);
static_assert(read("NHC,HI->NHC") == features_unpaired && read("NHC,HIO->NH") == features_unpaired);
static_assert(read("NHC,WIO->NHC") == spatial_differ && read("NHC,HWIO->NHC") == spatial_differ);
static_assert(read("NHWX,HWIO->NHWC") == spatial_differ && place("NHWX,HWIO->NHWC") == 0);
static_assert(read("NHWC,HWKO->NHWC") == spatial_differ && place("NHWC,HWKO->NHWC") == 5);
static_assert(read("NHWC,HWIO->NHWK") == spatial_differ && place("NHWC,HWIO->NHWK") == 11);
static_assert(place("NHWC,DHWIO->NHWC") == 5 && place("NHWC,HVIO->NHWC") == 5);
static_assert(read("BHWC,HWIO->NHWC") == spatial_differ && place("BHWC,HWIO->NHWC") == 0);
static_assert(read("NHC,HIO->NhC") == spatial_differ && place("NHC,HIO->NhC") == 9);

// shapes and options
constexpr conv_error checked(conv_options const& o, extents const& x, extents const& w) {
  return conv_check("NHWC,HWIO->NHWC", o, x, w).code;
}
constexpr extents x4{4, {2, 5, 6, 4}}, w4{4, {3, 3, 4, 8}};
static_assert(checked({}, x4, w4) == sound);
static_assert(checked({}, {3, {2, 5, 6}}, w4) == rank && checked({}, x4, {1, {3}}) == rank);
static_assert(checked({.strides = {2}}, x4, w4) == option_length);
static_assert(checked({.padding = {{1, 1}, {0, 0}, {0, 0}}}, x4, w4) == option_length);
static_assert(checked({.rhs_dilation = {1, 1, 1, 1, 1}}, x4, w4) == option_length);
static_assert(checked({.padding = {{1, -1}, {0, 2}}, .reverse = {1, 0}}, x4, w4) == sound);
static_assert(checked({.strides = {1, 0}}, x4, w4) == step_below_one);
static_assert(checked({.lhs_dilation = -1}, x4, w4) == step_below_one);
static_assert(checked({.rhs_dilation = 0}, x4, w4) == step_below_one);
static_assert(checked({.feature_groups = 2, .batch_groups = 2}, x4, w4) == both_groups);
static_assert(checked({.feature_groups = 3}, x4, w4) == feature_groups);
static_assert(checked({.feature_groups = 0}, x4, w4) == feature_groups);
static_assert(checked({.feature_groups = 4}, x4, {4, {3, 3, 1, 6}}) == feature_groups);
static_assert(checked({.feature_groups = 4}, x4, {4, {3, 3, 1, 12}}) == sound);
static_assert(checked({.batch_groups = 3}, x4, w4) == batch_groups);
static_assert(checked({.batch_groups = 2}, x4, {4, {3, 3, 4, 7}}) == batch_groups);
static_assert(checked({.batch_groups = 2}, x4, w4) == sound);
static_assert(checked({}, x4, {4, {3, 3, 3, 8}}) == channels);
static_assert(checked({.feature_groups = 2}, x4, w4) == channels);

constexpr extent name = weft::pack_name("name"), other = weft::pack_name("other");
static_assert(checked({}, {4, {name, 5, 6, other}}, {4, {3, 3, other, name}}) == sound);
static_assert(checked({}, {4, {2, 5, 6, name}}, {4, {3, 3, other, 8}}) == channels);
static_assert(checked({}, x4, {4, {name, 3, 4, 8}}) == named_window);
static_assert(checked({}, {4, {2, name, 6, 4}}, w4) == named_spatial);
static_assert(checked({.padding = pads::same}, {4, {2, name, other, 4}}, w4) == sound);
static_assert(checked({.padding = {{1, 1}, {0, 0}}}, {4, {2, name, 6, 4}}, w4) == sound);
static_assert(checked({.padding = {{3, -1}, {0, 0}}}, {4, {2, name, 6, 4}}, w4) == sound);
static_assert(checked({.strides = 2, .padding = pads::same}, {4, {2, name, 6, 4}}, w4) ==
              named_spatial);
static_assert(checked({.padding = pads::same, .lhs_dilation = 2}, {4, {2, name, 6, 4}}, w4) ==
              named_spatial);
static_assert(checked({.batch_groups = 2}, {4, {name, 5, 6, 4}}, w4) == batch_groups);

constexpr conv_error transposed(conv_transpose_options const& o, extents const& w) {
  return conv_check("NHWC,HWIO->NHWC", o, x4, w).code;
}
static_assert(transposed({.strides = 2, .output_padding = {1, 0}}, w4) == sound);
static_assert(transposed({.output_padding = -1}, w4) == output_padding);
static_assert(transposed({.output_padding = {1}}, w4) == option_length);
static_assert(transposed({.feature_groups = 2}, w4) == sound);
static_assert(transposed({.feature_groups = 3}, w4) == feature_groups);
static_assert(transposed({.feature_groups = 2}, {4, {3, 3, 4, name}}) == feature_groups);

TEST(conv_spec, text_of_the_run_is_read_as_a_constant_is) {
  char spec[] = "NHC,CHF->NHF";
  EXPECT_EQ(parse({spec, 12}), sound);
  spec[5] = 'W';
  EXPECT_EQ(parse({spec, 12}), spatial_differ);
}

} // namespace
