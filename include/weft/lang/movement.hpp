// SPDX-License-Identifier: BSL-1.0
// Other arrangements of the same elements: reshape, transpose, flip, broadcast_to, concat, pad.
//   reshape<6>(x)  transpose<1, 0>(x)  flip<-1>(x)  broadcast_to<4, 3>(x)  concat<0>(a, b)
// Needs: elementwise.hpp. Leaves: views where the graph has views; concat and pad copy.
#pragma once

#include <weft/lang/elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

template <class From, class To>
concept same_number_of_elements = same_count(From::value, To::value);
template <class S, auto... I>
concept permutation_of = (sizeof...(I) == S::rank) && different_axes<S, I...>;

constexpr extents permuted(extents const& s, extents const& p) {
  extents r;
  for (int i = 0; i < p.rank; ++i) r.push(s[static_cast<int>(p[i])]);
  return r;
}

// Equal but for one axis, along which both are numbers.
constexpr bool joins(extents const& a, extents const& b, int axis) {
  if (a.rank != b.rank || is_named(a[axis]) || is_named(b[axis])) return false;
  for (int i = 0; i < a.rank; ++i)
    if (i != axis && a[i] != b[i]) return false;
  return true;
}
template <class A, class B, int Axis>
concept concatenable = joins(A::value, B::value, plain_axis(Axis, A::rank));

template <int Axis, class... S> consteval extents concat_shape() {
  extents const all[] = {S::value...};
  extents r = all[0];
  int axis = plain_axis(Axis, r.rank);
  for (unsigned i = 1; i < sizeof...(S); ++i) r[axis] += all[i][axis];
  return r;
}

} // namespace detail

// The same elements in row-major order; names stay, in any place: reshape<6>(x) of a (2, 3).
template <auto... E, traced_array A> constexpr auto reshape(A const& a) {
  using To = shape<E...>;
  static_assert(detail::same_number_of_elements<typename A::shape_type, To>,
                "weft: reshape: the numbers of elements differ");
  return traced<typename A::element_type, E...>{reshape(a.value, To::value)};
}
// Axis i of the result is axis P_i of x; without a list the order of axes is reversed.
template <int... P, traced_array A> constexpr auto transpose(A const& a) {
  using S = typename A::shape_type;
  if constexpr (sizeof...(P) == 0 && S::rank > 1)
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return weft::transpose<(S::rank - 1 - I)...>(a);
    }(std::make_integer_sequence<int, S::rank>{});
  else if constexpr (detail::check_axes<S, P...>()) {
    static_assert(detail::permutation_of<S, P...>, "weft: transpose: name every axis once");
    constexpr extents p = detail::plain_axes<P...>(S::rank);
    constexpr extents to = detail::permuted(S::value, p);
    return traced_of<typename A::element_type, to>{transpose(a.value, {p.d, p.rank})};
  } else return a;
}
// Reads the axes backwards, all of them without a list: flip<-1>(x).
template <int... Axes, traced_array A> constexpr A flip(A const& a) {
  using S = typename A::shape_type;
  if constexpr (detail::check_axes<S, Axes...>()) {
    extent set = sizeof...(Axes) == 0 ? (extent{1} << S::rank) - 1 : 0;
    ((set |= extent{1} << plain_axis(Axes, S::rank)), ...);
    return A{reverse(a.value, set)};
  } else return a;
}
// NumPy's rule: axes are aligned at the end, an extent 1 is repeated.
template <auto... E, traced_array A> constexpr auto broadcast_to(A const& a) {
  using To = shape<E...>;
  static_assert(detail::broadcasts_to<typename A::shape_type, To>,
                "weft: broadcast_to: the array does not broadcast to this shape");
  return traced<typename A::element_type, E...>{broadcast_to(a.value, To::value)};
}

namespace detail {
template <int Axis, class First, class Next> consteval bool check_joins() {
  static_assert(concatenable<First, Next, Axis>,
                "weft: concat: the shapes differ in another axis, or the joined extent has a name");
  return concatenable<First, Next, Axis>;
}
} // namespace detail

// One after the other along an axis whose extents are numbers; all other extents and the element
// type agree: concat<0>(a, b) of (2, 3) and (4, 3) is (6, 3).
template <int Axis, class A, class... B>
  requires traced_call<A, B...>
constexpr auto concat(A const& a, B const&... b) {
  using T = detail::common_element<A, B...>;
  using S = detail::shape_of_operand<A>;
  constexpr bool ok = detail::check_axes<S, Axis>() && detail::check_elements<T, A, B...>();
  if constexpr (ok) {
    if constexpr ((detail::check_joins<Axis, S, detail::shape_of_operand<B>>() && ...)) {
      recorder& r = detail::recorder_of(a, b...);
      constexpr extents to = detail::concat_shape<Axis, S, detail::shape_of_operand<B>...>();
      handle all[] = {detail::node_of<T>(r, a, S::value),
                      detail::node_of<T>(r, b, detail::shape_of_operand<B>::value)...};
      return traced_of<T, to>{concat({all, 1 + sizeof...(B)}, plain_axis(Axis, S::rank))};
    } else return detail::as_traced(detail::recorder_of(a, b...), a);
  } else return detail::as_traced(detail::recorder_of(a, b...), a);
}

// Elements around and between along one axis: pad<0, {.low, .high, .interior}>.
struct padding {
  int low = 0, high = 0, interior = 0; // a negative low or high crops
};
// x with `filler` around it along Axis; the padded extent is a number.
template <int Axis, padding P, traced_array A, number_literal V = int>
constexpr auto pad(A const& a, V filler = {}) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  static_assert(detail::literal_fits<V, T>, "weft: pad: the array cannot hold this filler");
  if constexpr (detail::check_axes<S, Axis>()) {
    constexpr int axis = plain_axis(Axis, S::rank);
    static_assert(!is_named(S::value[axis]), "weft: pad: a named extent cannot grow");
    constexpr extents to = [] {
      extents r = S::value;
      r[axis] = padded(r[axis], P.low, P.high, P.interior);
      return r;
    }();
    extent attributes[3 * max_rank]{};
    attributes[axis] = P.low;
    attributes[S::rank + axis] = P.high;
    attributes[2 * S::rank + axis] = P.interior;
    handle f = detail::node_of<T>(*a.value.where, filler, {});
    return traced_of<T, to>{pad(a.value, f, {attributes, 3 * S::rank})};
  } else return a;
}

} // namespace weft::inline v0
