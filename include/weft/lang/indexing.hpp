// SPDX-License-Identifier: BSL-1.0
// Elements at run-time places: take, take_along_axis, gather, one_hot, and functional updates
// scatter, scatter_add, scatter_mul, scatter_min, scatter_max.
//   take<0>(x, i)              x[i, :], of any shape of i: an embedding
//   take_along_axis<1>(x, i)   y[a, b] = x[a, i[a, b]]
//   gather<0, 2>(x, i)         y[..., b] = x[i[..., 0], b, i[..., 1]]
//   scatter_add<0>(x, i, u)    x.at[i].add(u)
// Indices are int; negative ones count from the end. Reads clamp what is still outside; updates
// there are dropped. Where several updates meet, they are applied in row-major order of their
// indices: of `scatter` the last stays.
// Needs: operand.hpp, graph/handle_gather.hpp. Leaves: one gather or scatter behind the indices'
// own arithmetic. Errors: indices of another type, shapes that do not fit, an axis without
// elements.
#pragma once

#include <weft/graph/handle_gather.hpp>
#include <weft/graph/run_extent.hpp>
#include <weft/lang/elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

template <class I> concept index_operand = std::is_same_v<element_of<I>, std::int32_t>;
template <class I> consteval bool check_indices() {
  static_assert(index_operand<I>, "weft: the indices are not int; write convert<int>(i)");
  return index_operand<I>;
}
template <class S, auto... Axes>
concept axes_with_elements = ((S::value[plain_axis(Axes, S::rank)] != 0) && ...);
template <class S, auto... Axes> consteval bool check_readable() {
  static_assert(axes_with_elements<S, Axes...>,
                "weft: take, at, set or pad: the axis has no element to take");
  return axes_with_elements<S, Axes...>;
}

// The windows follow the indices' axes.
constexpr gather_dims picking_several(extents const& x, extents const& axes, int index_rank) {
  gather_dims d = picking(x, axes, index_rank - 1);
  for (int i = 0; i < x.rank - axes.rank; ++i) d.window_axes |= extent{1} << (index_rank - 1 + i);
  return d;
}
// Negative numbers counted from the end of these axes of x; several: along the last axis of i.
constexpr handle counted_from_end(handle i, extents const& x, extents const& axes, bool several) {
  recorder& r = *i.where;
  handle length;
  for (int k = 0; k < axes.rank; ++k) {
    handle const one = broadcast_to(count_node(r, {1, {x[static_cast<int>(axes[k])]}}, dtype::i32),
                                    i.shape());
    if (k == 0) length = one;
    if (k == 0 || !several) continue;
    handle const number = iota(r, dtype::i32, i.shape(), i.shape().rank - 1);
    length = select(equal(number, constant(r, k, dtype::i32, i.shape())), one, length);
  }
  handle const zero = constant(r, 0, dtype::i32, i.shape());
  return select(less(i, zero), i + length, i);
}

template <int Axis, class S, class I>
inline constexpr extents taken_shape =
    gather_shape(taking(S::value, plain_axis(Axis, S::rank), I::rank), I::value);
// Reads of nothing, from whatever there is: the places that would be read are none.
template <auto To> inline constexpr bool reads_nothing = count_of_numbers(To) == 0;
template <class T, auto To> constexpr auto nothing_read(recorder& r) {
  return traced_of<T, To>{constant(r, 0, dtype_of<T>, To)};
}
// What take_along_axis gives: x's and the indices' common shape, with the indices' extent there.
template <class S, int Axis, class I>
inline constexpr broadcast_result shape_along = broadcast_of(
    with_extent(S::value, plain_axis(Axis, S::rank), I::value[plain_axis(Axis, S::rank)]),
    I::value);
template <class S, int Axis, class I> consteval bool fits_along() {
  if constexpr (I::rank == S::rank) return shape_along<S, Axis, I>.ok;
  else return false;
}
template <class S, int Axis, class I> concept indices_along = fits_along<S, Axis, I>();
template <class S, extent Last> consteval extents with_last() {
  extents s = S::value;
  s.push(Last);
  return s;
}
template <class I, int Axes>
concept index_vectors = I::rank > 0 && I::value[I::rank > 0 ? I::rank - 1 : 0] == Axes;

} // namespace detail

// x's elements at `indices` along an axis, which becomes the indices' axes: take<1>(x, i) of a
// (2, 5, 3) and an (4, 6) is a (2, 4, 6, 3).
template <int Axis, class A, class I>
  requires traced_call<A, I>
constexpr auto take(A const& a, I const& indices) {
  using S = detail::shape_of_operand<A>;
  using T = detail::element_of<A>;
  recorder& r = detail::recorder_of(a, indices);
  constexpr bool ok = detail::check_indices<I>() && detail::check_axes<S, Axis>();
  if constexpr (ok) {
    using IS = detail::shape_of_operand<I>;
    constexpr int axis = plain_axis(Axis, S::rank);
    if constexpr (!detail::check_room<S, IS::rank - 1>()) return detail::as_traced(r, a);
    else {
      constexpr extents to = detail::taken_shape<Axis, S, IS>;
      if constexpr (detail::reads_nothing<to>) return detail::nothing_read<T, to>(r);
      else if constexpr (detail::check_readable<S, Axis>()) {
        handle const x = detail::node_of<T>(r, a, S::value);
        handle const i = detail::counted_from_end(
            detail::node_of<std::int32_t>(r, indices, IS::value), S::value, {1, {axis}}, false);
        return traced_of<T, to>{gather(x, i, detail::taking(S::value, axis, IS::rank))};
      } else return detail::stand_in<traced_of<T, to>>(r);
    }
  } else return detail::as_traced(r, a);
}
// Along an axis, an index for every place of the others: x and the indices have as many axes and,
// but along this one, the same extents or broadcast to such.
template <int Axis, class A, class I>
  requires traced_call<A, I>
constexpr auto take_along_axis(A const& a, I const& indices) {
  using S = detail::shape_of_operand<A>;
  using T = detail::element_of<A>;
  using IS = detail::shape_of_operand<I>;
  recorder& r = detail::recorder_of(a, indices);
  constexpr bool ok = detail::check_indices<I>() && detail::check_axes<S, Axis>();
  if constexpr (ok) {
    static_assert(detail::indices_along<S, Axis, IS>,
                  "weft: take_along_axis: the indices' extents do not fit the array's");
    if constexpr (detail::indices_along<S, Axis, IS>) {
      constexpr int axis = plain_axis(Axis, S::rank);
      constexpr extents to = detail::shape_along<S, Axis, IS>.shape;
      if constexpr (detail::reads_nothing<to>) return detail::nothing_read<T, to>(r);
      else if constexpr (detail::check_readable<S, Axis>()) {
        constexpr extents from = detail::with_extent(to, axis, S::value[axis]);
        handle const x = detail::node_of<T>(r, a, from);
        handle const i = detail::counted_from_end(detail::node_of<std::int32_t>(r, indices, to),
                                                  from, {1, {axis}}, false);
        return traced_of<T, to>{gather(x, i, detail::taking_along(from, axis))};
      } else return detail::as_traced(r, a);
    } else return detail::as_traced(r, a);
  } else return detail::as_traced(r, a);
}
// Elements at vectors of indices, one number per named axis, along the last axis of `indices`; the
// other axes of x follow: gather<0, 2>(x, i) of a (5, 3, 4) and an (7, 2) is a (7, 3).
template <int... Axes, class A, class I>
  requires traced_call<A, I>
constexpr auto gather(A const& a, I const& indices) {
  using S = detail::shape_of_operand<A>;
  using T = detail::element_of<A>;
  using IS = detail::shape_of_operand<I>;
  recorder& r = detail::recorder_of(a, indices);
  constexpr bool ok = detail::check_indices<I>() && detail::check_axes<S, Axes...>();
  if constexpr (ok) {
    static_assert(detail::index_vectors<IS, sizeof...(Axes)>,
                  "weft: gather: the last axis of the indices has a number for each named axis");
    constexpr int added = IS::rank - 1 - static_cast<int>(sizeof...(Axes));
    if constexpr (!detail::index_vectors<IS, sizeof...(Axes)>) return detail::as_traced(r, a);
    else if constexpr (detail::check_room<S, added>()) {
      constexpr extents axes = detail::plain_axes<Axes...>(S::rank);
      constexpr gather_dims d = detail::picking_several(S::value, axes, IS::rank);
      constexpr extents to = gather_shape(d, IS::value);
      if constexpr (detail::reads_nothing<to>) return detail::nothing_read<T, to>(r);
      else if constexpr (detail::check_readable<S, Axes...>()) {
        handle const x = detail::node_of<T>(r, a, S::value);
        handle const i = detail::counted_from_end(
            detail::node_of<std::int32_t>(r, indices, IS::value), S::value, axes, true);
        return traced_of<T, to>{gather(x, i, d)};
      } else return detail::as_traced(r, a);
    } else return detail::as_traced(r, a);
  } else return detail::as_traced(r, a);
}
// Ones where the indices are: one_hot<10>(i) of an (n) is a float (n, 10); an index outside gives
// zeros.
template <auto N, class T = float, class I>
  requires traced_call<I>
constexpr auto one_hot(I const& indices) {
  using S = detail::shape_of_operand<I>;
  recorder& r = detail::recorder_of(indices);
  if constexpr (!detail::check_room<S, 1>()) return indices;
  else if constexpr (detail::check_indices<I>()) {
    constexpr extents to = detail::with_last<S, extent_value<N>()>();
    extent map[max_rank]{};
    for (int i = 0; i < S::rank; ++i) map[i] = i;
    handle const spread = broadcast(indices.value, to, {map, S::rank});
    handle const same = equal(spread, iota(r, dtype::i32, to, S::rank));
    return traced_of<T, to>{weft::convert(same, dtype_of<T>)};
  } else return detail::stand_in<traced_of<T, detail::with_last<S, extent_value<N>()>()>>(r);
}

namespace detail {

// One axis: where take reads; several: where gather reads.
template <class S, class I, int... Axes> consteval gather_dims scatter_dims(scatter_combine how) {
  constexpr extents axes = plain_axes<Axes...>(S::rank);
  gather_dims d = axes.rank == 1 ? taking(S::value, static_cast<int>(axes[0]), I::rank)
                                 : picking_several(S::value, axes, I::rank);
  d.combine = how;
  d.drop = true;
  return d;
}
template <class I, int Axes> concept one_axis_or_vectors = Axes == 1 || index_vectors<I, Axes>;
template <class T, scatter_combine How>
concept combinable = !std::is_same_v<T, bool> ||
                     (How != scatter_combine::add && How != scatter_combine::mul);

template <scatter_combine How, int... Axes, class A, class I, class U>
constexpr auto scatter_into(A const& a, I const& indices, U const& updates) {
  using S = shape_of_operand<A>;
  using T = element_of<A>;
  using IS = shape_of_operand<I>;
  recorder& r = recorder_of(a, indices, updates);
  constexpr bool ok = check_indices<I>() && check_axes<S, Axes...>() && check_elements<T, A, U>();
  static_assert(combinable<T, How>,
                "weft: bool is neither added nor multiplied; write convert<int>(x)");
  if constexpr (ok && combinable<T, How>) {
    constexpr bool vectors = one_axis_or_vectors<IS, sizeof...(Axes)>;
    static_assert(vectors,
                  "weft: scatter: the last axis of the indices has a number for each named axis");
    constexpr int added = IS::rank - 1 - (sizeof...(Axes) > 1 ? int{sizeof...(Axes)} : 0);
    static_assert(room_for_axes<S, added>, "weft: scatter: an array has at most 8 axes");
    if constexpr (!one_axis_or_vectors<IS, sizeof...(Axes)>) return as_traced(r, a);
    else if constexpr (room_for_axes<S, added>) {
      constexpr gather_dims d = scatter_dims<S, IS, Axes...>(How);
      using To = shape_of_value<gather_shape(d, IS::value)>;
      constexpr bool fit = broadcasts_to<shape_of_operand<U>, To>;
      static_assert(broadcasts_to<shape_of_operand<U>, To>,
                    "weft: scatter: the updates do not broadcast to what take would read");
      if constexpr (fit) {
        handle const i = counted_from_end(node_of<std::int32_t>(r, indices, IS::value), S::value,
                                          plain_axes<Axes...>(S::rank), sizeof...(Axes) > 1);
        handle const x = node_of<T>(r, a, S::value), u = node_of<T>(r, updates, To::value);
        return traced_of<T, S::value>{scatter(x, u, i, d)};
      } else return as_traced(r, a);
    } else return as_traced(r, a);
  } else return as_traced(r, a);
}

} // namespace detail

// x with take<Axis>(x, indices) replaced by the updates, which broadcast to it; of several axes
// with gather<Axes...>(x, indices) replaced. The last update of an element stays.
template <int... Axes, class A, class I, class U>
  requires traced_call<A, I, U>
constexpr auto scatter(A const& a, I const& indices, U const& updates) {
  return detail::scatter_into<scatter_combine::set, Axes...>(a, indices, updates);
}
// x plus its updates, in row-major order of the indices; bf16 adds in float and rounds once.
template <int... Axes, class A, class I, class U>
  requires traced_call<A, I, U>
constexpr auto scatter_add(A const& a, I const& indices, U const& updates) {
  return detail::scatter_into<scatter_combine::add, Axes...>(a, indices, updates);
}
template <int... Axes, class A, class I, class U>
  requires traced_call<A, I, U>
constexpr auto scatter_mul(A const& a, I const& indices, U const& updates) {
  return detail::scatter_into<scatter_combine::mul, Axes...>(a, indices, updates);
}
template <int... Axes, class A, class I, class U>
  requires traced_call<A, I, U>
constexpr auto scatter_min(A const& a, I const& indices, U const& updates) {
  return detail::scatter_into<scatter_combine::min, Axes...>(a, indices, updates);
}
template <int... Axes, class A, class I, class U>
  requires traced_call<A, I, U>
constexpr auto scatter_max(A const& a, I const& indices, U const& updates) {
  return detail::scatter_into<scatter_combine::max, Axes...>(a, indices, updates);
}

} // namespace weft::inline v0
