// SPDX-License-Identifier: BSL-1.0
// Operands of traced functions: which kinds there are (traced array, maker, expression of makers,
// C++ number), which
// element type a call computes in, and the node of an operand. (A tensor next to a traced array is
// refused by the other door, expression.hpp.)
// Needs: traced.hpp, makers.hpp. Leaves: `traced_call<A, B>`, the constraint of every public
// function of this door; one error per mistaken call.
#pragma once

#include <weft/lang/makers.hpp>

namespace weft::inline v0 {

template <class X> concept maker_like = detail::is_made<X>;
// A C++ number: takes the dtype of the array that it meets.
template <class X>
concept number_literal = std::is_arithmetic_v<X> || std::is_same_v<X, bf16> ||
                         std::is_same_v<X, f16>;
namespace detail {
template <class X> inline constexpr bool is_maker_expression = false;
} // namespace detail
// An expression (expression.hpp) of makers and numbers alone, zeros<float, 3>() + 1: at home at
// both doors, as makers are.
template <class X> concept maker_expression = detail::is_maker_expression<X>;
template <class X>
concept trace_operand = traced_array<X> || maker_like<X> || maker_expression<X> ||
                        number_literal<X>;
template <class... X> concept traced_call = (traced_array<X> || ...) && (trace_operand<X> && ...);

namespace detail {

// What a number may become: true and false only bool, fractions only floats.
template <class V, class T>
inline constexpr bool may_become = std::is_same_v<V, T> ||
                                   (!std::is_same_v<V, bool> && !std::is_same_v<T, bool> &&
                                    (std::is_integral_v<V> || !std::is_integral_v<T>));
template <class V, class T> concept literal_fits = may_become<V, T>;

// The element type of a number that meets no array: double is float, and integers
// below 64 bits have 32.
template <class V> constexpr auto default_element() {
  if constexpr (std::is_same_v<V, bool> || std::is_class_v<V>) return V{};
  else if constexpr (std::is_floating_point_v<V>) return float{};
  else if constexpr (sizeof(V) == 8)
    return std::conditional_t<std::is_unsigned_v<V>, std::uint64_t, std::int64_t>{};
  else if constexpr (std::is_unsigned_v<V>) return std::uint32_t{};
  else return std::int32_t{};
}
template <class X> struct operand_traits { // a number
  using element = decltype(default_element<X>());
  using shape_type = shape<>;
};
template <class X>
  requires(!number_literal<X>)
struct operand_traits<X> {
  using element = typename X::element_type;
  using shape_type = typename X::shape_type;
};
template <class X> using element_of = typename operand_traits<X>::element;
template <class X> using shape_of_operand = typename operand_traits<X>::shape_type;

// The first of several types that is wanted, else the first, as a fold: (choice<X, wanted>{} |
// ...).
template <class X, bool Wanted> struct choice {
  using type = X;
};
template <class X, bool A, class Y, bool B>
consteval auto operator|(choice<X, A> x, choice<Y, B> y) {
  if constexpr (!A && B) return y;
  else return x;
}
// The element type of a call: that of its first array, else of its first number. (Through a class:
// g++ 12 takes no pack and a type together as arguments of an alias.)
template <class... X> struct element_chosen {
  using type = typename decltype((choice<element_of<X>, !number_literal<X>>{} | ...))::type;
};
template <class... X> using common_element = typename element_chosen<X...>::type;

// (Not same_element of array/expression.hpp: errors would print every include on the way there.)
template <class A, class B> concept same_element_type = std::is_same_v<A, B>;

template <class T, class X>
inline constexpr bool element_agrees = same_element_type<T, element_of<X>>;
template <class T, number_literal X>
inline constexpr bool element_agrees<T, X> = literal_fits<X, T>;

// The innermost recorder of the traced operands.
template <class... X> constexpr recorder& recorder_of(X const&... x) {
  handle found[sizeof...(X)]{};
  int n = 0;
  auto note = [&](auto const& y) {
    if constexpr (traced_leaf<std::remove_cvref_t<decltype(y)>>) found[n++] = y.value;
  };
  (note(x), ...);
  return place_of({found, n});
}

// What a call returns after its error: zeros of the type it would have had, so that nothing else
// goes wrong.
template <class R> constexpr R stand_in(recorder& r) {
  return R{constant(r, 0, dtype_of<typename R::element_type>, R::shape_type::value)};
}

// The node of an operand with elements T, broadcast to `to`.
template <class T, class X> constexpr handle node_of(recorder& r, X const& x, extents const& to) {
  if constexpr (number_literal<X>) {
    note_number(r, is_outside<T>(x));
    return constant_bits(r, element_bits(element_from<T>(x)), dtype_of<T>, to);
  } else if constexpr (maker_like<X>) {
    if (is_one_number(r, x.kind)) return constant_bits(r, element_bits(x.first), dtype_of<T>, to);
    return broadcast_to(record_made(r, x), to);
  } else if constexpr (maker_expression<X>) return broadcast_to(x.record_in(r).value, to);
  else return broadcast_to(x.value, to);
}
// A traced array of any operand: its own element type and shape.
template <class X> concept enters_a_trace = traced_leaf<X> || trace_operand<X>;
template <class X> constexpr auto as_traced(recorder& r, X const& x) {
  constexpr bool enters = enters_a_trace<X>;
  static_assert(enters,
                "weft: a tensor meets a traced array; make the tensor an argument of the function");
  if constexpr (traced_leaf<X>) return x;
  else if constexpr (!enters)
    return stand_in<traced_of<element_of<X>, shape_of_operand<X>::value>>(r);
  else {
    using T = element_of<X>;
    return traced_of<T, shape_of_operand<X>::value>{node_of<T>(r, x, shape_of_operand<X>::value)};
  }
}

// The same with elements T, which a number becomes.
template <class T, class X> constexpr auto traced_as(recorder& r, X const& x) {
  using S = shape_of_operand<X>;
  return traced_of<T, S::value>{node_of<T>(r, x, S::value)};
}

} // namespace detail
} // namespace weft::inline v0
