// SPDX-License-Identifier: BSL-1.0
// The draws of distributions.hpp, randint.hpp and random_blocks.hpp from a key's value, computed
// now: the same numbers as in a trace.
// Needs: expression_random.hpp. Leaves: tensors.
#pragma once

#include <weft/lang/distributions.hpp>
#include <weft/lang/expression_random.hpp>
#include <weft/lang/randint.hpp>
#include <weft/lang/random_blocks.hpp>

namespace weft::inline v0 {
namespace detail {

template <class F, class T, auto... E> struct formula_call : draw_call<T> {
  constexpr auto operator()(traced_key<> const& k, auto const&... p) const {
    return draw<F, T, E...>(k, p...);
  }
};
template <auto O> struct normal_like_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const& x) const {
    return weft::normal_like<O>(k, x);
  }
};
template <class T, auto... E> struct rademacher_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k) const { return weft::rademacher<T, E...>(k); }
};
template <class F, class T, auto... E, class... P>
constexpr auto draw_now(key const& k, P const&... p) {
  return now<formula_call<F, T, E...>>(k, p...);
}
// Bounds, and 1 where the upper one was a number beyond the type, else 0.
template <class T, auto... E> struct randint_call : draw_call<T> {
  template <class A, class B>
  constexpr auto operator()(traced_key<> const& k, A const& a, B const& b, auto const& more) const {
    using D = draw_arguments<E...>;
    using S = draw_shape<D, A, B>;
    if constexpr (!check_beside<T, S, A, B>()) return in_place<traced_of<T, S::value>>(k);
    else
      return draw_randint<T, S, D::options>(k, a, [&](recorder& r, handle first) {
        return span_of_bounds<T>(r, first, randint_bound<T>(r, b), more.value);
      });
  }
};
template <class T, class X> constexpr auto bound_now(X const& x) {
  if constexpr (number_literal<X>) return tensor<T>(clamped<T>(x));
  else return x;
}
template <class T, auto... E, class A, class B>
constexpr auto randint_now(key const& k, A const& low, B const& high) {
  static_assert(integer_element<T>,
                "weft: randint: not an integer type; write randint<std::int32_t, 3>(key, 0, 10)");
  if constexpr (!integer_element<T>) return tensor<std::int32_t>{};
  else if constexpr (!check_elements<T, A, B>()) return tensor<T>{};
  else
    return now<randint_call<T, E...>>(
        k, bound_now<T>(low), bound_now<T>(high),
        tensor<randint_unsigned<T>>(static_cast<randint_unsigned<T>>(is_beyond<T>(high))));
}
struct threefry_call : plain_call {
  constexpr auto operator()(auto const& k, auto const& c) const { return threefry2x32(k, c); }
};
struct philox_call : plain_call {
  constexpr auto operator()(auto const& k, auto const& c) const { return philox4x32(k, c); }
};

} // namespace detail

template <auto... E> constexpr auto normal(key const& k) {
  return detail::draw_now<detail::normal_formula, float, E...>(k);
}
template <class T, auto... E> constexpr auto normal(key const& k) {
  return detail::draw_now<detail::normal_formula, T, E...>(k);
}
template <random_options O = random_options{}, array_value X>
constexpr auto normal_like(key const& k, X const& x) {
  return detail::now<detail::normal_like_call<O>>(k, x);
}
template <auto... E, immediate_operand A, immediate_operand B>
constexpr auto truncated_normal(key const& k, A const& low, B const& high) {
  return detail::draw_now<detail::truncated_normal_formula, float, E...>(k, low, high);
}
template <class T, auto... E, immediate_operand A, immediate_operand B>
constexpr auto truncated_normal(key const& k, A const& low, B const& high) {
  return detail::draw_now<detail::truncated_normal_formula, T, E...>(k, low, high);
}
template <auto... E> constexpr auto exponential(key const& k) {
  return detail::draw_now<detail::exponential_formula, float, E...>(k);
}
template <class T, auto... E> constexpr auto exponential(key const& k) {
  return detail::draw_now<detail::exponential_formula, T, E...>(k);
}
template <auto... E> constexpr auto gumbel(key const& k) {
  return detail::draw_now<detail::gumbel_formula, float, E...>(k);
}
template <class T, auto... E> constexpr auto gumbel(key const& k) {
  return detail::draw_now<detail::gumbel_formula, T, E...>(k);
}
template <auto... E> constexpr auto laplace(key const& k) {
  return detail::draw_now<detail::laplace_formula, float, E...>(k);
}
template <class T, auto... E> constexpr auto laplace(key const& k) {
  return detail::draw_now<detail::laplace_formula, T, E...>(k);
}
template <auto... E> constexpr auto logistic(key const& k) {
  return detail::draw_now<detail::logistic_formula, float, E...>(k);
}
template <class T, auto... E> constexpr auto logistic(key const& k) {
  return detail::draw_now<detail::logistic_formula, T, E...>(k);
}
template <auto... E> constexpr auto cauchy(key const& k) {
  return detail::draw_now<detail::cauchy_formula, float, E...>(k);
}
template <class T, auto... E> constexpr auto cauchy(key const& k) {
  return detail::draw_now<detail::cauchy_formula, T, E...>(k);
}
template <auto... E, immediate_operand A> constexpr auto lognormal(key const& k, A const& sigma) {
  return detail::draw_now<detail::lognormal_formula, float, E...>(k, sigma);
}
template <class T, auto... E, immediate_operand A>
constexpr auto lognormal(key const& k, A const& sigma) {
  return detail::draw_now<detail::lognormal_formula, T, E...>(k, sigma);
}
template <auto... E, immediate_operand A> constexpr auto pareto(key const& k, A const& b) {
  return detail::draw_now<detail::pareto_formula, float, E...>(k, b);
}
template <class T, auto... E, immediate_operand A> constexpr auto pareto(key const& k, A const& b) {
  return detail::draw_now<detail::pareto_formula, T, E...>(k, b);
}
template <auto... E, immediate_operand A> constexpr auto rayleigh(key const& k, A const& scale) {
  return detail::draw_now<detail::rayleigh_formula, float, E...>(k, scale);
}
template <class T, auto... E, immediate_operand A>
constexpr auto rayleigh(key const& k, A const& scale) {
  return detail::draw_now<detail::rayleigh_formula, T, E...>(k, scale);
}
template <class T, auto... E> constexpr auto rademacher(key const& k) {
  return detail::now<detail::rademacher_call<T, E...>>(k);
}
template <auto... E> constexpr auto rademacher(key const& k) {
  return detail::now<detail::rademacher_call<std::int32_t, E...>>(k);
}

template <auto... E, immediate_operand A, immediate_operand B>
constexpr auto randint(key const& k, A const& low, B const& high) {
  return detail::randint_now<std::int32_t, E...>(k, low, high);
}
template <class T, auto... E, immediate_operand A, immediate_operand B>
constexpr auto randint(key const& k, A const& low, B const& high) {
  return detail::randint_now<T, E...>(k, low, high);
}

template <class K, class C>
  requires immediate_call<K, C>
constexpr auto threefry2x32(K const& keys, C const& counters) {
  return detail::now<detail::threefry_call>(keys, counters);
}
template <class K, class C>
  requires immediate_call<K, C>
constexpr auto philox4x32(K const& keys, C const& counters) {
  return detail::now<detail::philox_call>(keys, counters);
}

} // namespace weft::inline v0
