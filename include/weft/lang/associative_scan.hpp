// SPDX-License-Identifier: BSL-1.0
// associative_scan: all prefixes of an associative function, and cumsum, cumprod, cummax, cummin,
// cumlogsumexp over it.
//   associative_scan([](auto a, auto b) { return a + b; }, x)
//   associative_scan<associative_scan_options{.axis = 1, .reverse = true}>(f, std::pair(m, c))
//   cumsum<0>(x)   cummax<1, reversed>(x)
// f takes two structures of arrays and combines them element on element along the axis; forward
// result i is x0 f x1 f ... xi; in reverse it is xn f ... f xi, the later ones first, as in JAX.
// With a third argument, the identity of f, the scan is exclusive: result i stops before xi.
// One fixed tree, whatever the width (Sklansky 1960): for d = 1, 2, 4, ... below n, in each block of
// 2 d elements those of the upper half become f(the lower half's last element, element). So element
// i combines at most log2 n times, what it combines with is one element per block, and its tree
// depends on i alone. Extents with a name take the same tree, 31 levels of which those that have
// work run. f is also called for the lower halves and its result dropped there: it must be defined
// for its own elements.
// Needs: while.hpp, indexing.hpp. Leaves: per level the ends of halves per array, f and a select.
#pragma once

#include <weft/graph/handle_prefix.hpp>
#include <weft/lang/full_precision.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/while.hpp>

namespace weft::inline v0 {

struct associative_scan_options {
  int axis = 0;
  bool reverse = false;
};
// From the last element to the first: cumsum<0, reversed>(x).
struct reversed_order {};
inline constexpr reversed_order reversed{};

namespace detail {

template <int Axis, class... L>
concept all_have_axis = (axis_of<Axis, typename L::shape_type> && ...);
template <int Axis, class L> consteval extent extent_along() {
  return L::shape_type::value[plain_axis(Axis, L::shape_type::rank)];
}
template <int Axis, class First, class... L>
concept one_extent = ((extent_along<Axis, First>() == extent_along<Axis, L>()) && ...);
template <class F, class X> concept takes_two = requires(F const& f, X x) { f(x, x); };
template <class Was, class Is> concept combines_to_itself = std::is_same_v<Was, Is>;

template <int Axis, class First, class... L> consteval bool check_scanned(type_list<First, L...>) {
  static_assert(all_have_axis<Axis, First, L...>,
                "weft: there is no such axis to scan; axes count from 0, or from -1 at the end");
  if constexpr (all_have_axis<Axis, First, L...>) {
    static_assert(one_extent<Axis, First, L...>,
                  "weft: the scanned arrays differ in their extent along the axis");
    return one_extent<Axis, First, L...>;
  } else return false;
}
template <class F, class X> consteval bool check_two() {
  constexpr bool two = takes_two<F, X>;
  static_assert(two, "weft: the combining function is none of two elements; "
                     "write [](auto a, auto b) { ... }");
  return two;
}
template <class Was, class Is> consteval bool check_kept() {
  constexpr bool kept = combines_to_itself<Was, Is>;
  static_assert(kept, "weft: the combining function returns another type than it takes");
  return kept;
}
// One error at most.
template <class... L, class... S> consteval bool check_starts(type_list<L...>, type_list<S...>) {
  static_assert(sizeof...(L) == sizeof...(S),
                "weft: the identity of a scan has another structure than the arrays");
  if constexpr (sizeof...(L) == sizeof...(S)) {
    constexpr bool typed = (element_agrees<typename L::element_type, S> && ...);
    static_assert(typed, "weft: the identity of a scan has another element type; write "
                         "convert<T>(x) or another literal");
    constexpr bool fits = (broadcasts_to<shape_of_operand<S>, typename L::shape_type> && ...);
    static_assert(!typed || fits, "weft: the identity of a scan does not broadcast to its array");
    return typed && fits;
  } else return false;
}
// The identity of an exclusive scan of X: leaf by leaf the element type or a number that it can
// hold, and a shape that broadcasts to the leaf's.
template <class X, class I> consteval bool check_identity() {
  return check_starts(leaves_of<X>{}, leaves_of<I>{});
}
template <int Axis, class First, class... L>
consteval extent scanned_extent(type_list<First, L...>) {
  return extent_along<Axis, First>();
}

template <associative_scan_options O, class F, class X> struct prefix_scan {
  F const& f;
  recorder& r;
  handle length;
  handle place = {}; // of a segmented scan: elements of the segment that come before this one

  template <class By> constexpr X level(X const& y, By by, handle number) const {
    X const before = each(y, [&](handle h, int axis) { return before_of(h, axis, by); });
    growing<handle> const old = leaves(y), fresh = leaves(to_traced(r, f(before, y)));
    growing<handle> chosen;
    for (int i = 0; i < old.size(); ++i) {
      int const axis = plain_axis(O.axis, old[i].shape().rank);
      handle const mask = combines(old[i].shape(), axis, by, number);
      chosen.push(select(mask, fresh[i], old[i]));
    }
    return from_leaves<X>(chosen);
  }
  constexpr handle number(extent d) const {
    return constant(r, static_cast<double>(d), dtype::i32, {});
  }
  constexpr X all_levels(X y) const {
    constexpr extent n = scanned_extent<O.axis>(leaves_of<X>{});
    if constexpr (!is_named(n)) {
      for (extent d = 1; d < n; d *= 2) y = level(y, d, number(d));
      return y;
    } else return named_levels(y);
  }
  constexpr X named_levels(X const& xs) const {
    auto const step = [this](auto c, auto) {
      auto const distance = c.second;
      auto next = weft::cond(
          distance < traced<std::int32_t>{length},
          [&](auto y) { return level(y, distance.value, distance.value); },
          [](auto y) { return y; }, c.first);
      return std::pair(std::pair(next, distance << 1), none);
    };
    traced<std::int32_t> const one{number(1)};
    return scan<scan_options{.length = 31}>(step, std::pair(xs, one), none).first.first;
  }
  // Element i is what was before it; the first is `start`.
  template <class Start> constexpr X exclusive(X const& y, Start const& start) const {
    growing<handle> starts;
    for_each_leaf(y, start, [&](auto const& leaf, auto const& s) {
      using L = std::remove_cvref_t<decltype(leaf)>;
      starts.push(node_of<typename L::element_type>(r, s, L::shape_type::value));
    });
    handle const one = number(1);
    growing<handle> const old = leaves(y);
    growing<handle> chosen;
    for (int i = 0; i < old.size(); ++i) {
      int const axis = plain_axis(O.axis, old[i].shape().rank);
      extent const n = old[i].shape()[axis];
      handle const before = is_named(n) ? shifted(old[i], axis, one, O.reverse)
                            : n > 1     ? shifted(old[i], axis, extent{1}, O.reverse)
                                        : old[i];
      handle const mask = has_before(old[i].shape(), axis, one);
      chosen.push(select(mask, before, starts[i]));
    }
    return from_leaves<X>(chosen);
  }

private:
  // Segments begin anywhere, and blocks of them would lie at no fixed distance: Hillis and Steele's
  // tree, element i - d for all d below n.
  template <class By> constexpr handle before_of(handle y, int axis, By by) const {
    if (place.valid()) return shifted(y, axis, by, O.reverse);
    if constexpr (std::is_same_v<By, handle>) return half_ends(y, axis, by, length, O.reverse);
    else return half_ends(y, axis, by, O.reverse);
  }
  template <class By>
  constexpr handle combines(extents const& shape, int axis, By by, handle number) const {
    if (place.valid()) return has_before(shape, axis, number);
    if constexpr (std::is_same_v<By, handle>)
      return in_upper_half(shape, axis, by, length, O.reverse);
    else return in_upper_half(r, shape, axis, by, O.reverse);
  }
  // Are there so many elements before this one, in its segment if there are several?
  constexpr handle has_before(extents const& shape, int axis, handle number) const {
    if (!place.valid()) return reached(shape, axis, number, length, O.reverse);
    extents const all = shape;
    extent const along = axis;
    handle const spread = broadcast(place, all, {&along, 1});
    return unary(op::bit_not, less(spread, broadcast_to(number, all)));
  }
  template <class G> static constexpr X each(X const& y, G const& g) {
    growing<handle> all = leaves(y);
    for (handle& h : all) h = g(h, plain_axis(O.axis, h.shape().rank));
    return from_leaves<X>(all);
  }
};

template <class F, class X>
using prefix_combination =
    traced_type<decltype(std::declval<F const&>()(std::declval<X>(), std::declval<X>()))>;
template <class F, class X> consteval bool check_combination() {
  if constexpr (check_two<F, X>()) return check_kept<X, prefix_combination<F, X>>();
  else return false;
}
template <associative_scan_options O, class F, class X>
constexpr prefix_scan<O, F, X> prefix_scan_of(F const& f, X const& xs) {
  recorder& r = recorder_in(xs).innermost();
  return {f, r, count_node(r, {1, {scanned_extent<O.axis>(leaves_of<X>{})}}, dtype::i32)};
}

} // namespace detail

// All prefixes along an axis, the structure and types of xs. Errors: arrays without the axis or of
// different extents along it, a function that returns another type.
template <associative_scan_options O = associative_scan_options{}, class F, class X>
  requires wholly_traced<X>
constexpr X associative_scan(F const& f, X const& xs) {
  if constexpr (detail::check_scanned<O.axis>(leaves_of<X>{})) {
    if constexpr (detail::check_combination<F, X>())
      return detail::prefix_scan_of<O>(f, xs).all_levels(xs);
    else return xs;
  } else return xs;
}
// Exclusive: `identity` (leaf by leaf numbers, or arrays of the type that broadcast) stands first.
template <associative_scan_options O = associative_scan_options{}, class F, class X, class I>
  requires wholly_traced<X>
constexpr X associative_scan(F const& f, X const& xs, I const& identity) {
  if constexpr (detail::check_scanned<O.axis>(leaves_of<X>{})) {
    if constexpr (detail::check_combination<F, X>()) {
      if constexpr (detail::check_identity<X, I>()) {
        auto const how = detail::prefix_scan_of<O>(f, xs);
        return how.exclusive(how.all_levels(xs), identity);
      } else return xs;
    } else return xs;
  } else return xs;
}

namespace detail {

template <auto O>
inline constexpr bool is_reversed = std::is_same_v<std::remove_cv_t<decltype(O)>, reversed_order>;
template <auto O> consteval int cumulative_axis() {
  if constexpr (is_reversed<O>) return 0;
  else return static_cast<int>(O);
}
template <auto... O> inline constexpr int cumulative_axes = (0 + ... + (is_reversed<O> ? 0 : 1));
template <auto... O> consteval associative_scan_options cumulative_options() {
  return {.axis = cumulative_axes<O...> == 0 ? -1 : (0 + ... + cumulative_axis<O>()),
          .reverse = (is_reversed<O> || ...)};
}
template <class S, auto... O>
concept one_axis_to_go = cumulative_axes<O...> <= 1 && axis_of<cumulative_options<O...>().axis, S>;
// Asked at the door: further in, clang prints more lines than an error should have. The words of
// each function name it.
enum class cumulative_function : std::uint8_t { sum, prod, max, min, logsumexp };
template <cumulative_function F, class S, auto... O> consteval bool check_cumulative() {
  using enum cumulative_function;
  constexpr bool ok = one_axis_to_go<S, O...>;
  if constexpr (F == sum)
    static_assert(one_axis_to_go<S, O...>,
                  "weft: cumsum: there is no such axis, or there are two; name one, or none");
  else if constexpr (F == prod)
    static_assert(one_axis_to_go<S, O...>,
                  "weft: cumprod: there is no such axis, or there are two; name one, or none");
  else if constexpr (F == max)
    static_assert(one_axis_to_go<S, O...>,
                  "weft: cummax: there is no such axis, or there are two; name one, or none");
  else if constexpr (F == min)
    static_assert(one_axis_to_go<S, O...>,
                  "weft: cummin: there is no such axis, or there are two; name one, or none");
  else
    static_assert(one_axis_to_go<S, O...>,
                  "weft: cumlogsumexp: there is no such axis, or there are two; name one, or none");
  return ok;
}
// 16-bit floats go through float, and are rounded once.
template <auto... O, class F, class A> constexpr A cumulative(F const& f, A const& a) {
  using T = typename A::element_type;
  constexpr associative_scan_options how = cumulative_options<O...>();
  if constexpr (accumulator_of(dtype_of<T>) != dtype_of<T>) {
    auto const wide = weft::associative_scan<how>(f, weft::convert<float>(a));
    return weft::convert<T>(wide);
  } else return weft::associative_scan<how>(f, a);
}
struct plus_combination {
  constexpr auto operator()(auto const& a, auto const& b) const { return a + b; }
};
struct times_combination {
  constexpr auto operator()(auto const& a, auto const& b) const { return a * b; }
};
struct maximum_combination {
  constexpr auto operator()(auto const& a, auto const& b) const { return maximum(a, b); }
};
struct minimum_combination {
  constexpr auto operator()(auto const& a, auto const& b) const { return minimum(a, b); }
};
// log(e^a + e^b) = m + log(1 + e^-|a - b|), m the larger; of equal infinities no difference. Where
// a = b, d^2 / 4 is +0 and gives the second derivative.
struct logsumexp_combination {
  constexpr auto operator()(auto const& a, auto const& b) const {
    auto const d = a - b;
    auto const some = select(d - d == 0, d, zeros_like(d)); // finite
    auto const apart = select(a == b, some * some * 0.25, -abs(d));
    return maximum(a, b) + log(1 + exp(apart));
  }
};

} // namespace detail

// Running sums along an axis (the last if none is named): cumsum<0>(x), cumsum<1, reversed>(x).
// Integers wrap; 16-bit floats add in float and round once.
template <auto... O, traced_array A> constexpr A cumsum(A const& a) {
  if constexpr (detail::check_cumulative<detail::cumulative_function::sum, typename A::shape_type,
                                         O...>()) {
    detail::full_precision const here(a);
    return detail::cumulative<O...>(detail::plus_combination{}, a);
  } else return a;
}
template <auto... O, traced_array A> constexpr A cumprod(A const& a) {
  if constexpr (detail::check_cumulative<detail::cumulative_function::prod, typename A::shape_type,
                                         O...>()) {
    detail::full_precision const here(a);
    return detail::cumulative<O...>(detail::times_combination{}, a);
  } else return a;
}
// NaN wins and stays.
template <auto... O, traced_array A> constexpr A cummax(A const& a) {
  if constexpr (detail::check_cumulative<detail::cumulative_function::max, typename A::shape_type,
                                         O...>())
    return detail::cumulative<O...>(detail::maximum_combination{}, a);
  else return a;
}
template <auto... O, traced_array A> constexpr A cummin(A const& a) {
  if constexpr (detail::check_cumulative<detail::cumulative_function::min, typename A::shape_type,
                                         O...>())
    return detail::cumulative<O...>(detail::minimum_combination{}, a);
  else return a;
}
// log of the running sums of e^x.
template <auto... O, traced_array A> constexpr A cumlogsumexp(A const& a) {
  if constexpr (detail::check_cumulative<detail::cumulative_function::logsumexp,
                                         typename A::shape_type, O...>()) {
    detail::full_precision const here(a);
    return detail::cumulative<O...>(detail::logsumexp_combination{}, a);
  } else return a;
}

} // namespace weft::inline v0
