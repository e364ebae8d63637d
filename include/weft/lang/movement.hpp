// SPDX-License-Identifier: BSL-1.0
// Other arrangements of the same elements: reshape, ravel, flatten, squeeze, expand_dims, transpose,
// move_axis, swap_axes, flip, broadcast_to.
//   reshape<-1, 3>(x)  transpose<1, 0>(x)  flip<-1>(x)  broadcast_to<4, 3>(x)  squeeze<0>(x)
// Needs: elementwise.hpp. Leaves: views where the graph has views. (joining.hpp, padding.hpp and
// repetition.hpp copy.)
#pragma once

#include <weft/lang/elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

// A name that only one side has, once: the run binds or checks it.
constexpr bool names_the_product(extents const& a, extents const& b) {
  for (int side = 0; side < 2; ++side) {
    extents const &has = side == 0 ? a : b, &lacks = side == 0 ? b : a;
    int own = 0;
    bool covered = true;
    for (int i = 0; i < has.rank; ++i)
      if (is_named(has[i]) && times(lacks, has[i]) == 0) ++own;
    for (int i = 0; i < lacks.rank; ++i)
      covered &= !is_named(lacks[i]) || times(lacks, lacks[i]) >= times(has, lacks[i]);
    if (own == 1 && covered) return true;
  }
  return false;
}
constexpr bool may_reshape(extents const& from, extents const& to) {
  return same_count(from, to) || names_the_product(from, to);
}
template <class From, class To>
concept same_number_of_elements = may_reshape(From::value, To::value);
template <class S, auto... I>
concept permutation_of = (sizeof...(I) == S::rank) && different_axes<S, I...>;

constexpr extents permuted(extents const& s, extents const& p) {
  extents r;
  for (int i = 0; i < p.rank; ++i) r.push(s[static_cast<int>(p[i])]);
  return r;
}

// -1 stands for what is left of the elements: a number, or one name. 0 in `resolved`: nothing fits.
template <auto E>
inline constexpr bool is_rest = std::is_same_v<std::remove_cv_t<decltype(E)>, int> && [] {
  if constexpr (std::is_same_v<std::remove_cv_t<decltype(E)>, int>) return E == -1;
  else return false;
}();
struct resolved {
  bool ok = true;
  extents shape;
};
constexpr resolved resolve_rest(extents const& from, extents to, int place) {
  extent name = 0;
  to[place] = 1;
  int left = 0;
  for (int i = 0; i < from.rank; ++i) {
    if (!is_named(from[i]) || from[i] == name) continue;
    int const more = times(from, from[i]) - times(to, from[i]);
    left += more;
    if (more != 0) name = from[i];
  }
  extent const whole = product_of_numbers(from), part = product_of_numbers(to);
  to[place] = left == 1 ? name : part == 0 ? 0 : whole / part;
  return {left <= 1 && (left == 0 || whole == part) && part != 0 && same_count(from, to), to};
}
template <auto... E> consteval resolved resolve(extents const& from) {
  resolved r;
  int place = -1, at = 0;
  ((place = is_rest<E> ? at : place, r.shape.push(is_rest<E> ? 1 : extent_value<E>()), ++at), ...);
  return place < 0 ? r : resolve_rest(from, r.shape, place);
}
template <int Rests> concept at_most_one_rest = Rests <= 1;
template <class S, auto... E> concept rest_can_be_known = resolve<E...>(S::value).ok;

constexpr extents moved(int rank, int from, int to) {
  extents r;
  for (int i = 0; i < rank; ++i)
    if (i != from) {
      if (r.rank == to) r.push(from);
      r.push(i);
    }
  if (r.rank < rank) r.push(from);
  return r;
}
constexpr extents swapped(int rank, int a, int b) {
  extents r;
  for (int i = 0; i < rank; ++i) r.push(i == a ? b : i == b ? a : i);
  return r;
}
constexpr extents with_axis(extents const& s, int axis, extent e) {
  extents r;
  for (int i = 0; i <= s.rank; ++i) {
    if (i == axis) r.push(e);
    if (i < s.rank) r.push(s[i]);
  }
  return r;
}
// New axes of extent 1 at the places in `set`, which count in the result.
constexpr extents expanded(extents const& s, extent set, int added) {
  extents r;
  int at = 0;
  for (int i = 0; i < s.rank + added; ++i) r.push(((set >> i) & 1) != 0 ? 1 : s[at++]);
  return r;
}
template <int... Axes> consteval extent axis_set([[maybe_unused]] int rank) {
  return (extent{0} | ... | (extent{1} << plain_axis(Axes, rank)));
}
constexpr extent unit_axes(extents const& s) {
  extent set = 0;
  for (int i = 0; i < s.rank; ++i) set |= s[i] == 1 ? extent{1} << i : 0;
  return set;
}
template <class S, int Axis> concept axis_of_extent_1 = S::value[plain_axis(Axis, S::rank)] == 1;
// A shape of which only the rank is known.
template <int Rank> struct ranked {
  static constexpr int rank = Rank;
};

} // namespace detail

// The same elements in row-major order; names stay, in any place: reshape<6>(x) of a (2, 3). One
// extent may be -1, what is left: reshape<-1, 3>(x). A name that x lacks is what is left for the
// run: reshape<all>(x) of a (rows, 3) binds all, and reshape<rows, 3> of that is x again.
template <auto... E, traced_array A> constexpr auto reshape(A const& a) {
  using T = typename A::element_type;
  using From = typename A::shape_type;
  constexpr int rests = (static_cast<int>(detail::is_rest<E>) + ... + 0);
  static_assert(detail::at_most_one_rest<rests>, "weft: reshape: one extent at most is -1");
  if constexpr (rests > 1) return a;
  else if constexpr (rests == 1) {
    static_assert(detail::rest_can_be_known<From, E...>,
                  "weft: reshape: no extent in place of -1 gives the same number of elements");
    constexpr extents to = detail::resolve<E...>(From::value).shape;
    return traced_of<T, to>{reshape(a.value, to)};
  } else {
    using To = shape<E...>;
    static_assert(detail::same_number_of_elements<From, To>,
                  "weft: reshape: the numbers of elements differ");
    return traced<T, E...>{reshape(a.value, To::value)};
  }
}
namespace detail {
template <class S> concept fits_one_axis = rest_can_be_known<S, -1>;
template <class S> consteval bool check_flat() {
  constexpr bool fits = fits_one_axis<S>;
  static_assert(fits, "weft: a named extent beside others does not flatten; name the result");
  return fits;
}
} // namespace detail

// One axis of all elements; a named extent alone or beside ones, or with a name for all of them:
// ravel<all>(x).
template <traced_array A> constexpr auto ravel(A const& a) {
  if constexpr (detail::check_flat<typename A::shape_type>()) return weft::reshape<-1>(a);
  else return a;
}
template <traced_array A> constexpr auto flatten(A const& a) { return weft::ravel(a); }
template <sym Name, traced_array A> constexpr auto ravel(A const& a) {
  return weft::reshape<Name>(a);
}
template <sym Name, traced_array A> constexpr auto flatten(A const& a) {
  return weft::reshape<Name>(a);
}
// Axis i of the result is axis P_i of x; without a list the order of axes is reversed.
template <int... P, traced_array A> constexpr auto transpose(A const& a) {
  using S = typename A::shape_type;
  if constexpr (sizeof...(P) == 0 && S::rank > 0)
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

// Axis From put at place To, the others in their order: move_axis<0, -1>(x) of (2, 3, 4) is
// (3, 4, 2).
template <int From, int To, traced_array A> constexpr auto move_axis(A const& a) {
  using S = typename A::shape_type;
  if constexpr (detail::check_axes<S, From>() && detail::check_axes<S, To>()) {
    constexpr extents p = detail::moved(S::rank, plain_axis(From, S::rank),
                                        plain_axis(To, S::rank));
    constexpr extents to = detail::permuted(S::value, p);
    return traced_of<typename A::element_type, to>{transpose(a.value, {p.d, p.rank})};
  } else return a;
}
// Two axes in each other's place.
template <int First, int Second, traced_array A> constexpr auto swap_axes(A const& a) {
  using S = typename A::shape_type;
  if constexpr (detail::check_axes<S, First>() && detail::check_axes<S, Second>()) {
    constexpr extents p = detail::swapped(S::rank, plain_axis(First, S::rank),
                                          plain_axis(Second, S::rank));
    constexpr extents to = detail::permuted(S::value, p);
    return traced_of<typename A::element_type, to>{transpose(a.value, {p.d, p.rank})};
  } else return a;
}
// Without the named axes, which have extent 1; without a list, without all such axes.
template <int... Axes, traced_array A> constexpr auto squeeze(A const& a) {
  using S = typename A::shape_type;
  if constexpr (detail::check_axes<S, Axes...>()) {
    static_assert((detail::axis_of_extent_1<S, Axes> && ...),
                  "weft: squeeze: the extent of the axis is not 1");
    constexpr extent set = sizeof...(Axes) == 0 ? detail::unit_axes(S::value)
                                                : detail::axis_set<Axes...>(S::rank);
    constexpr extents to = without_axes(S::value, set);
    if constexpr ((detail::axis_of_extent_1<S, Axes> && ...))
      return traced_of<typename A::element_type, to>{reshape(a.value, to)};
    else return a;
  } else return a;
}
// With new axes of extent 1 at these places of the result: expand_dims<1>(x) of (2, 3) is (2, 1, 3).
template <int... Axes, traced_array A> constexpr auto expand_dims(A const& a) {
  using S = typename A::shape_type;
  constexpr int added = static_cast<int>(sizeof...(Axes)), rank = S::rank + added;
  if constexpr (detail::check_room<S, added>()) {
    if constexpr (detail::check_axes<detail::ranked<rank>, Axes...>()) {
      constexpr extents to = detail::expanded(S::value, detail::axis_set<Axes...>(rank), added);
      return traced_of<typename A::element_type, to>{reshape(a.value, to)};
    } else return a;
  } else return a;
}

} // namespace weft::inline v0
