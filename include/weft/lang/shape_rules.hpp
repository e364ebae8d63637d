// SPDX-License-Identifier: BSL-1.0
// Shapes at compile time, for both doors (traced handles and tensors): arrays made from a shape
// value, NumPy broadcasting, and axis lists.
// Needs: core. Leaves: every rule is a consteval function on `extents` and a concept on
// `shape<...>` types, so that a failed static_assert prints the shapes.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/core/extents.hpp>
#include <weft/core/fixed_string.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

// Named, so that it is made once per rank: g++ substitutes into std::make_integer_sequence, an
// alias, at every use.
template <int Rank> struct axis_numbers {
  using type = std::make_integer_sequence<int, Rank>;
};

// `auto S`, not `extents S`: g++ 12.2 crashes on a named class type in an alias template.
template <template <class, auto...> class A, class T, auto S, class I> struct shaped;
template <template <class, auto...> class A, class T, auto S, int... I>
struct shaped<A, T, S, std::integer_sequence<int, I...>> {
  using type = A<T, extent_argument_of<S.d[I]>...>;
};
template <auto S, class I> struct shape_from;
template <auto S, int... I> struct shape_from<S, std::integer_sequence<int, I...>> {
  using type = shape<extent_argument_of<S.d[I]>...>;
};

} // namespace detail

// A<T, extents...> of a shape value: array_of<tensor, float, S> is tensor<float, 2, 3>.
template <template <class, auto...> class A, class T, auto S>
using array_of =
    typename detail::shaped<A, T, S, typename detail::axis_numbers<S.rank>::type>::type;
// The shape<...> of a shape value.
template <auto S>
using shape_of_value =
    typename detail::shape_from<S, typename detail::axis_numbers<S.rank>::type>::type;

template <class X> inline constexpr int rank_of = X::shape_type::rank;

namespace detail {

struct broadcast_result {
  bool ok = true;
  extents shape;
};
// Axes are aligned at the end; a static 1 takes the other extent, everything else must be equal.
constexpr broadcast_result broadcast_of(extents const& a, extents const& b) {
  extents const& longer = a.rank >= b.rank ? a : b;
  extents const& shorter = a.rank >= b.rank ? b : a;
  broadcast_result r{true, longer};
  int lead = longer.rank - shorter.rank;
  for (int i = 0; i < shorter.rank; ++i) {
    extent x = longer[lead + i], y = shorter[i];
    if (x == 1) r.shape[lead + i] = y;
    else if (x != y && y != 1) r.ok = false;
  }
  return r;
}
template <class A, class B> concept broadcastable = broadcast_of(A::value, B::value).ok;
// `From` becomes `To` by broadcasting alone.
template <class From, class To>
concept broadcasts_to = broadcastable<From, To> &&
                        (broadcast_of(From::value, To::value).shape == To::value);

// The common shape of several; where there is none, the two shapes that clash.
struct join_result {
  extents shape, left, right;
};
template <class First, class... Rest> consteval join_result join_shapes() {
  join_result r{First::value, {}, {}};
  bool ok = true;
  [[maybe_unused]] auto join = [&](extents const& next) {
    broadcast_result b = broadcast_of(r.shape, next);
    if (ok && !b.ok) r.left = r.shape, r.right = next;
    ok = ok && b.ok;
    if (ok) r.shape = b.shape;
  };
  (join(Rest::value), ...);
  return r;
}
template <class... S> inline constexpr join_result join_of = join_shapes<S...>();
template <class... S> using joined_shape = shape_of_value<join_of<S...>.shape>;

// Elements, a name counting as one or more.
constexpr extent count_of_numbers(extents const& s) {
  extent n = 1;
  for (int i = 0; i < s.rank; ++i) n *= is_named(s[i]) ? 1 : s[i];
  return n;
}

// One axis of a template argument list, in range.
template <int Axis, class S> concept axis_of = Axis >= -S::rank && Axis < S::rank;

constexpr bool distinct(extents const& axes) {
  for (int i = 0; i < axes.rank; ++i)
    for (int j = 0; j < i; ++j)
      if (axes[i] == axes[j]) return false;
  return true;
}
template <auto... I> consteval extents plain_axes([[maybe_unused]] int rank) {
  extents r;
  (r.push(plain_axis(I, rank)), ...);
  return r;
}
// Axes as written, each once.
template <class S, auto... I> concept different_axes = distinct(plain_axes<I...>(S::rank));

// Checks an axis list; false after an error.
template <class S, auto... I> consteval bool check_axes() {
  constexpr bool named = (axis_of<I, S> && ...);
  static_assert(named, "weft: there is no such axis; axes count from 0, or from -1 at the end");
  if constexpr ((axis_of<I, S> && ...)) {
    constexpr bool once = different_axes<S, I...>;
    static_assert(once, "weft: an axis is named twice");
    return different_axes<S, I...>;
  } else return false;
}

constexpr extents with_extent(extents s, int axis, extent e) {
  s[axis] = e;
  return s;
}

} // namespace detail
} // namespace weft::inline v0
