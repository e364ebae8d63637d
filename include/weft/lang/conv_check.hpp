// SPDX-License-Identifier: BSL-1.0
// The checks of a convolution at its typed doors: one error, whose notes show the text, the place
// in it, the shapes and the numbers that disagree.
// Needs: conv_plan.hpp, shape_rules.hpp. Leaves: check_conv<Spec, Options, X, W>(), false after an
// error; conv_plan_of<Spec, Options, X, W>, evaluated once.
#pragma once

#include <weft/lang/conv_plan.hpp>
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
template <int Operand, int Letters, int Axes>
inline constexpr bool conv_letters_are_axes = Letters == Axes;
template <fixed_string Spec, int Operand, int Letters, int Axes>
concept one_letter_per_axis = conv_letters_are_axes<Operand, Letters, Axes>;
template <class Extent, int SpatialAxis>
inline constexpr bool extent_is_a_number = is_static(Extent::value);
template <fixed_string Spec, class Extent, int SpatialAxis>
concept conv_extent_fits = extent_is_a_number<Extent, SpatialAxis>;

// Mistakes of the text; false after one.
template <fixed_string Spec, conv_fault F> consteval bool check_conv_text() {
  using enum conv_error;
  constexpr int at = F.position;
  if constexpr (F.code == bad_character)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: a character that is not a letter, ',' or '->'; write "
                  "\"NHWC,HWIO->NHWC\"");
  else if constexpr (F.code == not_three_texts)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the text is not x,filter->result; write \"NHWC,HWIO->NHWC\"");
  else if constexpr (F.code == letter_twice)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: a letter or role twice in one text; write it once");
  else if constexpr (F.code == role_in_x)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: x has roles N and C; I, O and F are no letters of x");
  else if constexpr (F.code == role_in_filter)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the filter has roles I (or C) and O (or F); N is no letter of it");
  else if constexpr (F.code == role_in_result)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the result has roles N and C (or F); I and O are no letters of it");
  else if constexpr (F.code == too_many_spatial)
    static_assert(conv_text_is_sound<Spec, at>, "weft: conv: more than 4 spatial axes");
  else if constexpr (F.code == batch_unpaired)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: N is in one of x and result alone; write it in both or neither");
  else if constexpr (F.code == channels_unpaired)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: x has C and the filter no I, or the other way round; write both or "
                  "neither");
  else if constexpr (F.code == features_unpaired)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the filter has O and the result no C, or the other way round; write "
                  "both or neither");
  else if constexpr (F.code == spatial_differ)
    static_assert(conv_text_is_sound<Spec, at>,
                  "weft: conv: the spatial letters of x, filter and result differ; write the same "
                  "in each");
  return F.code == sound;
}
// Options that fit no convolution of this text.
template <fixed_string Spec, class X, class W, conv_fault F> consteval bool check_conv_options() {
  using enum conv_error;
  constexpr int first = static_cast<int>(F.first), second = static_cast<int>(F.second);
  if constexpr (F.code == option_length)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: an option lists another number of axes than the text has spatial "
                  "letters; write one number each, or one for all");
  else if constexpr (F.code == step_below_one)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: strides and dilations are at least 1");
  else if constexpr (F.code == output_padding)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: output_padding is at least 0; crop with padding");
  else if constexpr (F.code == both_groups)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: feature_groups and batch_groups; give one of them");
  return F.code == sound;
}
// Shapes that do not fit the text or the options.
template <fixed_string Spec, class X, class W, conv_fault F> consteval bool check_conv_shapes() {
  using enum conv_error;
  using A = shape_of_value<extents{1, {F.first}}>;
  constexpr int first = static_cast<int>(F.first), second = static_cast<int>(F.second);
  if constexpr (F.code == rank)
    static_assert(one_letter_per_axis<Spec, F.operand, first, second>,
                  "weft: conv: an operand has another number of axes than its text has letters");
  else if constexpr (F.code == feature_groups)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: feature_groups does not divide the channels of x and the features");
  else if constexpr (F.code == batch_groups)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: batch_groups does not divide the batch of x and the features");
  else if constexpr (F.code == channels)
    static_assert(conv_agrees<Spec, X, W, first, second>,
                  "weft: conv: the filter's I is not the channels of x by feature_groups");
  else if constexpr (F.code == named_window)
    static_assert(conv_extent_fits<Spec, A, second>,
                  "weft: conv: a spatial axis of the filter is named; a window has a number of "
                  "elements");
  else if constexpr (F.code == named_spatial)
    static_assert(conv_extent_fits<Spec, A, second>,
                  "weft: conv: a named spatial axis changes its extent; only stride 1, no "
                  "lhs_dilation and padding of reach - 1 in all keep it");
  return F.code == sound;
}
// At most one error; false after it.
template <fixed_string Spec, auto Options, class X, class W> consteval bool check_conv() {
  using enum conv_error;
  constexpr conv_fault f = conv_plan_of<Spec, Options, X, W>.fault;
  if constexpr (f.code == sound) return true;
  else if constexpr (f.code < rank) return check_conv_text<Spec, f>();
  else if constexpr (f.code == option_length || f.code == step_below_one || f.code == both_groups ||
                     f.code == output_padding)
    return check_conv_options<Spec, X, W, f>();
  else return check_conv_shapes<Spec, X, W, f>();
}

// One number for all features, or one each.
template <class B, class Features>
concept one_bias_per_feature = B::rank == 0 || (Features::rank == 1 && B::value == Features::value);

} // namespace detail
} // namespace weft::inline v0
