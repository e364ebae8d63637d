// SPDX-License-Identifier: BSL-1.0
// pad: elements around and between those of a traced array, by value or by a rule of NumPy's.
//   pad<1, padding{.low = 2, .high = 3}>(x, 7)                   // one axis
//   pad<padding{.low = 1}, padding{.high = 2}>(x)                // one for each axis
//   pad<padding{.low = 5, .high = 5, .mode = pad_mode::reflect}>(x)   // the same for every axis
// Needs: elementwise.hpp, index_runs.hpp. Leaves: corners are padded padding, as in NumPy. Modes
// other than constant repeat as often as they must; they take no interior and no crop.
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/index_runs.hpp>
#include <weft/lang/indexing.hpp>

namespace weft::inline v0 {

// What comes before the first element of 1 2 3:
//   constant 0 0 0   edge 1 1 1   reflect 3 2 3 2   symmetric 2 3 3 2 1   wrap 1 2 3
enum class pad_mode : std::uint8_t { constant, edge, reflect, symmetric, wrap };

struct padding {
  int low = 0, high = 0; // negative: crops (constant only)
  int interior = 0;      // between neighbours (constant only)
  pad_mode mode = pad_mode::constant;
};

namespace detail {

constexpr bool is_plain(padding const& p) { return p.mode == pad_mode::constant; }
constexpr bool pads_nothing(padding const& p) {
  return p.low == 0 && p.high == 0 && p.interior == 0;
}
// An axis of n elements may be padded like this.
constexpr bool may_pad(extent n, padding const& p) {
  if (p.interior < 0) return false;
  if (pads_nothing(p)) return true;
  if (is_named(n)) return false;
  return is_plain(p) || (p.low >= 0 && p.high >= 0 && p.interior == 0 && n > 0);
}

// The element that stands at position j, which may be negative or past the end, of n > 0.
constexpr extent padded_index(extent j, extent n, pad_mode m) {
  if (m == pad_mode::edge || n == 1) return j < 0 ? 0 : j >= n ? n - 1 : j;
  extent const period = m == pad_mode::wrap ? n : m == pad_mode::symmetric ? 2 * n : 2 * n - 2;
  extent const at = ((j % period) + period) % period;
  if (at < n) return at;
  return m == pad_mode::symmetric ? 2 * n - 1 - at : 2 * n - 2 - at;
}
// What stands at positions first ... last - 1.
constexpr void add_padding(growing<handle>& parts, handle x, int axis, extent first, extent last,
                           pad_mode m) {
  growing<extent> indices;
  for (extent j = first; j < last; ++j) indices.push(padded_index(j, x.shape()[axis], m));
  add_runs(parts, x, axis, indices);
}
// The compiler takes steps for what is added alone, however long the axis is.
constexpr handle pad_by_rule(handle x, int axis, padding const& p) {
  extent const n = x.shape()[axis];
  growing<handle> parts;
  add_padding(parts, x, axis, -p.low, 0, p.mode);
  parts.push(x);
  add_padding(parts, x, axis, n, n + p.high, p.mode);
  return concat(parts, axis);
}

struct paddings {
  int count = 0;
  padding axis[max_rank]{};
};
constexpr extents padded_shape(extents s, paddings const& p) {
  for (int i = 0; i < s.rank; ++i)
    s[i] = padded(s[i], p.axis[i].low, p.axis[i].high, p.axis[i].interior);
  return s;
}
// Constant axes at once, as one node; then the others, one by one.
constexpr handle pad_by(handle x, handle filler, paddings const& p) {
  extent attributes[3 * max_rank]{};
  bool any = false;
  int const rank = x.shape().rank;
  for (int i = 0; i < rank; ++i) {
    if (!is_plain(p.axis[i])) continue;
    any |= !pads_nothing(p.axis[i]);
    attributes[i] = p.axis[i].low;
    attributes[rank + i] = p.axis[i].high;
    attributes[2 * rank + i] = p.axis[i].interior;
  }
  if (any) x = pad(x, filler, {attributes, 3 * rank});
  for (int i = 0; i < rank; ++i)
    if (!is_plain(p.axis[i]) && !pads_nothing(p.axis[i])) x = pad_by_rule(x, i, p.axis[i]);
  return x;
}

// One for all axes, or one each.
template <class S, padding... P> consteval paddings paddings_of() {
  padding const given[] = {P..., padding{}};
  paddings r{S::rank, {}};
  for (int i = 0; i < S::rank; ++i) r.axis[i] = given[sizeof...(P) == 1 ? 0 : i];
  return r;
}
// One axis alone.
template <class S, int Axis, padding P> consteval paddings padding_at() {
  paddings r{S::rank, {}};
  r.axis[plain_axis(Axis, S::rank)] = P;
  return r;
}
// The first axis that cannot be padded so; -1: none.
template <class S> consteval int unpadded_axis(paddings const& p) {
  for (int i = 0; i < S::rank; ++i)
    if (!may_pad(S::value[i], p.axis[i])) return i;
  return -1;
}
template <int Axis, class S> concept axis_can_be_padded = Axis < 0;
template <int Given, int Axes> concept one_padding_per_axis = Given == 1 || Given == Axes;
template <class F> concept one_filler = operand_traits<F>::shape_type::rank == 0;

template <int Axis, class S> concept keeps_its_name = Axis < 0;

template <class S, paddings P> consteval bool check_padding() {
  constexpr int bad = unpadded_axis<S>(P);
  constexpr bool renames = bad >= 0 && is_named(S::value[bad < 0 ? 0 : bad]);
  static_assert(keeps_its_name < renames ? bad : -1, S >,
                "weft: pad: of a named axis the result has another name; "
                "write pad<axis, padding, name>(x)");
  static_assert(axis_can_be_padded < renames ? -1 : bad, S >,
                "weft: pad: an axis that is empty, or cropped by a rule, cannot be padded so; "
                "use pad_mode::constant, or concat");
  return bad < 0;
}

template <paddings P, class A, class F> constexpr auto pad_array(A const& a, F const& filler) {
  using T = element_of<A>;
  using S = shape_of_operand<A>;
  recorder& r = recorder_of(a, filler);
  static_assert(one_filler<F>, "weft: pad: the filler is one number");
  if constexpr (check_elements<T, A, F>() && one_filler<F>) {
    constexpr extents to = padded_shape(S::value, P);
    handle f = node_of<T>(r, filler, {});
    return traced_of<T, to>{pad_by(node_of<T>(r, a, S::value), f, P)};
  } else return as_traced(r, a);
}

// A named axis may be padded like this if its result has a name.
template <padding P> consteval bool may_pad_named(extent e) {
  bool const grows = P.low >= 0 && P.high >= 0;
  if (!is_named(e) || P.interior < 0) return false;
  return is_plain(P) ? P.interior == 0 || grows : P.interior == 0 && grows;
}
constexpr extents with_name(extents s, int axis, extent name) {
  s[axis] = name;
  return s;
}
// Beside an axis of n elements: the one that stands at each position, counted from the front where
// it is negative, else from the end on. In int32 of the run, of which nothing exceeds n.
constexpr handle places_beside(handle at, handle n, pad_mode m, bool behind) {
  recorder& r = *at.where;
  auto number = [&r](int value) { return constant(r, value, dtype::i32, {}); };
  auto over = [&at](handle x) { return broadcast_to(x, at.shape()); };
  handle const last = n - number(1);
  if (m == pad_mode::edge) return over(behind ? last : number(0));
  bool const reflects = m == pad_mode::reflect; // between neighbours; of one element, itself
  handle const turn = reflects ? binary(op::maximum, dtype::i32, last, number(1)) : n;
  if (reflects && behind) at = at + over(number(1));
  handle const place = binary(op::mod_floor, dtype::i32, at, over(turn));
  if (m == pad_mode::wrap) return place;
  handle const turns = binary(op::floor_divide, dtype::i32, at, over(turn));
  handle const odd = binary(op::bit_and, dtype::i32, turns, over(number(1)));
  return select(equal(odd, over(number(behind ? 0 : 1))), over(last) - place, place);
}
constexpr handle pad_named_by_rule(handle x, int axis, padding const& p, extent name) {
  recorder& r = *x.where;
  extent const n = x.shape()[axis];
  handle const count = count_node(r, {1, {n}}, dtype::i32);
  auto steps = [&r](extent length) { return iota(r, dtype::i32, {1, {length}}, 0); };
  handle const front = steps(p.low) + constant(r, -p.low, dtype::i32, {1, {p.low}});
  handle const parts[] = {places_beside(front, count, p.mode, false), steps(n),
                          places_beside(steps(p.high), count, p.mode, true)};
  return gather(x, concat({parts, 3}, 0, name), taking(x.shape(), axis, 1));
}
constexpr handle pad_named(handle x, handle filler, int axis, padding const& p, extent name) {
  if (!is_plain(p)) return pad_named_by_rule(x, axis, p, name);
  if (p.low < 0 || p.high < 0 || p.interior > 0) {
    int const rank = x.shape().rank;
    extent around[3 * max_rank]{};
    around[axis] = p.low;
    around[rank + axis] = p.high;
    around[2 * rank + axis] = p.interior;
    return pad_to(x, filler, with_name(x.shape(), axis, name), {around, 3 * rank});
  }
  growing<handle> parts;
  auto side = [&](int width) {
    extents s = x.shape();
    s[axis] = width;
    if (width > 0) parts.push(broadcast_to(filler, s));
  };
  side(p.low);
  parts.push(x);
  side(p.high);
  return concat(parts, axis, name);
}

struct no_filler {}; // zero of the array's type
template <class T, class F> constexpr auto filler_of(F const& filler) {
  if constexpr (std::is_same_v<F, no_filler>) return T{};
  else return filler;
}
template <class A, class F>
concept pad_call_traced = (traced_array<A> && std::is_same_v<F, no_filler>) ||
                          (traced_call<A, F> && !number_literal<A>);

} // namespace detail

// x with `filler` (a number, or a rank-0 array; 0 without one) around and between.
template <padding... P, class A, class F = detail::no_filler>
  requires(sizeof...(P) > 0 && detail::pad_call_traced<A, F>)
constexpr auto pad(A const& a, F const& filler = {}) {
  using S = detail::shape_of_operand<A>;
  constexpr int given = static_cast<int>(sizeof...(P));
  auto const number = detail::filler_of<detail::element_of<A>>(filler);
  static_assert(detail::one_padding_per_axis<given, S::rank>,
                "weft: pad: give one padding for all axes, or one for each");
  if constexpr (detail::one_padding_per_axis<given, S::rank>) {
    constexpr detail::paddings all = detail::paddings_of<S, P...>();
    if constexpr (detail::check_padding<S, all>()) return detail::pad_array<all>(a, number);
    else return detail::as_traced(detail::recorder_of(a, number), a);
  } else return detail::as_traced(detail::recorder_of(a, number), a);
}
// Along one axis: pad<0, padding{.low = 1}>(x) of a (2, 3) is a (3, 3).
template <int Axis, padding P, class A, class F = detail::no_filler>
  requires detail::pad_call_traced<A, F>
constexpr auto pad(A const& a, F const& filler = {}) {
  using S = detail::shape_of_operand<A>;
  auto const number = detail::filler_of<detail::element_of<A>>(filler);
  if constexpr (detail::check_axes<S, Axis>()) {
    constexpr detail::paddings all = detail::padding_at<S, Axis, P>();
    if constexpr (detail::check_padding<S, all>()) return detail::pad_array<all>(a, number);
    else return detail::as_traced(detail::recorder_of(a, number), a);
  } else return detail::as_traced(detail::recorder_of(a, number), a);
}

// Along a named axis, whose result takes another name: pad<0, padding{.low = 2}, longer>(x). By a
// constant it may have an interior, or be cropped; by a rule neither.
template <int Axis, padding P, sym Name, class A, class F = detail::no_filler>
  requires detail::pad_call_traced<A, F>
constexpr auto pad(A const& a, F const& filler = {}) {
  using T = detail::element_of<A>;
  using S = detail::shape_of_operand<A>;
  auto const number = detail::filler_of<T>(filler);
  recorder& r = detail::recorder_of(a, number);
  static_assert(detail::one_filler<decltype(number)>, "weft: pad: the filler is one number");
  if constexpr (detail::check_axes<S, Axis>() &&
                detail::check_elements<T, A, std::remove_cv_t<decltype(number)>>()) {
    constexpr int axis = plain_axis(Axis, S::rank);
    constexpr bool may = detail::may_pad_named<P>(S::value[axis]);
    static_assert(may, "weft: pad: a result's name is for a named axis with an interior or a crop, "
                       "not both, and neither by a rule; pad twice");
    constexpr extents to = detail::with_name(S::value, axis, extent_value<Name>());
    if constexpr (!may) return detail::as_traced(r, a);
    else
      return traced_of<T, to>{detail::pad_named(detail::node_of<T>(r, a, S::value),
                                                detail::node_of<T>(r, number, {}), axis, P,
                                                to[axis])};
  } else return detail::as_traced(r, a);
}

} // namespace weft::inline v0
