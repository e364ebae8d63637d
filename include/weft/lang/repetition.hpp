// SPDX-License-Identifier: BSL-1.0
// Elements again or elsewhere: roll, repeat, tile, diff.
//   roll<1, 0>(x)   roll<-1>(x, i)   repeat<2, 1>(x)   tile<2, 3>(x)   diff<1, -1>(x)
// Needs: at.hpp, joining.hpp. Leaves: copies. The axes they change have numbers for extents.
#pragma once

#include <weft/lang/at.hpp>
#include <weft/lang/joining.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr handle roll_by(handle x, int axis, extent shift) {
  extent const n = x.shape()[axis];
  if (n == 0 || shift % n == 0) return x;
  extent const k = ((shift % n) + n) % n;
  handle both[] = {slice_axis(x, axis, n - k, k), slice_axis(x, axis, 0, n - k)};
  return concat({both, 2}, axis);
}
constexpr handle roll_axes(handle x, extent axes, extent shift) {
  for (int i = 0; i < x.shape().rank; ++i)
    if (has_axis(axes, i)) x = roll_by(x, i, shift);
  return x;
}
// A shift of the run: a window of x twice, from (-shift) mod n on.
constexpr handle roll_at_run(recorder& r, handle x, int axis, handle shift) {
  extent const n = x.shape()[axis];
  if (n == 0) return x;
  handle both[] = {x, x}, length = constant(r, static_cast<double>(n), dtype::i32, {});
  handle zero = constant(r, 0, dtype::i32, {});
  handle rest = shift - shift / length * length; // the sign of shift
  growing<handle> starts(x.shape().rank, zero);
  starts[axis] = select(greater(rest, zero), length - rest, -rest);
  return dynamic_slice(concat({both, 2}, axis), x.shape(), starts);
}

// (a, b, c) around an axis; with names, which have no product, the axes as they are.
struct around_axis {
  extents shape;
  int axis = 0;
};
constexpr around_axis around(extents const& s, int axis) {
  if (!is_static(s)) return {s, axis};
  extents r{3, {1, s[axis], 1}};
  for (int i = 0; i < s.rank; ++i)
    if (i != axis) r[i < axis ? 0 : 2] *= s[i];
  return {r, 1};
}
// Every element `count` times (each), or the whole axis `count` times.
constexpr handle repeat_by(handle x, int axis, extent count, bool each) {
  if (count == 1) return x;
  extents to = x.shape();
  to[axis] *= count;
  around_axis const a = around(x.shape(), axis);
  int const place = a.axis + (each ? 1 : 0);
  extents spread = with_axis(a.shape, place, count);
  extent map[max_rank]{};
  for (int i = 0; i < a.shape.rank; ++i) map[i] = i < place ? i : i + 1;
  return reshape(broadcast(reshape(x, a.shape), spread, {map, a.shape.rank}), to);
}

template <class S> concept extents_have_one_product = is_static(S::value) || S::rank <= 1;
template <class S, int Axis>
concept repeatable = !is_named(S::value[plain_axis(Axis, S::rank)]) &&
                     (is_static(S::value) || S::rank < max_rank);
template <int N> concept not_negative = N >= 0;

template <int... R> consteval extents tile_counts(int rank) {
  int const given[] = {R..., 1};
  constexpr int count = sizeof...(R);
  extents r;
  for (int i = 0; i < (rank > count ? rank : count); ++i) {
    int at = i - (rank > count ? rank - count : 0);
    r.push(at < 0 ? 1 : given[at]);
  }
  return r;
}
constexpr extents with_rank(extents const& s, int rank) {
  extents r;
  for (int i = 0; i < rank; ++i) r.push(i < rank - s.rank ? 1 : s[i - (rank - s.rank)]);
  return r;
}
constexpr extents tiled_shape(extents s, extents const& counts) {
  s = with_rank(s, counts.rank);
  for (int i = 0; i < s.rank; ++i) s[i] = counts[i] == 1 ? s[i] : s[i] * counts[i];
  return s;
}
constexpr bool may_tile(extents const& s, extents const& counts) {
  extents const all = with_rank(s, counts.rank);
  for (int i = 0; i < all.rank; ++i)
    if (counts[i] < 0 || (counts[i] != 1 && (is_named(all[i]) || (!is_static(s) && all.rank == 8))))
      return false;
  return true;
}
constexpr handle tile_by(handle x, extents const& counts) {
  x = reshape(x, with_rank(x.shape(), counts.rank));
  for (int i = 0; i < counts.rank; ++i) x = repeat_by(x, i, counts[i], false);
  return x;
}
template <class S, int... R> concept tileable = may_tile(S::value, tile_counts<R...>(S::rank));

constexpr handle diff_by(handle x, int axis, int n) {
  for (; n > 0; --n) {
    extent const rest = x.shape()[axis] > 0 ? x.shape()[axis] - 1 : 0;
    handle above = slice_axis(x, axis, x.shape()[axis] - rest, rest);
    handle below = slice_axis(x, axis, 0, rest);
    x = x.type() == dtype::boolean ? compare(op::not_equal, above, below) : above - below;
  }
  return x;
}

} // namespace detail

// Elements move by Shift places along each of the axes, what falls off the end comes back in front;
// without an axis, along all elements in row-major order: roll<1, 0>(x), roll<5>(x).
template <int Shift, int... Axes, traced_array A> constexpr A roll(A const& a) {
  using S = typename A::shape_type;
  if constexpr (!detail::check_axes<S, Axes...>()) return a;
  else if constexpr (sizeof...(Axes) == 0) {
    static_assert(is_static(S::value),
                  "weft: roll: a named extent; give an axis that has a number");
    if constexpr (is_static(S::value)) {
      handle all = reshape(a.value, {1, {count_of(S::value)}});
      return A{reshape(detail::roll_by(all, 0, Shift), S::value)};
    } else return a;
  } else {
    constexpr bool numbers = (!is_named(S::value[plain_axis(Axes, S::rank)]) && ...);
    static_assert(numbers, "weft: roll: a named extent; give an axis that has a number");
    if constexpr (numbers)
      return A{detail::roll_axes(a.value, detail::axis_set<Axes...>(S::rank), Shift)};
    else return a;
  }
}
// The same by a shift that the run gives, a rank-0 int: roll<0>(x, i).
template <int Axis, class A, class I>
  requires(traced_call<A, I> && !number_literal<A>)
constexpr auto roll(A const& a, I const& shift) {
  using T = detail::element_of<A>;
  using S = detail::shape_of_operand<A>;
  recorder& r = detail::recorder_of(a, shift);
  if constexpr (detail::check_axes<S, Axis>() && detail::check_index_type<I>()) {
    constexpr int axis = plain_axis(Axis, S::rank);
    static_assert(!is_named(S::value[axis]),
                  "weft: roll: a named extent; give an axis that has a number");
    handle x = detail::node_of<T>(r, a, S::value), by = detail::node_of<std::int32_t>(r, shift, {});
    if constexpr (!is_named(S::value[axis]))
      return traced_of<T, S::value>{detail::roll_at_run(r, x, axis, by)};
    else return traced_of<T, S::value>{x};
  } else return detail::as_traced(r, a);
}

// Every element N times along an axis: repeat<2, 0>(x) of (1, 2) is (1, 1, 2, 2).
template <int N, int Axis, traced_array A> constexpr auto repeat(A const& a) {
  using S = typename A::shape_type;
  static_assert(detail::not_negative<N>, "weft: repeat: the number of times is at least 0");
  if constexpr (!detail::check_axes<S, Axis>() || N < 0) return a;
  else {
    static_assert(detail::repeatable<S, Axis>,
                  "weft: repeat: a named extent; repeat along an axis that has a number");
    if constexpr (detail::repeatable<S, Axis>) {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extents to = detail::with_extent(S::value, axis, S::value[axis] * N);
      return traced_of<typename A::element_type, to>{detail::repeat_by(a.value, axis, N, true)};
    } else return a;
  }
}
// The same of all elements in row-major order; rank 1.
template <int N, traced_array A> constexpr auto repeat(A const& a) {
  if constexpr (detail::check_flat<typename A::shape_type>())
    return weft::repeat<N, 0>(weft::reshape<-1>(a));
  else return a;
}
// The whole array, again and again along its axes, the last ones first as in NumPy:
// tile<2, 1, 2>(x) of (2, 3) is (2, 2, 6).
template <int... R, traced_array A> constexpr auto tile(A const& a) {
  using S = typename A::shape_type;
  constexpr int more = static_cast<int>(sizeof...(R)) - S::rank;
  if constexpr (!detail::check_room<S, (more > 0 ? more : 0)>()) return a;
  else {
    static_assert(detail::tileable<S, R...>,
                  "weft: tile: a named extent, or a negative number of times");
    if constexpr (detail::tileable<S, R...>) {
      constexpr extents counts = detail::tile_counts<R...>(S::rank);
      constexpr extents to = detail::tiled_shape(S::value, counts);
      return traced_of<typename A::element_type, to>{detail::tile_by(a.value, counts)};
    } else return a;
  }
}

// Neighbours subtracted, N times; of bool, whether they differ: diff(x) of 1 4 9 is 3 5.
template <int N = 1, int Axis = -1, traced_array A> constexpr auto diff(A const& a) {
  using S = typename A::shape_type;
  static_assert(detail::not_negative<N>, "weft: diff: the number of times is at least 0");
  if constexpr (!detail::check_axes<S, Axis>() || N < 0) return a;
  else {
    static_assert(detail::extent_is_a_number<detail::extent_at<S, Axis>>,
                  "weft: diff: a named extent; subtract two views of it");
    constexpr int axis = plain_axis(Axis, S::rank);
    if constexpr (!is_named(S::value[axis])) {
      constexpr extent n = S::value[axis];
      constexpr extents to = detail::with_extent(S::value, axis, n > N ? n - N : 0);
      return traced_of<typename A::element_type, to>{detail::diff_by(a.value, axis, N)};
    } else return a;
  }
}

} // namespace weft::inline v0
