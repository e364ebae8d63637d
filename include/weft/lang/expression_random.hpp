// SPDX-License-Identifier: BSL-1.0
// Random numbers from a key's value: the functions of random.hpp, computed now. The same numbers as
// in a trace; that a key is given to one draw or split only is the caller's care here.
// Needs: random.hpp, expression_elementwise.hpp. Leaves: tensors and keys.
#pragma once

#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/random.hpp>

namespace weft::inline v0 {
namespace detail {

// Numbers next to a key are probabilities and bounds.
struct random_call {
  template <int, class...> using number = float;
};
template <auto N> struct split_call : random_call {
  constexpr auto operator()(traced_key<> const& k) const { return weft::split_keys<N>(k); }
};
struct fold_in_call {
  template <int, class, class I> using number = element_of<I>;
  constexpr auto operator()(traced_key<> const& k, auto const& i) const {
    return weft::fold_in(k, i);
  }
};
template <auto... E> struct bits_call : random_call {
  constexpr auto operator()(traced_key<> const& k) const { return weft::bits<E...>(k); }
};
template <auto... E> struct uniform_call : random_call {
  constexpr auto operator()(traced_key<> const& k, auto const&... bounds) const {
    return weft::uniform<E...>(k, bounds...);
  }
};
template <auto... E> struct bernoulli_call : random_call {
  constexpr auto operator()(traced_key<> const& k, auto const& p) const {
    return weft::bernoulli<E...>(k, p);
  }
};
struct dropout_call : random_call {
  constexpr auto operator()(traced_key<> const& k, auto const& rate, auto const& x) const {
    return weft::dropout(k, rate, x);
  }
};
// What dropout does with a number: kept = 1 - rate, rounded from double.
struct kept_call : random_call {
  template <class X>
  constexpr auto operator()(traced_key<> const& k, auto const& kept, X const& x) const {
    auto u = draw_uniform<typename X::shape_type>(k);
    return select(u < kept, x / weft::convert<typename X::element_type>(kept), 0);
  }
};

} // namespace detail

template <int N = 2> constexpr std::array<key, N> split(key const& k) {
  auto const words = detail::now<detail::split_call<N>>(k);
  std::array<key, N> keys;
  for (int i = 0; i < N; ++i)
    keys[static_cast<unsigned>(i)] = key::of_words(words(i, 0), words(i, 1));
  return keys;
}
template <class I>
  requires immediate_operand<I>
constexpr key fold_in(key const& k, I const& i) {
  auto const words = detail::now<detail::fold_in_call>(k, i);
  return key::of_words(words(0), words(1));
}
template <auto... E> constexpr auto bits(key const& k) {
  return detail::now<detail::bits_call<E...>>(k);
}
template <auto... E> constexpr auto uniform(key const& k) {
  return detail::now<detail::uniform_call<E...>>(k);
}
template <auto... E, immediate_operand A, immediate_operand B>
constexpr auto uniform(key const& k, A const& a, B const& b) {
  return detail::now<detail::uniform_call<E...>>(k, a, b);
}
template <auto... E, immediate_operand P> constexpr auto bernoulli(key const& k, P const& p) {
  return detail::now<detail::bernoulli_call<E...>>(k, p);
}
template <immediate_operand Rate, array_value X>
constexpr auto dropout(key const& k, Rate const& rate, X const& x) {
  if constexpr (number_literal<Rate>) {
    double const kept = 1 - static_cast<double>(rate);
    if (kept == 1) return eval(x);
    if (kept == 0) return zeros_like(x);
    return detail::now<detail::kept_call>(k, tensor<float>(static_cast<float>(kept)), x);
  } else return detail::now<detail::dropout_call>(k, rate, x);
}

} // namespace weft::inline v0
