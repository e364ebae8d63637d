// SPDX-License-Identifier: BSL-1.0
// Order of traced arrays: sort, arg_sort, top_k, arg_max, arg_min, searchsorted. (median and quantile
// are in quantiles.hpp.)
//   sort(x)   sort<0, descending>(x)   sort<1>(key, a, b)   arg_sort(k0, k1)   top_k<5>(x)
//   arg_max<1>(x)   arg_min(x)   arg_max<0, keep>(x)
// Sorts are stable, along the last axis unless another is named; -0 = +0, NaN stands last, also
// descending, and descending keeps equal elements in their order. arg_max and arg_min give the
// first NaN, else the first extremum.
// Needs: indexing.hpp, reduction_rules.hpp. Leaves: one arg_sort, and a gather per sorted array, so
// gradients follow the elements.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/reduction_rules.hpp>
#include <weft/lang/scan.hpp>

#include <tuple>

namespace weft::inline v0 {

// Largest first: sort<descending>(x), arg_sort<0, descending>(x).
struct descending_order {};
inline constexpr descending_order descending{};
// After equal elements instead of before them: searchsorted<after>(x, v).
struct after_equals {};
inline constexpr after_equals after{};

namespace detail {

template <auto O>
inline constexpr bool is_descending =
    std::is_same_v<std::remove_cv_t<decltype(O)>, descending_order>;
template <auto O> consteval int sort_axis_number() {
  if constexpr (is_descending<O>) return 0;
  else return static_cast<int>(O);
}
template <auto... O> struct sort_order {
  static constexpr bool descends = (is_descending<O> || ...);
  static constexpr int named = (0 + ... + (is_descending<O> ? 0 : 1));
  static constexpr int axis = named == 0 ? -1 : (0 + ... + sort_axis_number<O>());
};
template <auto... O> concept at_most_one_axis = sort_order<O...>::named <= 1;
template <class S, class... More> concept one_shape = ((S::value == More::value) && ...);

// The words of sort and arg_sort name them.
enum class sort_function : std::uint8_t { sort, arg_sort };
template <sort_function F, class S, auto... O> consteval bool check_sort() {
  if constexpr (F == sort_function::sort)
    static_assert(at_most_one_axis<O...>, "weft: sort: one axis at a time");
  else static_assert(at_most_one_axis<O...>, "weft: arg_sort: one axis at a time");
  return at_most_one_axis<O...> && check_axes<S, sort_order<O...>::axis>();
}
template <sort_function F, class S, class... More> consteval bool check_one_shape() {
  if constexpr (F == sort_function::sort)
    static_assert(one_shape<S, More...>,
                  "weft: sort: the arrays that are sorted together have one shape");
  else
    static_assert(one_shape<S, More...>,
                  "weft: arg_sort: the arrays that are sorted together have one shape");
  return one_shape<S, More...>;
}
// Bits of all keys.
template <auto... O> constexpr extent descending_set(int keys) {
  return sort_order<O...>::descends ? (extent{1} << keys) - 1 : 0;
}
// x by an order of some of the axis' elements; of none nothing is read, and x is the result.
constexpr handle reordered(handle x, handle order, int axis) {
  return x.shape()[axis] == 0 ? x : gather(x, order, taking_along(x.shape(), axis));
}
template <class A> constexpr A reordered(A const& a, handle order, int axis) {
  return A{reordered(a.value, order, axis)};
}

} // namespace detail

// The indices that sort, int of x's shape; several keys: by the first, then the second, ...
template <auto... O, traced_array A, traced_array... More>
constexpr auto arg_sort(A const& key, More const&... keys) {
  using S = typename A::shape_type;
  using R = traced_of<std::int32_t, S::value>;
  constexpr auto name = detail::sort_function::arg_sort;
  if constexpr (detail::check_sort<name, S, O...>() &&
                detail::check_one_shape<name, S, typename More::shape_type...>()) {
    constexpr int axis = plain_axis(detail::sort_order<O...>::axis, S::rank);
    handle const all[] = {key.value, keys.value...};
    constexpr int count = 1 + sizeof...(More);
    return R{arg_sort({all, count}, axis, detail::descending_set<O...>(count))};
  } else return detail::stand_in<R>(*key.value.where);
}
// x sorted; with more arrays, all of them in the order of the first, as a tuple.
template <auto... O, traced_array A, traced_array... More>
constexpr auto sort(A const& key, More const&... values) {
  using S = typename A::shape_type;
  constexpr auto name = detail::sort_function::sort;
  constexpr bool ok = detail::check_sort<name, S, O...>() &&
                      detail::check_one_shape<name, S, typename More::shape_type...>();
  if constexpr (!ok) {
    if constexpr (sizeof...(More) == 0) return key;
    else return std::tuple(key, values...);
  } else {
    constexpr int axis = plain_axis(detail::sort_order<O...>::axis, S::rank);
    handle const order = weft::arg_sort<O...>(key).value;
    if constexpr (sizeof...(More) == 0) return detail::reordered(key, order, axis);
    else
      return std::tuple(detail::reordered(key, order, axis),
                        detail::reordered(values, order, axis)...);
  }
}

namespace detail {
template <class S, int K>
concept has_k_elements = S::rank > 0 && K >= 0 &&
                         (is_named(S::value[S::rank > 0 ? S::rank - 1 : 0]) ||
                          S::value[S::rank > 0 ? S::rank - 1 : 0] >= K);
}
// The K largest of the last axis, largest first, and their indices: pair(values, int indices). Of
// an extent with a name the run checks that there are K.
template <int K, traced_array A> constexpr auto top_k(A const& a) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  static_assert(detail::has_k_elements<S, K>, "weft: top_k: the last axis has fewer elements");
  if constexpr (detail::has_k_elements<S, K>) {
    constexpr int axis = S::rank - 1;
    constexpr extents to = detail::with_extent(S::value, axis, K);
    handle const order = weft::arg_sort<descending>(a).value;
    handle starts[max_rank];
    for (handle& h : starts) h = constant(*order.where, 0, dtype::i32, {});
    handle const first = is_named(S::value[axis]) ? dynamic_slice(order, to, {starts, S::rank})
                                                  : slice_axis(order, axis, 0, K);
    handle const values = detail::reordered(a.value, first, axis);
    return std::pair(traced_of<T, to>{values}, traced_of<std::int32_t, to>{first});
  } else return std::pair(a, detail::stand_in<traced_of<std::int32_t, S::value>>(*a.value.where));
}

namespace detail {
template <bool Smallest, auto... O, class A> constexpr auto place_of_extreme(A const& a) {
  using S = typename A::shape_type;
  if constexpr (check_reduction<options<>, S, O...>()) {
    using axes = reduction<S, O...>;
    constexpr bool some = count_of_numbers(axes::over) != 0;
    if constexpr (Smallest) static_assert(some, "weft: arg_min: there is no element to choose");
    else static_assert(some, "weft: arg_max: there is no element to choose");
    using R = traced_of<std::int32_t, axes::result>;
    if constexpr (axes::set == 0) return stand_in<R>(*a.value.where); // of one number: 0
    else if constexpr (some)
      return R{reshape(arg_reduce(a.value, axes::set, Smallest), axes::result)};
    else return stand_in<R>(*a.value.where);
  } else return stand_in<traced<std::int32_t>>(*a.value.where);
}
} // namespace detail

// Where the largest element is, an int: along an axis, or without one in row-major order of all.
// Of several axes the index counts row-major over them. An extent with a name must not be 0.
template <auto... O, traced_array A> constexpr auto arg_max(A const& a) {
  return detail::place_of_extreme<false, O...>(a);
}
template <auto... O, traced_array A> constexpr auto arg_min(A const& a) {
  return detail::place_of_extreme<true, O...>(a);
}

namespace detail {

template <class S> concept one_axis = S::rank == 1;

template <class A> constexpr auto not_a_number(A const& a) {
  if constexpr (is_float(dtype_of<typename A::element_type>)) return a != a;
  else return weft::convert<bool>(zeros_like(a));
}
// Does sorted element x stand before v? (NaN last.)
template <bool After, class A> constexpr auto stands_before(A const& x, A const& v) {
  if constexpr (After) return !((v < x) | (not_a_number(x) & !not_a_number(v)));
  else return (x < v) | (not_a_number(v) & !not_a_number(x));
}
// The elements at the places; 0 outside, so of an array without elements.
template <class A, class P> constexpr auto element_or_zero(A const& a, P const& place) {
  using T = typename A::element_type;
  gather_dims d = taking(A::shape_type::value, 0, P::shape_type::rank);
  d.drop = true;
  return traced_of<T, P::shape_type::value>{gather(a.value, place.value, d)};
}
// The number of elements before v, a bit at a time from the highest.
template <bool After, class A, class V, class P, class N, class B>
constexpr P search_step(A const& sorted, V const& v, P const& place, N const& length,
                        B const& bit) {
  auto next = place + bit;
  auto const element = element_or_zero(sorted, next - 1);
  return select((next <= length) & stands_before<After>(element, v), next, place);
}

} // namespace detail

// Where v would stand in a sorted (n): the number of elements that are less (`after`: not greater);
// an int of v's shape.
template <auto... Side, class A, class V>
  requires traced_call<A, V>
constexpr auto searchsorted(A const& array, V const& values) {
  using S = detail::shape_of_operand<A>;
  using T = detail::common_element<A, V>;
  using R = traced_of<std::int32_t, detail::shape_of_operand<V>::value>;
  recorder& r = detail::recorder_of(array, values);
  static_assert(detail::one_axis<S>, "weft: searchsorted: the sorted array has one axis");
  constexpr bool ok = detail::one_axis<S> && detail::check_elements<T, A, V>();
  if constexpr (ok) {
    constexpr bool late = sizeof...(Side) > 0;
    auto const sorted = detail::traced_as<T>(r, array);
    auto const v = detail::traced_as<T>(r, values);
    R place = detail::stand_in<R>(r);
    if constexpr (S::value[0] == 0) return place;
    else if constexpr (!is_named(S::value[0])) {
      constexpr int n = static_cast<int>(S::value[0]);
      for (std::uint64_t bit = detail::bit_floor(n); bit > 0; bit /= 2)
        place = detail::search_step<late>(sorted, v, place, n, static_cast<int>(bit));
      return place;
    } else {
      traced<std::int32_t> const n{detail::count_node(r, S::value, dtype::i32)};
      auto const step = [&](auto c, auto) {
        auto next = detail::search_step<late>(sorted, v, c.first, n, c.second);
        return std::pair(std::pair(next, c.second >> 1), none);
      };
      traced<std::int32_t> const bit{constant(r, 1 << 30, dtype::i32, {})};
      return scan<scan_options{.length = 31}>(step, std::pair(place, bit), none).first.first;
    }
  } else return detail::stand_in<R>(r);
}

} // namespace weft::inline v0
