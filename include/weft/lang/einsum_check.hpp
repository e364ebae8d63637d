// SPDX-License-Identifier: BSL-1.0
// The checks of an einsum at its typed doors: one error, whose text is that of einsum_spec.hpp and
// whose notes show the text of the einsum, the place, the label, the operands and the shapes.
// Needs: einsum_plan.hpp, shape_rules.hpp. Leaves: check_einsum<Spec, shapes...>(), false after an
// error; einsum_plan_of<Spec, shapes...>, evaluated once.
#pragma once

#include <weft/graph/einsum_plan.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {
namespace detail {

template <fixed_string Spec, class... S> constexpr einsum_plan make_einsum_plan() {
  extents const shapes[] = {S::value...};
  return plan_einsum(Spec, {shapes, sizeof...(S)});
}
template <fixed_string Spec, class... S>
inline constexpr einsum_plan einsum_plan_of = make_einsum_plan<Spec, S...>();

// Position counts from 0; -1 is no error.
template <fixed_string Spec, int Position> concept readable_to_the_end = Position < 0;
template <fixed_string Spec, int Terms, int Operands>
concept one_term_per_operand = Terms == Operands;
// (Over variables: compilers then print every argument.)
template <int Operand, int Labels, int Axes> inline constexpr bool labels_are_axes = Labels == Axes;
template <fixed_string Spec, int Operand, int Labels, int Axes>
concept one_label_per_axis = labels_are_axes<Operand, Labels, Axes>;
// A and B are the label's extents in operands First and Second.
template <char Label, int First, class A, int Second, class B>
inline constexpr bool label_agrees = A::value == B::value;
template <fixed_string Spec, char Label, int First, class A, int Second, class B>
concept one_extent_per_label = label_agrees<Label, First, A, Second, B>;

template <int First, class A, int Second, class B>
inline constexpr bool axes_agree = A::value == B::value;
template <fixed_string Spec, int First, class A, int Second, class B>
concept ellipses_broadcast = axes_agree<First, A, Second, B>;
template <fixed_string Spec, class... S>
concept fits_in_eight_axes = einsum_plan_of<Spec, S...>.fault.code != einsum_error::too_many_axes;

// At most one error; false after it.
template <fixed_string Spec, class... S> consteval bool check_einsum() {
  using enum einsum_error;
  constexpr einsum_fault f = einsum_plan_of<Spec, S...>.fault;
  constexpr int at = f.position, first = static_cast<int>(f.first),
                second = static_cast<int>(f.second);
  if constexpr (f.code == sound) return true;
  else if constexpr (f.code == bad_character)
    static_assert(
        readable_to_the_end<Spec, at>,
        "weft: einsum: a character that is not a letter, ',', '...' or '->'; write \"ij,jk->ik\"");
  else if constexpr (f.code == bad_ellipsis)
    static_assert(readable_to_the_end<Spec, at>,
                  "weft: einsum: a dot that is not part of an ellipsis; write '...'");
  else if constexpr (f.code == two_ellipses)
    static_assert(readable_to_the_end<Spec, at>,
                  "weft: einsum: two ellipses in one term; write one");
  else if constexpr (f.code == malformed_arrow)
    static_assert(readable_to_the_end<Spec, at>, "weft: einsum: half an arrow; write '->'");
  else if constexpr (f.code == two_arrows)
    static_assert(readable_to_the_end<Spec, at>,
                  "weft: einsum: two arrows; write '->' once, before the output");
  else if constexpr (f.code == comma_in_output)
    static_assert(readable_to_the_end<Spec, at>,
                  "weft: einsum: a comma in the output; an einsum has one output");
  else if constexpr (f.code == output_label_repeated)
    static_assert(readable_to_the_end<Spec, at>,
                  "weft: einsum: a label twice in the output; write it once");
  else if constexpr (f.code == output_label_unknown)
    static_assert(readable_to_the_end<Spec, at>,
                  "weft: einsum: an output label that is in no operand; take it away");
  else if constexpr (f.code == too_many_operands)
    static_assert(readable_to_the_end<Spec, at>,
                  "weft: einsum: more than 32 operands; nest two calls");
  else if constexpr (f.code == operand_count)
    static_assert(one_term_per_operand<Spec, first, second>,
                  "weft: einsum: the text has another number of terms than there are operands; "
                  "write one term each");
  else if constexpr (f.code == too_many_subscripts)
    static_assert(one_label_per_axis<Spec, f.operand, first, second>,
                  "weft: einsum: a term has more labels than its operand has axes; write one "
                  "label per axis");
  else if constexpr (f.code == too_few_subscripts)
    static_assert(one_label_per_axis<Spec, f.operand, first, second>,
                  "weft: einsum: a term has fewer labels than its operand has axes; write one "
                  "label per axis, or '...'");
  else if constexpr (f.code == too_many_axes)
    static_assert(fits_in_eight_axes<Spec, S...>,
                  "weft: einsum: an output or intermediate of more than 8 axes; nest calls that "
                  "sum earlier");
  else {
    using A = shape_of_value<extents{1, {f.first}}>;
    using B = shape_of_value<extents{1, {f.second}}>;
    if constexpr (!is_letter(f.label))
      static_assert(
          ellipses_broadcast<Spec, f.other, A, f.operand, B>,
          "weft: einsum: axes of '...' do not broadcast; give them the same extent, or 1");
    else if constexpr (f.code == extent_mismatch)
      static_assert(one_extent_per_label<Spec, f.label, f.other, A, f.operand, B>,
                    "weft: einsum: a label has two extents; give it another name, or slice an "
                    "operand");
    else
      static_assert(one_extent_per_label<Spec, f.label, f.other, A, f.operand, B>,
                    "weft: einsum: a label is 1 in one operand and more in another, and labels do "
                    "not broadcast; drop the axis, or write '...'");
  }
  return f.code == sound;
}

// What an einsum of elements `from` may give: that type, what it accumulates in, or a type that
// holds all its values.
constexpr bool einsum_may_give(dtype from, dtype to) {
  if (from == to || to == accumulator_of(from)) return true;
  if (from == dtype::boolean) return true;
  if (is_float(from) || is_float(to))
    return is_float(from) && is_float(to) && size_of(to) > size_of(from);
  bool const negative_from = name_of(from)[0] != 'u', negative_to = name_of(to)[0] != 'u';
  return is_integer(to) && size_of(to) > size_of(from) && (negative_to || !negative_from);
}
template <class From, class To>
concept accumulates_in = einsum_may_give(dtype_of<From>, dtype_of<To>);

} // namespace detail
} // namespace weft::inline v0
