// SPDX-License-Identifier: BSL-1.0
// Segments of an axis, each for itself.
//   segmented_scan(f, ids, x)          all prefixes of f, starting anew where ids change
//   segmented_scan<O>(f, heads, x, i)  heads: bool, true where a segment starts; exclusive from i
//   segment_sum<4>(x, ids)             row s is the sum of the rows of x whose id is s
//   segment_prod, segment_max, segment_min; ids in any order, those outside of 0 ... 3 are dropped
//   reduce_by_key(f, keys, x)          one element per run of equal keys: (keys, elements, count)
// segmented_scan takes the options of associative_scan. Its tree is that of Hillis and Steele (1986):
// for d = 1, 2, 4, ... element i of a segment becomes f(its element i - d, element i) where i >= d;
// so a segment's bits are the same whatever is around it. segment_*: the identity, then the rows from
// first to last; a segment without rows is the identity (0, 1, the lowest, the highest).
// Needs: associative_scan.hpp, indexing.hpp. Leaves: a scan's levels with one more integer scan of
// the segments' starts; one scatter.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/lang/associative_scan.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0 {
namespace detail {

// The segments of a scan: a vector of bool or of an integer type, as long as the axis.
template <class S>
concept marks_segments = rank_of<operand_traits<S>> == 1 && std::is_integral_v<element_of<S>>;
template <class S, extent N> concept as_long_as = shape_of_operand<S>::value[0] == N;
template <associative_scan_options O, class S, class X> consteval bool check_segments() {
  if constexpr (check_scanned<O.axis>(leaves_of<X>{})) {
    static_assert(marks_segments<S>, "weft: segmented_scan: the segments are no vector of ids "
                                     "(integers) or heads (bool)");
    if constexpr (marks_segments<S>) {
      constexpr bool fits = as_long_as<S, scanned_extent<O.axis>(leaves_of<X>{})>;
      static_assert(fits, "weft: segmented_scan: the segments are not as long as the axis");
      return fits;
    } else return false;
  } else return false;
}

// x[i - 1] at i; reverse: x[i + 1]. Where there is none, any other.
constexpr handle neighbour(handle x, bool reverse) {
  extent const n = x.shape()[0];
  if (is_named(n)) return shifted(x, 0, constant(*x.where, 1, dtype::i32, {}), reverse);
  return n > 1 ? shifted(x, 0, extent{1}, reverse) : x;
}
constexpr handle differs(handle a, handle b) { return compare(op::not_equal, a, b); }
// Does a run of equal elements start (reverse: end) here? Right but at the end of the vector.
constexpr handle changes(handle x, bool reverse) { return differs(x, neighbour(x, reverse)); }

// How many elements of its segment come before each element.
template <associative_scan_options O, class S>
constexpr handle places_in_segments(S const& segments, handle length) {
  using index = traced_of<std::int32_t, S::shape_type::value>;
  recorder& r = *length.where;
  handle const marks = segments.value;
  bool const ids = marks.type() != dtype::boolean;
  handle const first = ids ? changes(marks, O.reverse) : O.reverse ? neighbour(marks, true) : marks;
  extents const line = S::shape_type::value;
  handle const i = iota(r, dtype::i32, line, 0);
  handle const end = O.reverse ? broadcast_to(length, line) - constant(r, 1, dtype::i32, line)
                               : constant(r, 0, dtype::i32, line);
  index const starts{select(first, i, end)};
  constexpr associative_scan_options how{.axis = 0, .reverse = O.reverse};
  if constexpr (O.reverse)
    return weft::associative_scan<how>(minimum_combination{}, starts).value - i;
  else return i - weft::associative_scan<how>(maximum_combination{}, starts).value;
}
template <associative_scan_options O, class F, class S, class X>
constexpr auto segmented_scan_of(F const& f, S const& segments, X const& xs) {
  auto how = prefix_scan_of<O>(f, xs);
  how.place = places_in_segments<O>(as_traced(how.r, segments), how.length);
  return how;
}

} // namespace detail

// All prefixes of f along an axis within segments, the structure and types of xs. Segments: a
// vector along the axis, of bool (a segment starts here) or of integers (runs of equal ids).
// segmented_scan([](auto a, auto b) { return a + b; }, ids, x)
template <associative_scan_options O = associative_scan_options{}, class F, class S, class X>
  requires wholly_traced<X> && trace_operand<S>
constexpr X segmented_scan(F const& f, S const& segments, X const& xs) {
  if constexpr (detail::check_segments<O, S, X>()) {
    if constexpr (detail::check_combination<F, X>())
      return detail::segmented_scan_of<O>(f, segments, xs).all_levels(xs);
    else return xs;
  } else return xs;
}
// Exclusive: `identity` (leaf by leaf numbers, or arrays of the type that broadcast) stands first
// in each.
template <associative_scan_options O = associative_scan_options{}, class F, class S, class X,
          class I>
  requires wholly_traced<X> && trace_operand<S>
constexpr X segmented_scan(F const& f, S const& segments, X const& xs, I const& identity) {
  if constexpr (detail::check_segments<O, S, X>()) {
    if constexpr (detail::check_combination<F, X>()) {
      if constexpr (detail::check_identity<X, I>()) {
        auto const how = detail::segmented_scan_of<O>(f, segments, xs);
        return how.exclusive(how.all_levels(xs), identity);
      } else return xs;
    } else return xs;
  } else return xs;
}

namespace detail {

// What a segment without rows is.
template <scatter_combine How, class T> constexpr T segment_identity() {
  constexpr bool lowest = How == scatter_combine::max;
  if constexpr (How == scatter_combine::add) return T{};
  else if constexpr (How == scatter_combine::mul) return element_from<T>(1);
  else if constexpr (std::is_integral_v<T>) return lowest ? lowest_number<T> : highest_number<T>;
  else {
    float const top = infinity_f32;
    return T(lowest ? -top : top);
  }
}
template <class X, class I> consteval bool has_id_per_row() {
  if constexpr (rank_of<operand_traits<I>> == 1 && rank_of<operand_traits<X>> > 0)
    return shape_of_operand<X>::value[0] == shape_of_operand<I>::value[0];
  else return false;
}
template <class X, class I> concept one_id_per_row = has_id_per_row<X, I>();

// The words of each function name it.
template <scatter_combine How, class A, class I> consteval bool check_ids() {
  if constexpr (How == scatter_combine::add)
    static_assert(one_id_per_row<A, I>,
                  "weft: segment_sum: the ids are no vector with an id for each row");
  else if constexpr (How == scatter_combine::mul)
    static_assert(one_id_per_row<A, I>,
                  "weft: segment_prod: the ids are no vector with an id for each row");
  else if constexpr (How == scatter_combine::max)
    static_assert(one_id_per_row<A, I>,
                  "weft: segment_max: the ids are no vector with an id for each row");
  else
    static_assert(one_id_per_row<A, I>,
                  "weft: segment_min: the ids are no vector with an id for each row");
  return one_id_per_row<A, I>;
}
template <auto N> consteval bool check_segment_count() {
  constexpr bool counted = non_negative<N>;
  static_assert(counted, "weft: the number of segments is negative");
  return counted;
}

template <scatter_combine How, auto N, class A, class I>
constexpr auto segment_reduce(A const& a, I const& ids) {
  using T = element_of<A>;
  recorder& r = recorder_of(a, ids);
  constexpr bool counted = check_ids<How, A, I>() && check_segment_count<N>();
  static_assert(combinable<T, How>,
                "weft: bool is neither added nor multiplied; write convert<int>(x)");
  if constexpr (counted && combinable<T, How>) {
    using S = shape_of_operand<A>;
    constexpr extents to = with_extent(S::value, 0, extent_value<N>());
    if constexpr (check_indices<I>()) {
      gather_dims d = taking(to, 0, 1);
      d.combine = How;
      d.drop = true;
      handle const start = constant_bits(r, element_bits(segment_identity<How, T>()), dtype_of<T>,
                                         to);
      handle const i = node_of<std::int32_t>(r, ids, shape_of_operand<I>::value);
      return traced_of<T, to>{scatter(start, node_of<T>(r, a, S::value), i, d)};
    } else return stand_in<traced_of<T, to>>(r);
  } else return as_traced(r, a);
}

} // namespace detail

// Rows of x summed by their ids: segment_sum<N>(x, ids) of an (n, ...) and an (n) of int is an
// (N, ...). From +0, rows from first to last, bf16 and f16 in float. An id outside of 0 ... N - 1,
// negative ones too, drops its row.
template <auto N, class A, class I>
  requires traced_call<A, I>
constexpr auto segment_sum(A const& a, I const& ids) {
  return detail::segment_reduce<scatter_combine::add, N>(a, ids);
}
template <auto N, class A, class I>
  requires traced_call<A, I>
constexpr auto segment_prod(A const& a, I const& ids) {
  return detail::segment_reduce<scatter_combine::mul, N>(a, ids);
}
// NaN wins; of no rows -inf, or the lowest integer.
template <auto N, class A, class I>
  requires traced_call<A, I>
constexpr auto segment_max(A const& a, I const& ids) {
  return detail::segment_reduce<scatter_combine::max, N>(a, ids);
}
// NaN wins; of no rows inf, or the highest integer.
template <auto N, class A, class I>
  requires traced_call<A, I>
constexpr auto segment_min(A const& a, I const& ids) {
  return detail::segment_reduce<scatter_combine::min, N>(a, ids);
}

namespace detail {

template <class K> concept vector_of_keys = rank_of<operand_traits<K>> == 1;
template <class K, class X> consteval bool check_keys() {
  static_assert(vector_of_keys<K>, "weft: reduce_by_key: the keys are no vector");
  if constexpr (vector_of_keys<K> && check_scanned<0>(leaves_of<X>{})) {
    constexpr bool fits = as_long_as<K, scanned_extent<0>(leaves_of<X>{})>;
    static_assert(fits, "weft: reduce_by_key: there is not one key for each element");
    return fits;
  } else return false;
}
// The rows for which `wanted` is true at their slots; zeros behind them.
constexpr handle compacted(handle x, handle wanted, handle slot) {
  extents const s = x.shape();
  recorder& r = *x.where;
  gather_dims d = taking(s, 0, 1);
  d.drop = true;
  handle const nowhere = constant(r, -1, dtype::i32, slot.shape());
  return scatter(constant(r, 0, x.type(), s), x, select(wanted, slot, nowhere), d);
}
template <class F, class K, class X>
constexpr auto record_by_key(F const& f, K const& keys, X const& xs) {
  using bools = traced_of<bool, K::shape_type::value>;
  using index = traced_of<std::int32_t, K::shape_type::value>;
  recorder& r = recorder_in(keys, xs).innermost();
  extents const line = K::shape_type::value;
  handle const i = iota(r, dtype::i32, line, 0), one = constant(r, 1, dtype::i32, line);
  handle const end = broadcast_to(count_node(r, line, dtype::i32), line) - one;
  auto or_at = [](handle changed, handle here, handle at) {
    handle const both[] = {changed, equal(here, at)};
    return emit(op::bit_or, dtype::boolean, extents(changed.shape()), {both, 2});
  };
  bools const head{or_at(changes(keys.value, false), i, constant(r, 0, dtype::i32, line))};
  bools const tail{or_at(changes(keys.value, true), i, end)};
  index const heads{convert(head.value, dtype::i32)};
  constexpr associative_scan_options along{.axis = 0};
  handle const slot = weft::associative_scan<along>(plus_combination{}, heads).value - one;
  auto const all = weft::segmented_scan(f, head, xs);
  auto const reduced = map_leaves(
      [&](auto const& leaf) {
        return std::remove_cvref_t<decltype(leaf)>{compacted(leaf.value, tail.value, slot)};
      },
      all);
  return std::tuple(K{compacted(keys.value, head.value, slot)}, reduced, weft::sum(heads));
}

} // namespace detail

// One element per run of equal keys: tuple(keys, reduced, count), as long as keys and xs, of which
// the first `count` are set and zeros follow. A run's key is its first; its elements along the
// leading axis are combined by f in associative_scan's tree. NaN is a run of its own.
// auto [k, s, n] = reduce_by_key([](auto a, auto b) { return a + b; }, keys, x)
template <class F, class K, class X>
  requires wholly_traced<X> && trace_operand<K>
constexpr auto reduce_by_key(F const& f, K const& keys, X const& xs) {
  recorder& r = detail::recorder_in(xs).innermost();
  auto const k = detail::as_traced(r, keys);
  if constexpr (detail::check_keys<K, X>()) {
    if constexpr (detail::check_combination<F, X>()) return detail::record_by_key(f, k, xs);
    else return std::tuple(k, xs, traced<std::int32_t>{constant(r, 0, dtype::i32, {})});
  } else return std::tuple(k, xs, traced<std::int32_t>{constant(r, 0, dtype::i32, {})});
}

} // namespace weft::inline v0
