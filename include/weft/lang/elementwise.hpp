// SPDX-License-Identifier: BSL-1.0
// Elementwise functions of traced arrays: the one function behind every operator, which checks
// element types and shapes and records a row of the op table; then the operators and the functions.
// Needs: operand.hpp. Leaves: NumPy broadcasting; a C++ number takes the array's element type.
// One mistake gives one error: after it, a plausible array is returned.
#pragma once

#include <weft/lang/operand.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace detail {

// Checks stand here, not deeper: clang prints a line for every include on the way to an error.
template <class S, int Added> concept room_for_axes = S::rank + Added <= max_rank;

// Ranks of results: false after an error.
template <class S, int Added> consteval bool check_room() {
  static_assert(room_for_axes<S, Added>, "weft: an array has at most 8 axes");
  return room_for_axes<S, Added>;
}
template <class T, class... X> struct offender {
  using type = typename decltype((choice<X, !element_agrees<T, X>>{} | ...))::type;
};
// The operands against the element type of their call, one error at most; false after it.
template <class T, class... X> consteval bool check_elements() {
  using bad = typename offender<T, X...>::type;
  constexpr bool agree = element_agrees<T, bad>;
  if constexpr (number_literal<bad>)
    static_assert(
        agree, "weft: the array cannot hold this number; write convert<T>(x) or another literal");
  else static_assert(agree, "weft: the element types differ; write convert<T>(x)");
  return agree;
}

template <class... S>
inline constexpr bool shapes_match =
    broadcastable<shape_of_value<join_of<S...>.left>, shape_of_value<join_of<S...>.right>>;
// False after an error.
template <class... S> consteval bool check_shapes() {
  constexpr bool match = shapes_match<S...>;
  static_assert(match, "weft: the shapes of the operands do not match");
  return match;
}

template <op O, class T> concept op_accepts = accepts(info_of(O).accepts, dtype_of<T>);

template <op O, class T> consteval bool check_op() {
  constexpr bool accepted = op_accepts<O, T>;
  static_assert(accepted,
                "weft: this function is not defined for the element type; write convert<T>(x)");
  return accepted;
}

template <op O, class T>
using elementwise_result = std::conditional_t<info_of(O).result == type_rule::compare, bool, T>;

template <op O, class... X> constexpr auto elementwise(X const&... x) {
  using T = common_element<X...>;
  using R = elementwise_result<O, T>;
  constexpr bool typed = check_elements<T, X...>();
  // check_shapes, and its words: here an error is one step nearer to its line, and this is the most
  // frequent one.
  constexpr bool shaped = shapes_match<shape_of_operand<X>...>;
  static_assert(shaped, "weft: the shapes of the operands do not match");
  using S = joined_shape<shape_of_operand<X>...>;
  if constexpr (typed && shaped && check_op<O, T>()) {
    recorder& r = recorder_of(x...);
    handle all[] = {node_of<T>(r, x, S::value)...};
    return traced_of<R, S::value>{r.emit(O, dtype_of<R>, S::value, {all, sizeof...(X)})};
  } else return stand_in<traced_of<R, S::value>>(recorder_of(x...));
}

template <class T> concept boolean_condition = std::is_same_v<T, bool>;

template <class P, class A, class B> constexpr auto choose(P const& p, A const& a, B const& b) {
  using T = common_element<A, B>;
  static_assert(boolean_condition<element_of<P>>,
                "weft: select: the condition is not an array of bool; write x != 0");
  constexpr bool typed = check_elements<T, A, B>();
  constexpr bool shaped =
      check_shapes<shape_of_operand<P>, shape_of_operand<A>, shape_of_operand<B>>();
  using S = joined_shape<shape_of_operand<P>, shape_of_operand<A>, shape_of_operand<B>>;
  if constexpr (typed && shaped && boolean_condition<element_of<P>>) {
    recorder& r = recorder_of(p, a, b);
    handle all[] = {node_of<bool>(r, p, S::value), node_of<T>(r, a, S::value),
                    node_of<T>(r, b, S::value)};
    return traced_of<T, S::value>{r.emit(op::select, dtype_of<T>, S::value, {all, 3})};
  } else return stand_in<traced_of<T, S::value>>(recorder_of(p, a, b));
}

// Logical for unsigned, arithmetic for signed integers.
template <class... X>
inline constexpr op right_shift =
    std::is_signed_v<common_element<X...>> ? op::shift_right_arithmetic : op::shift_right_logical;

} // namespace detail

// clang-format off
// operators -----------------------------------------------------------------------------------
template <class A, class B> requires traced_call<A, B>
constexpr auto operator+(A const& a, B const& b) { return detail::elementwise<op::add>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator-(A const& a, B const& b) { return detail::elementwise<op::sub>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator*(A const& a, B const& b) { return detail::elementwise<op::mul>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator/(A const& a, B const& b) { return detail::elementwise<op::div>(a, b); }
template <traced_array A>
constexpr auto operator-(A const& a) { return detail::elementwise<op::neg>(a); }
template <traced_array A>
constexpr auto operator+(A const& a) { return a; }

template <class A, class B> requires traced_call<A, B>
constexpr auto operator==(A const& a, B const& b) { return detail::elementwise<op::equal>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator!=(A const& a, B const& b) { return detail::elementwise<op::not_equal>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator<(A const& a, B const& b) { return detail::elementwise<op::less>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator<=(A const& a, B const& b) { return detail::elementwise<op::less_equal>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator>(A const& a, B const& b) { return detail::elementwise<op::greater>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator>=(A const& a, B const& b) { return detail::elementwise<op::greater_equal>(a, b); }

// Bits of integers; logic of bool.
template <class A, class B> requires traced_call<A, B>
constexpr auto operator&(A const& a, B const& b) { return detail::elementwise<op::bit_and>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator|(A const& a, B const& b) { return detail::elementwise<op::bit_or>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator^(A const& a, B const& b) { return detail::elementwise<op::bit_xor>(a, b); }
template <traced_array A>
constexpr auto operator~(A const& a) { return detail::elementwise<op::bit_not>(a); }
// x == 0 of numbers, the negation of bool.
template <traced_array A>
constexpr auto operator!(A const& a) {
  if constexpr (std::is_same_v<typename A::element_type, bool>) return detail::elementwise<op::bit_not>(a);
  else return detail::elementwise<op::equal>(a, 0);
}
// Counts of 32 or more leave no bit (>> of int: copies of the sign).
template <class A, class B> requires traced_call<A, B>
constexpr auto operator<<(A const& a, B const& b) { return detail::elementwise<op::shift_left>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto operator>>(A const& a, B const& b) { return detail::elementwise<detail::right_shift<A, B>>(a, b); }

// functions -----------------------------------------------------------------------------------
// == and != of arrays, at both doors: between two tensors the operators compare the whole. equal(x, y)
template <class A, class B> requires traced_call<A, B>
constexpr auto equal(A const& a, B const& b) { return detail::elementwise<op::equal>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto not_equal(A const& a, B const& b) { return detail::elementwise<op::not_equal>(a, b); }
template <traced_array A>
constexpr auto abs(A const& a) { return detail::elementwise<op::abs>(a); }
template <traced_array A>
constexpr auto sqrt(A const& a) { return detail::elementwise<op::sqrt>(a); }
template <traced_array A>
constexpr auto exp(A const& a) { return detail::elementwise<op::exp>(a); }
template <traced_array A>
constexpr auto log(A const& a) { return detail::elementwise<op::log>(a); }
template <traced_array A>
constexpr auto tanh(A const& a) { return detail::elementwise<op::tanh>(a); }
template <traced_array A>
constexpr auto sigmoid(A const& a) { return detail::elementwise<op::sigmoid>(a); }
// a * b + c with one rounding.
template <class A, class B, class C> requires traced_call<A, B, C>
constexpr auto fma(A const& a, B const& b, C const& c) { return detail::elementwise<op::fma>(a, b, c); }
// NaN wins, and -0 < +0.
template <class A, class B> requires traced_call<A, B>
constexpr auto maximum(A const& a, B const& b) { return detail::elementwise<op::maximum>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto minimum(A const& a, B const& b) { return detail::elementwise<op::minimum>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto max(A const& a, B const& b) { return detail::elementwise<op::maximum>(a, b); }
template <class A, class B> requires traced_call<A, B>
constexpr auto min(A const& a, B const& b) { return detail::elementwise<op::minimum>(a, b); }
// a where p, else b.
template <class P, class A, class B> requires traced_call<P, A, B>
constexpr auto select(P const& p, A const& a, B const& b) { return detail::choose(p, a, b); }
template <class P, class A, class B> requires traced_call<P, A, B>
constexpr auto where(P const& p, A const& a, B const& b) { return detail::choose(p, a, b); }
// clang-format on

// The nearest value of another element type; to an integer: towards zero, saturating.
template <class T, traced_array A> constexpr auto convert(A const& a) {
  static_assert(element<T>, "weft: convert: not an element type");
  if constexpr (!element<T>) return a;
  else return traced_of<T, A::shape_type::value>{convert(a.value, dtype_of<T>)};
}
namespace detail {
template <class From, class To>
concept same_width = size_of(dtype_of<From>) == size_of(dtype_of<To>) &&
                     !std::is_same_v<From, bool> && !std::is_same_v<To, bool>;
}
// The same bits as another element type of the same width.
template <class T, traced_array A> constexpr auto bitcast(A const& a) {
  using From = typename A::element_type;
  static_assert(detail::same_width<From, T>, "weft: bitcast: the element types differ in size");
  if constexpr (std::is_same_v<From, T> || !detail::same_width<From, T>)
    return traced_of<T, A::shape_type::value>{a.value};
  else return traced_of<T, A::shape_type::value>{bitcast(a.value, dtype_of<T>)};
}
// x, but a constant for derivatives.
template <traced_array A> constexpr auto stop_gradient(A const& a) {
  return A{unary(op::stop_gradient, a.value)};
}

// Numbers of x's type and shape.
template <traced_array A, class V> constexpr A full_like(A const& a, V value) {
  using T = typename A::element_type;
  static_assert(detail::literal_fits<V, T>, "weft: full_like: the array cannot hold this number");
  return A{detail::node_of<T>(*a.value.where, value, A::shape_type::value)};
}
template <traced_array A> constexpr A zeros_like(A const& a) {
  return A{constant(*a.value.where, 0, dtype_of<typename A::element_type>, A::shape_type::value)};
}
template <traced_array A> constexpr A ones_like(A const& a) {
  return A{constant(*a.value.where, 1, dtype_of<typename A::element_type>, A::shape_type::value)};
}

} // namespace weft::inline v0
