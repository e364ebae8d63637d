// SPDX-License-Identifier: BSL-1.0
// Leaves of anything made of arrays: structs of arrays, std::array, std::pair, std::tuple, nested
// as they like, in declaration order. Types: leaves_of, leaf_count. Values: for_each_leaf,
// make_like. Names: leaf_path. Everything is constexpr.
// Needs: aggregates (fields.hpp), or a type whose function members(x), found by ADL, returns a
// tuple of references to its parts (make_like assigns to the parts of a default-made one).
#pragma once

#include <weft/array/fields.hpp>
#include <weft/array/rebind.hpp>

#include <tuple>

namespace weft::inline v0 {

template <class... X> struct type_list {
  static constexpr int size = sizeof...(X);
};

namespace detail {

template <class X> inline constexpr bool is_array = false;
template <class X, std::size_t N> inline constexpr bool is_array<std::array<X, N>> = true;
template <class X> inline constexpr bool is_tuple = false;
template <class X, class Y> inline constexpr bool is_tuple<std::pair<X, Y>> = true;
template <class... X> inline constexpr bool is_tuple<std::tuple<X...>> = true;
template <class S> concept has_members = requires(S& s) { members(s); };

// f(part, part, ...) with references to the direct parts of s, as const as s is.
// Not std::apply, which leaves a function of its own, with a long symbol.
template <class T, class F, std::size_t... I>
WEFT_INLINE constexpr decltype(auto) visit_elements(T& t, F&& f, std::index_sequence<I...>) {
  return f(std::get<I>(t)...);
}
template <class S, class F> WEFT_INLINE constexpr decltype(auto) visit_parts(S& s, F&& f) {
  using plain = std::remove_const_t<S>;
  auto all = [&f](auto& parts) WEFT_LAMBDA -> decltype(auto) {
    constexpr std::size_t count = std::tuple_size_v<std::remove_cvref_t<decltype(parts)>>;
    return visit_elements(parts, f, std::make_index_sequence<count>{});
  };
  if constexpr (is_array<plain> || is_tuple<plain>) return all(s);
  else if constexpr (has_members<S>) {
    auto parts = members(s);
    return all(parts);
  } else return visit_fields(s, f);
}

struct list_types {
  template <class... X> constexpr auto operator()(X&...) const {
    return type_list<std::remove_const_t<X>...>{};
  }
};
template <class S> using parts_of = decltype(visit_parts(std::declval<S&>(), list_types{}));

template <class... X, class... Y> type_list<X..., Y...> operator+(type_list<X...>, type_list<Y...>);

template <class S> constexpr auto list_leaves();
template <class... X> constexpr auto list_leaves_of_parts(type_list<X...>) {
  return decltype((type_list<>{} + ... + list_leaves<X>())){};
}
template <class S> constexpr auto list_leaves() {
  if constexpr (is_leaf<S>) return type_list<S>{};
  else return list_leaves_of_parts(parts_of<S>{});
}

} // namespace detail

// type_list<tensor<float, 4, 8>, tensor<float, 8>>, in declaration order.
template <class S> using leaves_of = decltype(detail::list_leaves<std::remove_cvref_t<S>>());

namespace detail {
// Counted without the list, and arrays without a fold: clang folds over at most 256.
template <class S> constexpr int count_leaves();
template <class... X> constexpr int count_leaves_of_parts(type_list<X...>) {
  return (0 + ... + count_leaves<X>());
}
template <class S> constexpr int count_leaves() {
  if constexpr (is_leaf<S>) return 1;
  else if constexpr (is_array<S>)
    return static_cast<int>(std::tuple_size_v<S>) * count_leaves<typename S::value_type>();
  else return count_leaves_of_parts(parts_of<S>{});
}
} // namespace detail

template <class S> inline constexpr int leaf_count = detail::count_leaves<std::remove_cvref_t<S>>();

// f(leaf) for every leaf of x, in declaration order.
template <class S, class F> WEFT_INLINE constexpr void for_each_leaf(S&& x, F&& f) {
  using plain = std::remove_cvref_t<S>;
  if constexpr (is_leaf<plain>) f(x);
  else if constexpr (detail::is_array<plain>)
    for (auto& part : x) for_each_leaf(part, f);
  else detail::visit_parts(x, [&f](auto&... part) WEFT_LAMBDA { (for_each_leaf(part, f), ...); });
}
// f(leaf of x, leaf of y) for two of the same structure: an update of parameters by gradients.
template <class S, class U, class F> constexpr void for_each_leaf(S&& x, U&& y, F&& f) {
  using plain = std::remove_cvref_t<S>;
  if constexpr (is_leaf<plain>) f(x, y);
  else if constexpr (detail::is_array<plain>) {
    static_assert(std::tuple_size_v<plain> == std::tuple_size_v<std::remove_cvref_t<U>>,
                  "weft: the two structs differ in structure");
    for (std::size_t i = 0; i < x.size(); ++i) for_each_leaf(x[i], y[i], f);
  } else {
    constexpr bool alike = detail::parts_of<plain>::size ==
                           detail::parts_of<std::remove_cvref_t<U>>::size;
    static_assert(alike, "weft: the two structs differ in structure");
    if constexpr (alike)
      detail::visit_parts(x, [&](auto&... a) {
        detail::visit_parts(y, [&](auto&... b) { (for_each_leaf(a, b, f), ...); });
      });
  }
}

namespace detail {
// Braces keep the order: parts are made from left to right.
template <class S, class Maker> constexpr S make_parts(Maker& make);
template <class S, class Maker, class... X>
constexpr S make_from_parts(Maker& make, type_list<X...>) {
  if constexpr (is_array<S>) return S{{make_parts<X>(make)...}};
  else return S{make_parts<X>(make)...};
}
template <class S, class Maker> constexpr S make_parts(Maker& make) {
  if constexpr (is_leaf<S>) return make(std::type_identity<S>{});
  else if constexpr (has_members<S>) {
    S s{};
    visit_parts(s, [&make](auto&... part) {
      ((part = make_parts<std::remove_cvref_t<decltype(part)>>(make)), ...);
    });
    return s;
  } else return make_from_parts<S>(make, parts_of<S>{});
}
} // namespace detail

// An S built leaf by leaf: make(std::type_identity<leaf>{}) is called in declaration order.
template <class S, class Maker> constexpr S make_like(Maker&& make) {
  return detail::make_parts<S>(make);
}

namespace detail {
template <class S> constexpr void add_path(message& text, int leaf);
template <class... X> constexpr void add_path_of_parts(message& text, int leaf, type_list<X...>) {
  int part = 0;
  bool found = false;
  auto step = [&]<class P>(std::type_identity<P>) {
    if (!found && leaf < leaf_count<P>) {
      add_path<P>(text.add(".").add(part), leaf);
      found = true;
    }
    leaf -= leaf_count<P>;
    ++part;
  };
  (step(std::type_identity<X>{}), ...);
}
template <class S> constexpr void add_path(message& text, int leaf) {
  if constexpr (is_leaf<S>) return;
  else if constexpr (is_array<S>) {
    constexpr int each = leaf_count<typename S::value_type>;
    add_path<typename S::value_type>(text.add(".").add(leaf / each), leaf % each);
  } else add_path_of_parts(text, leaf, parts_of<S>{});
}
} // namespace detail

// Where a leaf is, by positions, since fields have no names in C++20: leaf_path<S>(0, 5) is
// "arg0.1.2" when leaf 5 of argument 0 is the third part of its second part.
template <class S> constexpr message leaf_path(int argument, int leaf) {
  message text("arg");
  text.add(argument);
  detail::add_path<std::remove_cvref_t<S>>(text, leaf);
  return text;
}

} // namespace weft::inline v0
