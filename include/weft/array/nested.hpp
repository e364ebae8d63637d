// SPDX-License-Identifier: BSL-1.0
// Nested braces as array contents: nested_list<T, 2> takes {{1, 2, 3}, {4, 5, 6}}.
// Needs: a list per axis. Leaves: every list has the length of its axis, else shape_error
// (in constant evaluation: no constant).
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/core/error.hpp>

#include <initializer_list>

namespace weft::inline v0 {
namespace detail {

// What a list holds: elements, and for the 16-bit floats also numbers, rounded once.
template <class Half> struct half_literal {
  Half value;

  constexpr half_literal(Half v) : value(v) {}
  template <class N>
    requires std::is_arithmetic_v<N>
  constexpr half_literal(N v) : value(v) {}
  constexpr operator Half() const { return value; }
};
template <class T> using literal = std::conditional_t<std::is_class_v<T>, half_literal<T>, T>;

template <class T, int Rank> struct nest {
  using type = std::initializer_list<typename nest<T, Rank - 1>::type>;
};
template <class T> struct nest<T, 0> {
  using type = literal<T>;
};
template <class T, int Rank> using nested_list = typename nest<T, Rank>::type;

template <class X> inline constexpr bool is_list = false;
template <class X> inline constexpr bool is_list<std::initializer_list<X>> = true;

// Extents as the first list of every level tells them. Below an empty list nothing tells: numbers
// of the pattern stay and names become 0.
template <class X> constexpr void measure(std::initializer_list<X> list, extents& s, int axis = 0) {
  s[axis] = static_cast<extent>(list.size());
  if constexpr (is_list<X>) {
    if (list.size() > 0) return measure(*list.begin(), s, axis + 1);
    for (int i = axis + 1; i < s.rank; ++i) s[i] = is_named(s[i]) ? 0 : s[i];
  }
}

[[noreturn]] WEFT_NOINLINE inline void raise_list(extent found, int axis, extents const& s) {
  raise<shape_error>(message("weft: array: a list of ")
                         .add(found)
                         .add(" along axis ")
                         .add(axis)
                         .add(" of shape ")
                         .add(s)
                         .add("; every list has the length of its axis"));
}

// Row-major; returns one past the last element written.
template <class T, class X>
constexpr T* fill(std::initializer_list<X> list, extents const& s, T* out, int axis = 0) {
  auto length = static_cast<extent>(list.size());
  if (length != s[axis]) raise_list(length, axis, s);
  for (X const& x : list)
    if constexpr (is_list<X>) out = fill(x, s, out, axis + 1);
    else *out++ = x;
  return out;
}

} // namespace detail
} // namespace weft::inline v0
