// SPDX-License-Identifier: BSL-1.0
// Arrays one after the other, and their parts: concat, stack, split, split_sizes, unstack.
//   concat<0>(a, b, c)   stack<-1>(a, b)   split<3, 1>(x)[0]   split_sizes<0, 2, 5>(x)
// Needs: movement.hpp. Leaves: concat and stack copy; parts are slices.
#pragma once

#include <weft/lang/movement.hpp>

#include <array>
#include <tuple>

namespace weft::inline v0 {
namespace detail {

// Equal but for one axis, along which both are numbers, unless the result takes a name.
constexpr bool joins(extents const& a, extents const& b, int axis, bool names = false) {
  if (a.rank != b.rank) return false;
  if (!names && (is_named(a[axis]) || is_named(b[axis]))) return false;
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
// The first shape that does not join the first one, else the first.
template <int Axis, class First, class... S> consteval auto unjoined() {
  return (choice<First, false>{} | ... | choice<S, !concatenable<First, S, Axis>>{});
}
template <int Axis, class First, class... S> consteval bool check_joins() {
  using bad = typename decltype(unjoined<Axis, First, S...>())::type;
  static_assert(concatenable<First, bad, Axis>,
                "weft: concat: the shapes differ in another axis, or a joined extent has a name "
                "(write concat<axis, name>)");
  return concatenable<First, bad, Axis>;
}
// Of one array nothing is asked: its joined extent may have a name.
template <int Axis, class First, class... S> consteval bool may_join() {
  if constexpr (sizeof...(S) == 0) return true;
  else return check_joins<Axis, First, S...>();
}

// With a name for the result, of which a part must have one.
template <class A, class B, int Axis>
concept concatenable_by_name = joins(A::value, B::value, plain_axis(Axis, A::rank), true);
template <int Axis, class... S>
concept joins_a_name = (is_named(S::value[plain_axis(Axis, S::rank)]) || ...);
template <int Axis, class First, class... S> consteval bool check_named_joins() {
  constexpr bool fit = (concatenable_by_name<First, S, Axis> && ...);
  static_assert(fit, "weft: concat: the shapes differ in another axis");
  if constexpr (fit) {
    static_assert(joins_a_name<Axis, First, S...>,
                  "weft: concat: no joined extent has a name; leave out the result's");
    return joins_a_name<Axis, First, S...>;
  } else return false;
}

template <class A, class B> concept same_shape_to_stack = A::value == B::value;
template <class First, class... S> consteval auto unstackable() {
  return (choice<First, false>{} | ... | choice<S, !same_shape_to_stack<First, S>>{});
}
template <class First, class... S> consteval bool check_stack() {
  using bad = typename decltype(unstackable<First, S...>())::type;
  static_assert(same_shape_to_stack<First, bad>, "weft: stack: the shapes differ");
  return same_shape_to_stack<First, bad>;
}
constexpr handle stack_by(view<handle> parts, int axis) {
  growing<handle> all;
  for (handle h : parts) all.push(reshape(h, with_axis(h.shape(), axis, 1)));
  return concat(all, axis);
}

template <int Parts, class Extent>
concept whole_parts = Parts > 0 && !is_named(Extent::value[0]) && Extent::value[0] % Parts == 0;
// The sizes are numbers that add up to the extent; or, of a named axis, numbers and one name for what
// they leave, the first or the last (from either end the numbers are then known places).
template <class Extent, auto... Sizes> consteval bool are_sizes() {
  extent const sizes[] = {extent_value<Sizes>()..., 0};
  int const count = sizeof...(Sizes);
  extent numbers = 0;
  int names = 0;
  for (int i = 0; i < count; ++i) {
    names += is_named(sizes[i]);
    numbers += is_named(sizes[i]) ? 0 : sizes[i];
  }
  if (!is_named(Extent::value[0])) return names == 0 && numbers == Extent::value[0];
  bool const at_an_end = is_named(sizes[0]) || is_named(sizes[count == 0 ? 0 : count - 1]);
  return names == 1 && at_an_end && numbers > 0;
}
template <class Extent, auto... Sizes> concept sizes_of_extent = are_sizes<Extent, Sizes...>();
template <class Extent, auto... Sizes>
concept a_name_takes_the_rest = !is_named(Extent::value[0]) || are_sizes<Extent, Sizes...>();

// Part I of these sizes of x, whose axis has a name. Numbers behind the name count from the end.
template <int I, auto... Sizes> constexpr handle part_of_named(handle x, int axis) {
  constexpr extent sizes[] = {extent_value<Sizes>()...};
  constexpr bool from_end = is_named(sizes[0]);
  extent at = 0;
  for (int i = from_end ? I + 1 : 0; i < (from_end ? static_cast<int>(sizeof...(Sizes)) : I); ++i)
    at += sizes[i];
  extent const mirrored = from_end ? extent{1} << axis : 0;
  if (!is_named(sizes[I])) {
    handle const turned = from_end ? reverse(x, mirrored) : x;
    handle const part = slice_axis(turned, axis, at, sizes[I]);
    return from_end ? reverse(part, mirrored) : part;
  }
  extents const whole = x.shape();
  extent attributes[3 * max_rank]{};
  for (int i = 0; i < whole.rank; ++i) {
    attributes[whole.rank + i] = whole[i];
    attributes[2 * whole.rank + i] = 1;
  }
  attributes[axis] = from_end ? 0 : at;
  if (from_end) attributes[whole.rank + axis] = before_end(at);
  return slice_to(x, with_extent(whole, axis, sizes[I]), {attributes, 3 * whole.rank});
}
template <class Extent> concept extent_is_a_number = !is_named(Extent::value[0]);
template <class S, int Axis>
using extent_at = shape_of_value<extents{1, {S::value[plain_axis(Axis, S::rank)]}}>;

} // namespace detail

// One after the other along an axis whose extents are numbers; all other extents and the element
// type agree: concat<0>(a, b) of (2, 3) and (4, 3) is (6, 3).
template <int Axis, class A, class... B>
  requires traced_call<A, B...>
constexpr auto concat(A const& a, B const&... b) {
  using T = detail::common_element<A, B...>;
  using S = detail::shape_of_operand<A>;
  recorder& r = detail::recorder_of(a, b...);
  constexpr bool ok = detail::check_axes<S, Axis>() && detail::check_elements<T, A, B...>();
  if constexpr (ok) {
    if constexpr (detail::may_join<Axis, S, detail::shape_of_operand<B>...>()) {
      constexpr extents to = detail::concat_shape<Axis, S, detail::shape_of_operand<B>...>();
      handle all[] = {detail::node_of<T>(r, a, S::value),
                      detail::node_of<T>(r, b, detail::shape_of_operand<B>::value)...};
      return traced_of<T, to>{concat({all, 1 + sizeof...(B)}, plain_axis(Axis, S::rank))};
    } else return detail::as_traced(r, a);
  } else return detail::as_traced(r, a);
}
// Where a joined extent has a name, the result takes another: concat<0, all>(a, b) of (n, 3) and
// (2, 3) is (all, 3). The run binds it to the sum; where it is an argument's, checks it (shape_error).
template <int Axis, sym Name, class A, class... B>
  requires traced_call<A, B...>
constexpr auto concat(A const& a, B const&... b) {
  using T = detail::common_element<A, B...>;
  using S = detail::shape_of_operand<A>;
  recorder& r = detail::recorder_of(a, b...);
  constexpr bool ok = detail::check_axes<S, Axis>() && detail::check_elements<T, A, B...>();
  if constexpr (ok) {
    if constexpr (detail::check_named_joins<Axis, S, detail::shape_of_operand<B>...>()) {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extents to = detail::with_extent(S::value, axis, extent_value<Name>());
      handle all[] = {detail::node_of<T>(r, a, S::value),
                      detail::node_of<T>(r, b, detail::shape_of_operand<B>::value)...};
      return traced_of<T, to>{concat({all, 1 + sizeof...(B)}, axis, to[axis])};
    } else return detail::as_traced(r, a);
  } else return detail::as_traced(r, a);
}
// NumPy's name of concat.
template <int Axis, class A, class... B>
  requires traced_call<A, B...>
constexpr auto concatenate(A const& a, B const&... b) {
  return weft::concat<Axis>(a, b...);
}
// Arrays of one shape along a new axis, which counts in the result: stack(a, b) of (3) is (2, 3).
template <int Axis = 0, class A, class... B>
  requires traced_call<A, B...>
constexpr auto stack(A const& a, B const&... b) {
  using T = detail::common_element<A, B...>;
  using S = detail::shape_of_operand<A>;
  recorder& r = detail::recorder_of(a, b...);
  constexpr bool typed = detail::check_elements<T, A, B...>() && detail::check_room<S, 1>();
  if constexpr (typed && detail::check_stack<S, detail::shape_of_operand<B>...>()) {
    if constexpr (detail::check_axes<detail::ranked<S::rank + 1>, Axis>()) {
      constexpr int axis = plain_axis(Axis, S::rank + 1), count = 1 + sizeof...(B);
      constexpr extents to = detail::with_axis(S::value, axis, count);
      handle all[] = {detail::node_of<T>(r, a, S::value), detail::node_of<T>(r, b, S::value)...};
      return traced_of<T, to>{detail::stack_by({all, count}, axis)};
    } else return detail::as_traced(r, a);
  } else return detail::as_traced(r, a);
}

// N equal parts along an axis, a std::array: auto parts = split<2>(x); parts[0] of a (6, 3) is
// (3, 3).
template <int N, int Axis = 0, traced_array A> constexpr auto split(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  if constexpr (!detail::check_axes<S, Axis>()) return std::array<A, 1>{a};
  else {
    using whole = detail::extent_at<S, Axis>;
    static_assert(detail::whole_parts<N, whole>,
                  "weft: split: the extent is not a multiple of the number of parts");
    if constexpr (detail::whole_parts<N, whole>) {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extent each = whole::value[0] / N;
      std::array<traced_of<T, detail::with_extent(S::value, axis, each)>, N> parts;
      for (int i = 0; i < N; ++i)
        parts[static_cast<unsigned>(i)].value = slice_axis(a.value, axis, i * each, each);
      return parts;
    } else return std::array<A, (N > 0 ? N : 1)>{a};
  }
}
// The same along a named axis; the parts take a name: split<2, 0, half>(x). The run checks that the
// extent is a multiple.
template <int N, int Axis, sym Name, traced_array A> constexpr auto split(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  if constexpr (!detail::check_axes<S, Axis>() || !detail::check_room<S, 1>())
    return std::array<A, 1>{a};
  else {
    constexpr int axis = plain_axis(Axis, S::rank);
    constexpr bool fits = N > 0 && is_named(S::value[axis]);
    static_assert(fits,
                  "weft: split: a name of the parts is for a named axis, and at least one part");
    if constexpr (fits) {
      constexpr extents each = detail::with_extent(S::value, axis, extent_value<Name>());
      handle const all = reshape(a.value, detail::with_axis(each, axis, N));
      std::array<traced_of<T, each>, N> parts;
      for (int i = 0; i < N; ++i)
        parts[static_cast<unsigned>(i)].value = reshape(slice_axis(all, axis, i, 1), each);
      return parts;
    } else return std::array<A, 1>{a};
  }
}
// Parts of these sizes, which add up to the extent, a std::tuple: split_sizes<0, 2, 5>(x). Of a named
// axis a name takes the rest, which is the first or the last: split_sizes<0, 2, 5, rest>(x); the run
// checks that there are so many.
template <int Axis, auto... Sizes, traced_array A> constexpr auto split_sizes(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  if constexpr (!detail::check_axes<S, Axis>()) return std::tuple(a);
  else {
    using whole = detail::extent_at<S, Axis>;
    static_assert(detail::a_name_takes_the_rest<whole, Sizes...>,
                  "weft: split_sizes: of a named axis one part has a name, the first or the last; "
                  "write split_sizes<0, 2, rest>(x)");
    static_assert(is_named(whole::value[0]) || detail::sizes_of_extent<whole, Sizes...>,
                  "weft: split_sizes: the sizes do not add up to the extent");
    if constexpr (detail::sizes_of_extent<whole, Sizes...>) {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extent sizes[] = {extent_value<Sizes>()..., 0};
      extent at = 0;
      auto part = [&]<int I>(std::integral_constant<int, I>) {
        at += sizes[I];
        using part_type = traced_of<T, detail::with_extent(S::value, axis, sizes[I])>;
        if constexpr (is_named(whole::value[0]))
          return part_type{detail::part_of_named<I, Sizes...>(a.value, axis)};
        else return part_type{slice_axis(a.value, axis, at - sizes[I], sizes[I])};
      };
      return [&]<int... I>(std::integer_sequence<int, I...>) {
        return std::tuple{part(std::integral_constant<int, I>{})...}; // braces keep the order
      }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Sizes))>{});
    } else return std::tuple(a);
  }
}
// The arrays along an axis, which goes, a std::array: the inverse of stack.
template <int Axis = 0, traced_array A> constexpr auto unstack(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  if constexpr (!detail::check_axes<S, Axis>()) return std::array<A, 1>{a};
  else {
    using whole = detail::extent_at<S, Axis>;
    static_assert(detail::extent_is_a_number<whole>,
                  "weft: unstack: the axis is named; scan over it, or use at<\"$\">(x, i)");
    if constexpr (detail::extent_is_a_number<whole>) {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extents to = without_axes(S::value, extent{1} << axis);
      std::array<traced_of<T, to>, whole::value[0]> parts;
      for (unsigned i = 0; i < parts.size(); ++i)
        parts[i].value = reshape(slice_axis(a.value, axis, i, 1), to);
      return parts;
    } else return std::array<A, 1>{a};
  }
}

} // namespace weft::inline v0
