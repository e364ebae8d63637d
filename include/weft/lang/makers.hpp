// SPDX-License-Identifier: BSL-1.0
// Arrays from nothing: zeros, ones, full, arange, linspace, eye. (The _like forms, of an array, are
// in elementwise.hpp and expression_elementwise.hpp.)
// A maker returns a small value, `made<T, E...>`, that knows no recorder. It becomes an array where
// it meets one: next to a traced operand it is a constant or an iota at that place, of any size and
// of named extents; next to tensors it is an expression; a tensor can be initialised from it. So a
// carry of scan and a result of a traced function may be makers as they are.
// Needs: array/expression.hpp. Leaves: both doors give the same bits.
//   zeros<int>()   full<float, 2, 3>(0.5f)   arange<int, 10>()   eye<float, 3>()
#pragma once

#include <weft/array/access.hpp>
#include <weft/lang/traced.hpp>
#include <weft/op/meaning.hpp>

namespace weft::inline v0 {
namespace detail {

enum class maker : std::uint8_t { full, arange, linspace, eye };

// A C++ number as an element. Integers wrap; floats are rounded once.
template <class T, class V> constexpr T element_from(V v) {
  if constexpr (std::is_same_v<V, T>) return v;
  else if constexpr (std::is_same_v<T, bool>) return v != V{};
  else if constexpr (std::is_class_v<V>) return T(static_cast<float>(v));
  else if constexpr (std::is_same_v<V, long double>) return T(static_cast<double>(v));
  else return static_cast<T>(v);
}
// The bits of an element, as constants keep them.
template <class T> constexpr extent element_bits(T v) { return static_cast<extent>(word_of(v)); }

} // namespace detail

template <class T, auto... E> struct made : expression_base {
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static constexpr int rank = sizeof...(E);
  static constexpr bool is_static = weft::is_static(shape_type::value);

  detail::maker kind;
  T first; // the value of `full`, the start of `linspace`
  T step;
  T last;

  constexpr explicit made(detail::maker m, T start = {}, T distance = {}, T end = {})
      : kind(m), first(start), step(distance), last(end) {}

  // As an expression.
  constexpr extents shape() const {
    static_assert(is_static, "weft: outside of a trace a maker's extents are ints; write "
                             "tensor<T, name>(n) and assign");
    return shape_type::value;
  }
  template <class Tensor> constexpr void evaluate_into(Tensor& t) const {
    T* out = detail::writable(t);
    for (extent i = 0, n = t.size(); i < n; ++i) out[i] = element_at(i);
  }
  constexpr T element_at(extent i) const {
    switch (kind) {
      case detail::maker::arange: return detail::element_from<T>(i);
      case detail::maker::linspace: return point(i);
      case detail::maker::eye: return detail::element_from<T>(on_diagonal(i) ? 1 : 0);
      default: return first;
    }
  }

private:
  constexpr T point(extent i) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (i > 0 && i + 1 == shape_type::value[0]) return last;
      using F = compute_type<scalar::f32, dtype_of<T>>;
      return meaning::fma(F(static_cast<T>(i)), F(step), F(first)).value;
    } else return first;
  }
  constexpr bool on_diagonal(extent i) const {
    return rank == 2 && i / shape_type::value[1] == i % shape_type::value[1];
  }
};

// Every element is `value`, converted as a literal is: full<float, 2, 3>(0.5f).
template <class T, auto... E, class V> constexpr made<T, E...> full(V value) {
  static_assert(std::is_arithmetic_v<V> || element<V>, "weft: full: the value is one number");
  return made<T, E...>(detail::maker::full, detail::element_from<T>(value));
}
template <class T, auto... E> constexpr made<T, E...> zeros() {
  return made<T, E...>(detail::maker::full);
}
template <class T, auto... E> constexpr made<T, E...> ones() { return full<T, E...>(1); }
// 0, 1, ..., N - 1.
template <class T, auto N> constexpr made<T, N> arange() {
  static_assert(!std::is_same_v<T, bool>, "weft: arange: bool cannot count; use another type");
  return made<T, N>(detail::maker::arange);
}
// N numbers from first to last, both included: first + i * step, one rounding.
template <class T, auto N> constexpr made<T, N> linspace(T first, T last) {
  static_assert(std::is_floating_point_v<T>, "weft: linspace: use float or double, and convert<T>");
  static_assert(!is_named(extent_value<N>()), "weft: linspace: the number of points is an int");
  double steps = extent_value<N>() > 1 ? static_cast<double>(extent_value<N>() - 1) : 1.0;
  double step = (static_cast<double>(last) - static_cast<double>(first)) / steps;
  return made<T, N>(detail::maker::linspace, first, static_cast<T>(step), last);
}
// 1 where both indices are equal, else 0; (N, N) or (N, M).
template <class T, auto N> constexpr made<T, N, N> eye() {
  return made<T, N, N>(detail::maker::eye);
}
template <class T, auto N, auto M> constexpr made<T, N, M> eye() {
  return made<T, N, M>(detail::maker::eye);
}

namespace detail {
template <class X> inline constexpr bool is_made = false;
template <class T, auto... E> inline constexpr bool is_made<made<T, E...>> = true;

// The node of a maker, its own shape.
template <class T, auto... E> constexpr handle record_made(recorder& r, made<T, E...> const& m) {
  constexpr dtype type = dtype_of<T>;
  extents const& to = shape<E...>::value;
  if (m.kind == maker::full) return constant_bits(r, element_bits(m.first), type, to);
  if (m.kind == maker::arange) return iota(r, type, to, 0);
  if (m.kind == maker::eye) {
    handle same = equal(iota(r, dtype::i32, to, 0), iota(r, dtype::i32, to, 1));
    return select(same, constant(r, 1, type, to), constant(r, 0, type, to));
  }
  handle index = iota(r, dtype::i32, to, 0);
  handle points[] = {convert(index, type), constant_bits(r, element_bits(m.step), type, to),
                     constant_bits(r, element_bits(m.first), type, to)};
  handle inner = emit(op::fma, type, to, {points, 3});
  if (to[0] < 2) return inner;
  handle at_last = equal(index, constant(r, static_cast<double>(to[0] - 1), dtype::i32, to));
  return select(at_last, constant_bits(r, element_bits(m.last), type, to), inner);
}
} // namespace detail

} // namespace weft::inline v0
