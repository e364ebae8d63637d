// SPDX-License-Identifier: BSL-1.0
// Random numbers from a key's value: the functions of random_keys.hpp and random.hpp, computed now.
// The same numbers as in a trace; that a key is given to one draw or split only is the caller's care
// here.
// Needs: random.hpp, expression_elementwise.hpp. Leaves: tensors and keys; an array of keys is a
// tensor of uint32, two words a key.
#pragma once

#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/random.hpp>

namespace weft::inline v0 {
namespace detail {

// Numbers next to a key are probabilities and bounds.
template <class T> struct draw_call {
  template <int, class...> using number = T;
};
template <auto... A> struct split_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k) const {
    return key_data(weft::split_keys<A...>(k));
  }
};
struct fold_in_call {
  template <int, class, class I> using number = element_of<I>;
  constexpr auto operator()(traced_key<> const& k, auto const& i) const {
    return key_data(weft::fold_in(k, i));
  }
};
struct make_key_call : plain_call {
  constexpr auto operator()(auto const& seed) const { return key_data(weft::make_key(seed)); }
};
template <class T, auto... E> struct bits_call : draw_call<T> {
  constexpr auto operator()(traced_key<> const& k) const { return weft::bits<T, E...>(k); }
};
template <class T, auto... E> struct uniform_call : draw_call<T> {
  constexpr auto operator()(traced_key<> const& k, auto const&... bounds) const {
    return weft::uniform<T, E...>(k, bounds...);
  }
};
template <auto O> struct uniform_like_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const& x) const {
    return weft::uniform_like<O>(k, x);
  }
};
template <auto... E> struct bernoulli_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const& p) const {
    return weft::bernoulli<E...>(k, p);
  }
};
template <auto O> struct dropout_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const& rate, auto const& x) const {
    return weft::dropout<O>(k, rate, x);
  }
};
// What dropout does with a number: kept = 1 - rate, rounded from double to float and to x's type.
template <auto O> struct kept_call : draw_call<float> {
  template <class X>
  constexpr auto operator()(traced_key<> const& k, auto const& kept, auto const& divisor,
                            X const& x) const {
    auto u = draw_unit<float, typename X::shape_type, O>(k);
    return select(u < kept, x / divisor, 0);
  }
};
constexpr key key_of_words(tensor<std::uint32_t, 2> const& words) {
  return key::of_words(words(0), words(1));
}

} // namespace detail

template <int N = 2, random_options O = random_options{}>
constexpr std::array<key, N> split(key const& k) {
  auto const words = detail::now<detail::split_call<O, N>>(k);
  std::array<key, N> keys;
  for (int i = 0; i < N; ++i)
    keys[static_cast<unsigned>(i)] = key::of_words(words(i, 0), words(i, 1));
  return keys;
}
template <auto... A> constexpr auto split_keys(key const& k) {
  return detail::now<detail::split_call<A...>>(k);
}
// A key for one number, for an array of them a tensor of words.
template <class I>
  requires immediate_operand<I>
constexpr auto fold_in(key const& k, I const& i) {
  auto const words = detail::now<detail::fold_in_call>(k, i);
  if constexpr (rank_of<decltype(words)> == 1) return detail::key_of_words(words);
  else return words;
}
template <array_value A> constexpr key make_key(A const& seed) {
  return detail::key_of_words(detail::now<detail::make_key_call>(seed));
}
constexpr tensor<std::uint32_t, 2> key_data(key const& k) {
  tensor<std::uint32_t, 2> words;
  std::uint32_t* to = detail::writable(words);
  to[0] = k.high;
  to[1] = k.low;
  return words;
}
constexpr key wrap_key_data(tensor<std::uint32_t, 2> const& words) {
  return detail::key_of_words(words);
}

template <auto... E> constexpr auto bits(key const& k) {
  return detail::now<detail::bits_call<std::uint32_t, E...>>(k);
}
template <class T, auto... E> constexpr auto bits(key const& k) {
  return detail::now<detail::bits_call<T, E...>>(k);
}
template <auto... E> constexpr auto uniform(key const& k) {
  return detail::now<detail::uniform_call<float, E...>>(k);
}
template <class T, auto... E> constexpr auto uniform(key const& k) {
  return detail::now<detail::uniform_call<T, E...>>(k);
}
template <auto... E, immediate_operand A, immediate_operand B>
constexpr auto uniform(key const& k, A const& a, B const& b) {
  return detail::now<detail::uniform_call<float, E...>>(k, a, b);
}
template <class T, auto... E, immediate_operand A, immediate_operand B>
constexpr auto uniform(key const& k, A const& a, B const& b) {
  return detail::now<detail::uniform_call<T, E...>>(k, a, b);
}
template <random_options O = random_options{}, array_value X>
constexpr auto uniform_like(key const& k, X const& x) {
  return detail::now<detail::uniform_like_call<O>>(k, x);
}
template <auto... E, immediate_operand P> constexpr auto bernoulli(key const& k, P const& p) {
  if constexpr (number_literal<P>)
    if (!detail::is_probability(p)) raise<value_error>(detail::bernoulli_text);
  return detail::now<detail::bernoulli_call<E...>>(k, p);
}
template <random_options O = random_options{}, immediate_operand Rate, array_value X>
constexpr auto dropout(key const& k, Rate const& rate, X const& x) {
  if constexpr (number_literal<Rate>) {
    if (!detail::is_probability(rate)) raise<value_error>(detail::dropout_text);
    double const kept = 1 - static_cast<double>(rate);
    if (kept == 1) return eval(x);
    if (kept == 0) return zeros_like(x);
    using T = typename X::element_type;
    return detail::now<detail::kept_call<O>>(k, tensor<float>(static_cast<float>(kept)),
                                             tensor<T>(detail::element_from<T>(kept)), x);
  } else return detail::now<detail::dropout_call<O>>(k, rate, x);
}

} // namespace weft::inline v0
