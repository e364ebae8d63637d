// SPDX-License-Identifier: BSL-1.0
// Elements again or elsewhere: roll, repeat, tile, diff.
//   roll<1, 0>(x)   roll<-1>(x, i)   repeat<2, 1>(x)   tile<2, 3>(x)   diff<1, -1>(x)
// Along a named axis roll needs nothing more; the others name what they make:
//   repeat<2, 0, twice>(x)   tile<2, 1, twice>(x)   diff<1, -1, rest>(x)
// Needs: at.hpp, joining.hpp. Leaves: copies.
#pragma once

#include <weft/lang/at.hpp>
#include <weft/lang/joining.hpp>

namespace weft::inline v0 {
namespace detail {

// A shift of the run along a number of elements: a window of x twice, from (-shift) mod n on.
constexpr handle roll_window(recorder& r, handle x, int axis, handle shift) {
  extent const n = x.shape()[axis];
  handle both[] = {x, x}, length = constant(r, static_cast<double>(n), dtype::i32, {});
  handle zero = constant(r, 0, dtype::i32, {});
  handle rest = shift - shift / length * length; // the sign of shift
  growing<handle> starts(x.shape().rank, zero);
  starts[axis] = select(greater(rest, zero), length - rest, -rest);
  return dynamic_slice(concat({both, 2}, axis), x.shape(), starts);
}
// The element that comes to place i: i - shift, modulo the extent.
constexpr handle roll_at_run(recorder& r, handle x, int axis, handle shift) {
  extent const n = x.shape()[axis];
  if (n == 0) return x;
  if (!is_named(n)) return roll_window(r, x, axis, shift);
  extents const all{1, {n}};
  handle const length = count_node(r, all, dtype::i32), zero = constant(r, 0, dtype::i32, all);
  handle const rest = shift - shift / length * length; // the sign of shift
  handle const place = iota(r, dtype::i32, all, 0) - broadcast_to(rest, all);
  handle const whole = broadcast_to(length, all);
  handle const inside = select(less(place, zero), place + whole,
                               select(less(place, whole), place, place - whole));
  gather_dims d = taking(x.shape(), axis, 1);
  d.drop = true; // nothing is outside; and no element need be there
  return gather(x, inside, d);
}
constexpr handle roll_by(handle x, int axis, extent shift) {
  extent const n = x.shape()[axis];
  if (is_named(n) && shift != 0) {
    recorder& r = *x.where;
    return roll_at_run(r, x, axis, constant(r, static_cast<double>(shift), dtype::i32, {}));
  }
  if (n == 0 || shift == 0 || shift % n == 0) return x;
  extent const k = ((shift % n) + n) % n;
  handle both[] = {slice_axis(x, axis, n - k, k), slice_axis(x, axis, 0, n - k)};
  return concat({both, 2}, axis);
}
constexpr handle roll_axes(handle x, extent axes, extent shift) {
  for (int i = 0; i < x.shape().rank; ++i)
    if (has_axis(axes, i)) x = roll_by(x, i, shift);
  return x;
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
// Every element `count` times (each), or the whole axis `count` times; `result` is its extent then.
constexpr handle repeat_by(handle x, int axis, extent count, bool each, extent result) {
  extents to = x.shape();
  to[axis] = result;
  if (count == 1) return reshape(x, to);
  around_axis const a = around(x.shape(), axis);
  int const place = a.axis + (each ? 1 : 0);
  extents spread = with_axis(a.shape, place, count);
  extent map[max_rank]{};
  for (int i = 0; i < a.shape.rank; ++i) map[i] = i < place ? i : i + 1;
  return reshape(broadcast(reshape(x, a.shape), spread, {map, a.shape.rank}), to);
}

template <class S, int Axis, bool Named = false>
concept repeatable = is_named(S::value[plain_axis(Axis, S::rank)]) == Named &&
                     (is_static(S::value) || S::rank < max_rank);

// What tile does: counts and result extents, aligned at the end; the names that follow the counts
// are those of the repeated named axes, in order.
struct tiling {
  bool ok = true;
  extents counts, result;
};
constexpr tiling tiling_of(extents const& s, extents const& given, view<extent> names) {
  tiling t;
  int used = 0;
  int const rank = s.rank > given.rank ? s.rank : given.rank;
  for (int i = 0; i < rank; ++i) {
    int const axis = i - (rank - s.rank), at = i - (rank - given.rank);
    extent const e = axis < 0 ? 1 : s[axis], count = at < 0 ? 1 : given[at];
    bool const renamed = is_named(e) && count != 1;
    t.ok = t.ok && count >= 0 && (!renamed || used < names.size()) &&
           (count == 1 || is_static(s) || rank < max_rank);
    t.counts.push(count);
    t.result.push(!renamed ? e * count : used < names.size() ? names[used] : e);
    used += renamed;
  }
  t.ok = t.ok && used == names.size();
  return t;
}
constexpr extents with_rank(extents const& s, int rank) {
  extents r;
  for (int i = 0; i < rank; ++i) r.push(i < rank - s.rank ? 1 : s[i - (rank - s.rank)]);
  return r;
}
constexpr handle tile_by(handle x, tiling const& t) {
  x = reshape(x, with_rank(x.shape(), t.counts.rank));
  for (int i = 0; i < t.counts.rank; ++i) x = repeat_by(x, i, t.counts[i], false, t.result[i]);
  return x;
}
template <auto E> consteval bool is_count() {
  return std::is_same_v<std::remove_cv_t<decltype(E)>, int>;
}
template <auto... R> consteval tiling tiling_with(extents const& s) {
  extents counts;
  growing<extent> names;
  ((is_count<R>() ? counts.push(extent_value<R>()) : names.push(extent_value<R>())), ...);
  return tiling_of(s, counts, names);
}
template <class S, auto... R> inline constexpr tiling tiling_for = tiling_with<R...>(S::value);
template <class S, auto... R> concept tileable = tiling_for<S, R...>.ok;

constexpr handle diff_by(handle x, int axis, int n) {
  for (; n > 0; --n) {
    extent const rest = x.shape()[axis] > 0 ? x.shape()[axis] - 1 : 0;
    handle above = slice_axis(x, axis, x.shape()[axis] - rest, rest);
    handle below = slice_axis(x, axis, 0, rest);
    x = x.type() == dtype::boolean ? compare(op::not_equal, above, below) : above - below;
  }
  return x;
}

// Of a named axis: from element i on, all that have n - i behind them; every order of differences
// has the elements of the last, so that the extents between need no names.
constexpr handle diff_named(handle x, int axis, int n, extent name) {
  growing<handle> d;
  if (n == 0) return reshape(x, with_extent(x.shape(), axis, name));
  for (int i = 0; i <= n; ++i) {
    view_plan p;
    p.axis[axis] = {
        .start = i, .limit = n == i ? x.shape()[axis] : before_end(n - i), .length = name};
    d.push(range_of(p, axis, x, axis));
  }
  for (; n > 0; --n)
    for (int i = 0; i < n; ++i)
      d[i] = x.type() == dtype::boolean ? compare(op::not_equal, d[i + 1], d[i]) : d[i + 1] - d[i];
  return d[0];
}

} // namespace detail

// Elements move by Shift places along each of the axes, what falls off the end comes back in front;
// without an axis, along all elements in row-major order: roll<1, 0>(x), roll<5>(x).
template <int Shift, int... Axes, traced_array A> constexpr A roll(A const& a) {
  using S = typename A::shape_type;
  if constexpr (!detail::check_axes<S, Axes...>()) return a;
  else if constexpr (sizeof...(Axes) == 0) {
    handle const all = reshape(a.value, {1, {product_extent(S::value)}});
    return A{reshape(detail::roll_by(all, 0, Shift), S::value)};
  } else return A{detail::roll_axes(a.value, detail::axis_set<Axes...>(S::rank), Shift)};
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
    handle x = detail::node_of<T>(r, a, S::value), by = detail::node_of<std::int32_t>(r, shift, {});
    return traced_of<T, S::value>{detail::roll_at_run(r, x, axis, by)};
  } else return detail::as_traced(r, a);
}

// Every element N times along an axis: repeat<2, 0>(x) of (1, 2) is (1, 1, 2, 2).
template <int N, int Axis, traced_array A> constexpr auto repeat(A const& a) {
  using S = typename A::shape_type;
  static_assert(non_negative<N>, "weft: repeat: the number of times is at least 0");
  if constexpr (!detail::check_axes<S, Axis>() || N < 0) return a;
  else {
    static_assert(detail::repeatable<S, Axis>,
                  "weft: repeat: a named extent; name the result's, repeat<n, axis, name>(x)");
    if constexpr (detail::repeatable<S, Axis>) {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extents to = detail::with_extent(S::value, axis, S::value[axis] * N);
      return traced_of<typename A::element_type, to>{
          detail::repeat_by(a.value, axis, N, true, to[axis])};
    } else return a;
  }
}
// Along a named axis, whose result takes another name, bound by the run: repeat<2, 0, twice>(x).
template <int N, int Axis, sym Name, traced_array A> constexpr auto repeat(A const& a) {
  using S = typename A::shape_type;
  static_assert(non_negative<N>, "weft: repeat: the number of times is at least 0");
  if constexpr (!detail::check_axes<S, Axis>() || N < 0) return a;
  else {
    constexpr bool fits = detail::repeatable<S, Axis, true>;
    static_assert(fits, "weft: repeat: a result's name is for a named axis, of 7 axes at most");
    constexpr int axis = plain_axis(Axis, S::rank);
    constexpr extents to = detail::with_extent(S::value, axis, extent_value<Name>());
    if constexpr (fits)
      return traced_of<typename A::element_type, to>{
          detail::repeat_by(a.value, axis, N, true, to[axis])};
    else return a;
  }
}
// The same of all elements in row-major order; rank 1.
template <int N, traced_array A> constexpr auto repeat(A const& a) {
  if constexpr (detail::check_flat<typename A::shape_type>())
    return weft::repeat<N, 0>(weft::reshape<-1>(a));
  else return a;
}
template <int N, sym Name, traced_array A> constexpr auto repeat(A const& a) {
  static_assert(non_negative<N>, "weft: repeat: the number of times is at least 0");
  extents const all{1, {product_extent(A::shape_type::value)}};
  return traced<typename A::element_type, Name>{
      detail::repeat_by(reshape(a.value, all), 0, N < 0 ? 1 : N, true, extent_value<Name>())};
}
// The whole array, again and again along its axes, the last ones first as in NumPy:
// tile<2, 1, 2>(x) of (2, 3) is (2, 2, 6). Repeated named axes take names, which stand behind the
// counts, bound by the run: tile<2, 1, twice>(x) of (rows, 3) is (twice, 3).
template <auto... R, traced_array A> constexpr auto tile(A const& a) {
  using S = typename A::shape_type;
  constexpr int more = (0 + ... + static_cast<int>(detail::is_count<R>())) - S::rank;
  if constexpr (!detail::check_room<S, (more > 0 ? more : 0)>()) return a;
  else {
    static_assert(detail::tileable<S, R...>,
                  "weft: tile: a named extent, or a negative number of times; give each repeated "
                  "named axis a name behind the counts");
    if constexpr (detail::tileable<S, R...>) {
      constexpr detail::tiling t = detail::tiling_for<S, R...>;
      return traced_of<typename A::element_type, t.result>{detail::tile_by(a.value, t)};
    } else return a;
  }
}

// Neighbours subtracted, N times; of bool, whether they differ: diff(x) of 1 4 9 is 3 5.
template <int N = 1, int Axis = -1, traced_array A> constexpr auto diff(A const& a) {
  using S = typename A::shape_type;
  static_assert(non_negative<N>, "weft: diff: the number of times is at least 0");
  if constexpr (!detail::check_axes<S, Axis>() || N < 0) return a;
  else {
    static_assert(detail::extent_is_a_number<detail::extent_at<S, Axis>>,
                  "weft: diff: a named extent; name the result's, diff<n, axis, name>(x)");
    constexpr int axis = plain_axis(Axis, S::rank);
    if constexpr (!is_named(S::value[axis])) {
      constexpr extent n = S::value[axis];
      constexpr extents to = detail::with_extent(S::value, axis, n > N ? n - N : 0);
      return traced_of<typename A::element_type, to>{detail::diff_by(a.value, axis, N)};
    } else return a;
  }
}
// Along a named axis, whose result takes another name, bound by the run: diff<1, 0, rest>(x).
template <int N, int Axis, sym Name, traced_array A> constexpr auto diff(A const& a) {
  using S = typename A::shape_type;
  static_assert(non_negative<N>, "weft: diff: the number of times is at least 0");
  if constexpr (!detail::check_axes<S, Axis>() || N < 0) return a;
  else {
    constexpr int axis = plain_axis(Axis, S::rank);
    constexpr bool named = is_named(S::value[axis]);
    static_assert(named, "weft: diff: the axis has a number; leave out the name");
    constexpr extents to = detail::with_extent(S::value, axis, extent_value<Name>());
    if constexpr (named)
      return traced_of<typename A::element_type, to>{
          detail::diff_named(a.value, axis, N, to[axis])};
    else return a;
  }
}

} // namespace weft::inline v0
