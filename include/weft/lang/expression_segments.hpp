// SPDX-License-Identifier: BSL-1.0
// The functions of segments.hpp, of tensors: segmented_scan and reduce_by_key call f with tensors
// level by level; segment_sum and its like are one program each. The compiled functions' bits.
// Needs: segments.hpp, expression_associative_scan.hpp. Leaves: tensors.
#pragma once

#include <weft/lang/expression_associative_scan.hpp>
#include <weft/lang/segments.hpp>

namespace weft::inline v0 {
namespace detail {

// How many elements of its segment come before each element.
template <associative_scan_options O> struct segment_places {
  growing<extent> before;
  constexpr extent operator()(extent i) const { return before[static_cast<int>(i)]; }
  constexpr extent level(extent i, extent by) const {
    return (*this)(i) < by ? -1 : O.reverse ? i + by : i - by;
  }
};
// Does a segment start at i > 0?
template <class T, auto... E> constexpr bool starts_at(tensor<T, E...> const& segments, extent i) {
  if constexpr (std::is_same_v<T, bool>) return segments.data()[i];
  else return segments.data()[i] != segments.data()[i - 1];
}
template <associative_scan_options O, class S> constexpr segment_places<O> places_of(S const& s) {
  extent const n = s.size();
  segment_places<O> p{growing<extent>(static_cast<int>(n))};
  for (extent k = 0; k < n; ++k) {
    extent const i = O.reverse ? n - 1 - k : k, last = O.reverse ? i + 1 : i - 1;
    bool const first = k == 0 || starts_at(s, O.reverse ? last : i);
    p.before[static_cast<int>(i)] = first ? 0 : p(last) + 1;
  }
  return p;
}
template <associative_scan_options O, class S, class X>
constexpr segment_places<O> checked_places(S const& segments, X const& xs) {
  extent const n = scanned_length<O>(xs);
  if (segments.size() != n)
    raise<shape_error>(message("weft: segmented_scan: the segments are not as long as the axis: ")
                           .add(segments.size())
                           .add(" and ")
                           .add(n));
  return places_of<O>(segments);
}

// Element `from` as element `to` of a stack.
template <class T, auto... E>
constexpr void put_row(tensor<T, E...>& out, tensor<T, E...> const& x, extent from, extent to) {
  extent const rows = x.extent(0), each = rows == 0 ? 0 : x.size() / rows;
  T* const at = writable(out);
  for (extent k = 0; k < each; ++k) at[to * each + k] = x.data()[from * each + k];
}
template <class T> constexpr bool key_changes(T const& a, T const& b) {
  if constexpr (std::is_class_v<T>) return static_cast<float>(a) != static_cast<float>(b);
  else return a != b;
}
template <class T, auto... E> constexpr auto heads_of(tensor<T, E...> const& keys) {
  auto heads = tensor<bool, E...>::uninitialised(keys.shape());
  bool* const at = writable(heads);
  for (extent i = 0; i < keys.size(); ++i)
    at[i] = i == 0 || key_changes(keys.data()[i - 1], keys.data()[i]);
  return heads;
}
template <class F, class K, class X>
constexpr auto tensors_by_key(F const& f, K const& keys, X const& xs) {
  constexpr associative_scan_options how{};
  if (extent const n = scanned_length<how>(xs); keys.size() != n)
    raise<shape_error>(message("weft: reduce_by_key: there is not one key for each element: ")
                           .add(keys.size())
                           .add(" and ")
                           .add(n));
  auto const heads = heads_of(keys);
  X const all = scan_tensors<how>(f, xs, checked_places<how>(heads, xs));
  K runs = eval(zeros_like(keys));
  X reduced = map_leaves([](auto const& t) { return eval(zeros_like(t)); }, xs);
  std::int32_t count = 0;
  for (extent i = 0, n = keys.size(); i < n; ++i) {
    if (heads.data()[i]) put_row(runs, keys, i, count++);
    if (i + 1 == n || heads.data()[i + 1])
      for_each_leaf(reduced, all,
                    [&](auto& to, auto const& from) { put_row(to, from, i, extent{count} - 1); });
  }
  return std::tuple(runs, reduced, tensor<std::int32_t>(count));
}

template <scatter_combine How, auto N> struct segment_call {
  template <class A, class... X> static auto first() -> element_of<A>;
  template <int K, class... X>
  using number = std::conditional_t<K == 1, std::int32_t, decltype(first<X...>())>;

  constexpr auto operator()(auto const& a, auto const& ids) const {
    return segment_reduce<How, N>(a, ids);
  }
};

} // namespace detail

template <associative_scan_options O = associative_scan_options{}, class F, class S, class X>
  requires(!traced_structure<X> && !traced_structure<S>)
constexpr auto segmented_scan(F const& f, S const& segments, X const& xs) {
  using T = tensor_type<X>;
  T const x = detail::to_tensors(xs);
  if constexpr (detail::check_segments<O, traced_type<S>, traced_type<X>>())
    return detail::scan_tensors<O>(f, x,
                                   detail::checked_places<O>(detail::to_tensors(segments), x));
  else return x;
}
template <associative_scan_options O = associative_scan_options{}, class F, class S, class X,
          class I>
  requires(!traced_structure<X> && !traced_structure<S>)
constexpr auto segmented_scan(F const& f, S const& segments, X const& xs, I const& identity) {
  using T = tensor_type<X>;
  T const x = detail::to_tensors(xs);
  if constexpr (detail::check_segments<O, traced_type<S>, traced_type<X>>()) {
    auto const place = detail::checked_places<O>(detail::to_tensors(segments), x);
    if constexpr (detail::check_identity<T, I>())
      return detail::exclusive_tensors<O>(detail::scan_tensors<O>(f, x, place), identity, place);
    else return x;
  } else return x;
}
template <class F, class K, class X>
  requires(!traced_structure<X> && !traced_structure<K>)
constexpr auto reduce_by_key(F const& f, K const& keys, X const& xs) {
  tensor_type<K> const k = detail::to_tensors(keys);
  tensor_type<X> const x = detail::to_tensors(xs);
  if constexpr (detail::check_keys<traced_type<K>, traced_type<X>>())
    return detail::tensors_by_key(f, k, x);
  else return std::tuple(k, x, tensor<std::int32_t>{});
}

template <auto N, class A, class I>
  requires immediate_call<A, I>
constexpr auto segment_sum(A&& a, I&& ids) {
  return detail::now<detail::segment_call<scatter_combine::add, N>>(std::forward<A>(a),
                                                                    std::forward<I>(ids));
}
template <auto N, class A, class I>
  requires immediate_call<A, I>
constexpr auto segment_prod(A&& a, I&& ids) {
  return detail::now<detail::segment_call<scatter_combine::mul, N>>(std::forward<A>(a),
                                                                    std::forward<I>(ids));
}
template <auto N, class A, class I>
  requires immediate_call<A, I>
constexpr auto segment_max(A&& a, I&& ids) {
  return detail::now<detail::segment_call<scatter_combine::max, N>>(std::forward<A>(a),
                                                                    std::forward<I>(ids));
}
template <auto N, class A, class I>
  requires immediate_call<A, I>
constexpr auto segment_min(A&& a, I&& ids) {
  return detail::now<detail::segment_call<scatter_combine::min, N>>(std::forward<A>(a),
                                                                    std::forward<I>(ids));
}

} // namespace weft::inline v0
