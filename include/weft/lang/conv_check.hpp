// SPDX-License-Identifier: BSL-1.0
// The checks of a convolution at its typed doors: one error, whose notes show the text, the place
// in it, the shapes and the numbers that disagree.
// Needs: conv_plan.hpp, einsum_check.hpp. Leaves: check_conv<Spec, Options, X, W, B>(), false after an
// error; conv_plan_of<Spec, Options, X, W>, evaluated once.
#pragma once

#include <weft/graph/conv_plan.hpp>
#include <weft/lang/einsum_check.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {
namespace detail {

template <fixed_string Spec, auto Options, class X, class W>
inline constexpr conv_plan conv_plan_of = plan_conv(Spec, rules_of(Options), X::value, W::value);

// Position counts from 0; -1 is no error.
template <fixed_string Spec, int Position> concept conv_text_is_sound = Position < 0;
// (Over variables: compilers then print every argument.)
template <class X, class W, int First, int Second>
inline constexpr bool conv_numbers_agree = First == Second;
template <fixed_string Spec, class X, class W, int First, int Second>
concept conv_agrees = conv_numbers_agree<X, W, First, Second>;
template <class X, class W, class First, class Second>
inline constexpr bool conv_extents_agree = First::value == Second::value;
template <fixed_string Spec, class X, class W, class First, class Second>
concept conv_channels_agree = conv_extents_agree<X, W, First, Second>;
// (No axis counts as 1; names do not divide.)
template <int Groups, class Extent>
inline constexpr bool groups_divide = Groups > 0 && Extent::value[0] > 1 &&
                                      Extent::value[0] % Groups == 0;
template <fixed_string Spec, int Operand, int Groups, class Extent>
concept conv_groups_divide = groups_divide<Groups, Extent>;
template <int Operand, int Letters, int Axes>
inline constexpr bool conv_letters_are_axes = Letters == Axes;
template <fixed_string Spec, int Operand, int Letters, int Axes>
concept one_letter_per_axis = conv_letters_are_axes<Operand, Letters, Axes>;
template <class Extent, int SpatialAxis>
inline constexpr bool spatial_extent_fits = is_static(Extent::value);
template <fixed_string Spec, class Extent, int SpatialAxis>
concept conv_extent_fits = spatial_extent_fits<Extent, SpatialAxis>;

// One number for all features, or one each.
template <class B, class Features>
inline constexpr bool bias_is_of = B::rank == 0 ||
                                   (Features::rank == 1 && B::value == Features::value);
template <class B, class Features> concept one_bias_per_feature = bias_is_of<B, Features>;
constexpr extents features_of(conv_plan const& p) {
  int const rank = p.bias.rank;
  if (rank == 0) return {};
  return {1, {rank == 1 ? p.bias[0] : p.bias[0] * p.bias[1]}};
}

// At most one error; false after it. (One function: compilers print every call on the way.)
template <fixed_string Spec, auto Options, class X, class W, class... Bias>
consteval bool check_conv() {
  using enum conv_error;
  constexpr auto const& plan = conv_plan_of<Spec, Options, X, W>;
  constexpr conv_fault f = plan.fault;
  using A = shape_of_value<extents{1, {f.first}}>;
  using B = shape_of_value<extents{1, {f.second}}>;
  using Features = shape_of_value<features_of(plan)>;
  constexpr int at = f.position, first = static_cast<int>(f.first),
                second = static_cast<int>(f.second);
  if constexpr (f.code == sound) {
    static_assert((one_bias_per_feature<Bias, Features> && ...),
                  "weft: conv: the bias is one number, or one axis of a number per feature");
    return (one_bias_per_feature<Bias, Features> && ...);
  } else if constexpr (f.code == bad_character)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: a character that is not a letter, ',' or '->'; write "
                  "\"NHWC,HWIO->NHWC\"");
  else if constexpr (f.code == not_three_texts)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the text is not x,filter->result; write \"NHWC,HWIO->NHWC\"");
  else if constexpr (f.code == letter_twice)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: a letter or role twice in one text; write it once");
  else if constexpr (f.code == role_in_x)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: x has roles N and C; I, O and F are no letters of x");
  else if constexpr (f.code == role_in_filter)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the filter has roles I (or C) and O (or F); N is no letter of it");
  else if constexpr (f.code == role_in_result)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the result has roles N and C (or F); I and O are no letters of it");
  else if constexpr (f.code == too_many_spatial)
    static_assert(conv_text_is_sound<Spec, at>, "weft: conv: more than 4 spatial axes");
  else if constexpr (f.code == batch_unpaired)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: N is in one of x and result alone; write it in both or neither");
  else if constexpr (f.code == channels_unpaired)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: x has C and the filter no I, or the other way round; write both or "
                  "neither");
  else if constexpr (f.code == features_unpaired)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the filter has O and the result no C, or the other way round; write "
                  "both or neither");
  else if constexpr (f.code == spatial_differ)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the spatial letters of x, filter and result differ; write the same "
                  "in each (roles are capitals: N C I O F)");
  else if constexpr (f.code == option_length)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: an option lists another number of axes than the text has spatial "
                  "letters; write one number each, or one for all");
  else if constexpr (f.code == step_below_one)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: strides and dilations are at least 1");
  else if constexpr (f.code == output_padding)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: output_padding is at least 0; crop with padding");
  else if constexpr (f.code == both_groups)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: feature_groups and batch_groups; give one of them");
  else if constexpr (f.code == rank)
    static_assert(one_letter_per_axis<Spec, f.operand, first, second>,
                  "weft: conv: an operand has another number of axes than its text has letters");
  else if constexpr (f.code == feature_groups)
    static_assert(conv_groups_divide<Spec, f.operand, first, B>,
                  "weft: conv: feature_groups does not divide the channels of x and the features");
  else if constexpr (f.code == batch_groups)
    static_assert(conv_groups_divide<Spec, f.operand, first, B>,
                  "weft: conv: batch_groups does not divide the batch of x and the features");
  else if constexpr (f.code == channels)
    static_assert(conv_channels_agree<Spec, X, W, A, B>,
                  "weft: conv: the filter's I is not the channels of x by feature_groups");
  else if constexpr (f.code == named_window)
    static_assert(conv_extent_fits<Spec, A, second>,
                  "weft: conv: a spatial axis of the filter is named; a window has a number of "
                  "elements");
  else if constexpr (f.code == named_spatial)
    static_assert(conv_extent_fits<Spec, A, second>,
                  "weft: conv: a named spatial axis changes its extent; only stride 1, no "
                  "lhs_dilation and padding of reach - 1 in all keep it");
  return f.code == sound;
}

} // namespace detail
} // namespace weft::inline v0
