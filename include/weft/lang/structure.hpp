// SPDX-License-Identifier: BSL-1.0
// Structures in a trace: anything that members.hpp sees leaves in, with traced leaves.
//   traced_type<X>    its type: tensor -> traced, key -> traced_key, number -> rank-0 traced
//   stacked_type<X,L> every leaf with L in front (what a loop collects)
//   to_traced(r, x)   its value: numbers, makers and tensors become nodes
//   leaves(x), from_leaves<X>(handles), parameters<X>(r)
//   map_leaves(f, x), map_leaves(f, x, y): the same structure with f of every leaf; of tensors too
// Needs: key.hpp, operand.hpp. Leaves: leaves in declaration order, everywhere.
#pragma once

#include <weft/lang/key.hpp>
#include <weft/lang/operand.hpp>

namespace weft::inline v0 {

template <class T, auto... E> inline constexpr bool is_leaf<made<T, E...>> = true;

template <class F, class X> constexpr X map_leaves(F&& f, X x) {
  for_each_leaf(x, [&f](auto& leaf) { leaf = f(leaf); });
  return x;
}
template <class F, class X, class Y> constexpr X map_leaves(F&& f, X x, Y const& y) {
  for_each_leaf(x, y, [&f](auto& leaf, auto const& other) { leaf = f(leaf, other); });
  return x;
}

namespace detail {

template <class X> struct traced_form {
  using type = rebind<X, traced>;
};
template <number_literal X> struct traced_form<X> {
  using type = traced<element_of<X>>;
};
template <expression X> struct traced_form<X> {
  using type = traced_of<typename X::element_type, X::shape_type::value>;
};
template <class X, std::size_t N> struct traced_form<std::array<X, N>> {
  using type = std::array<typename traced_form<X>::type, N>;
};
template <class X, class Y> struct traced_form<std::pair<X, Y>> {
  using type = std::pair<typename traced_form<X>::type, typename traced_form<Y>::type>;
};
template <class... X> struct traced_form<std::tuple<X...>> {
  using type = std::tuple<typename traced_form<X>::type...>;
};

template <class X, auto L> struct stacked_form;
template <class T, auto... E, auto L> struct stacked_form<traced<T, E...>, L> {
  using type = traced<T, L, E...>;
};
template <auto... E, auto L> struct stacked_form<traced_key<E...>, L> {
  using type = traced_key<L, E...>;
};
template <auto L> struct stacked_form<none_t, L> {
  using type = none_t;
};
template <struct_of_arrays S, auto L> struct stacked_form<S, L> {
  using type = typename decltype(leading_of<S>::template collect<opened<S>, L>())::type;
};
template <class X, std::size_t N, auto L> struct stacked_form<std::array<X, N>, L> {
  using type = std::array<typename stacked_form<X, L>::type, N>;
};
template <class X, class Y, auto L> struct stacked_form<std::pair<X, Y>, L> {
  using type = std::pair<typename stacked_form<X, L>::type, typename stacked_form<Y, L>::type>;
};
template <class... X, auto L> struct stacked_form<std::tuple<X...>, L> {
  using type = std::tuple<typename stacked_form<X, L>::type...>;
};

} // namespace detail

template <class X> using traced_type = typename detail::traced_form<std::remove_cvref_t<X>>::type;
template <class X, auto L> using stacked_type = typename detail::stacked_form<X, L>::type;

namespace detail {
template <class... L> consteval bool any_traced(type_list<L...>) { return (traced_leaf<L> || ...); }
template <class... L> consteval bool all_traced(type_list<L...>) { return (traced_leaf<L> && ...); }
} // namespace detail

// Has a leaf that is a node of a graph.
template <class X> concept traced_structure = detail::any_traced(leaves_of<X>{});
template <class X> concept wholly_traced = detail::all_traced(leaves_of<X>{});

namespace detail {

constexpr traced_key<> as_traced(recorder& r, key const&) { // after an error
  return stand_in<traced_key<>>(r);
}
template <class... L> consteval bool have_keys(type_list<L...>) {
  return (std::is_same_v<L, key> || ...);
}
template <class X> constexpr growing<handle> leaves(X const& x) {
  growing<handle> r;
  for_each_leaf(x, [&r](auto const& leaf) { r.push(leaf.value); });
  return r;
}
template <class X> constexpr X from_leaves(view<handle> h) {
  static_assert(
      wholly_traced<X>,
      "weft: a struct of arrays holds a number or a key; write array<T>, or pass it as an argument of its own");
  int next = 0;
  return make_like<X>([&]<class L>(std::type_identity<L>) {
    if constexpr (traced_leaf<L>) return L{h[next++]};
    else return L{}; // after the error
  });
}
template <class X> constexpr traced_type<X> to_traced(recorder& r, X const& x) {
  if constexpr (std::is_same_v<traced_type<X>, X>) return x;
  else {
    constexpr bool keys = have_keys(leaves_of<X>{});
    static_assert(!keys,
                  "weft: a key meets a traced array; make the key an argument of the function");
    growing<handle> nodes;
    for_each_leaf(x, [&](auto const& leaf) { nodes.push(as_traced(r, leaf).value); });
    return from_leaves<traced_type<X>>(nodes);
  }
}
// New parameters of the open region.
template <class X> constexpr X parameters(recorder& r) {
  return make_like<X>([&r]<class L>(std::type_identity<L>) {
    return L{r.parameter(dtype_of<typename L::element_type>, L::shape_type::value)};
  });
}

// The innermost recorder of what is traced in these structures.
template <class... X> constexpr recorder& recorder_in(X const&... x) {
  growing<handle> found;
  auto note = [&found](auto const& leaf) {
    if constexpr (traced_leaf<std::remove_cvref_t<decltype(leaf)>>) found.push(leaf.value);
  };
  (for_each_leaf(x, note), ...);
  return place_of(found);
}

} // namespace detail
} // namespace weft::inline v0
