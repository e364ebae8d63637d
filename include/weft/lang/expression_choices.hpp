// SPDX-License-Identifier: BSL-1.0
// The draws of random_order.hpp and rejection.hpp from a key's value, computed now: the same
// numbers as in a trace.
// Needs: expression_distributions.hpp. Leaves: tensors.
#pragma once

#include <weft/lang/expression_distributions.hpp>
#include <weft/lang/random_order.hpp>
#include <weft/lang/rejection.hpp>

namespace weft::inline v0 {
namespace detail {

template <auto... A> struct permutation_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const&... x) const {
    return weft::permutation<A...>(k, x...);
  }
};
template <auto... E> struct choice_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const& x) const {
    return weft::choice<E...>(k, x);
  }
};
template <auto... A> struct categorical_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const& x) const {
    return weft::categorical<A...>(k, x);
  }
};
template <class T, auto... E> struct poisson_call : draw_call<float> {
  constexpr auto operator()(traced_key<> const& k, auto const& rate) const {
    return weft::poisson<T, E...>(k, rate);
  }
};

} // namespace detail

template <auto... E> constexpr auto permutation(key const& k) {
  return detail::now<detail::permutation_call<E...>>(k);
}
template <auto... A, array_value X> constexpr auto permutation(key const& k, X const& x) {
  return detail::now<detail::permutation_call<A...>>(k, x);
}
template <auto... E, array_value X> constexpr auto choice(key const& k, X const& x) {
  return detail::now<detail::choice_call<E...>>(k, x);
}
template <auto... A, array_value X> constexpr auto categorical(key const& k, X const& logits) {
  return detail::now<detail::categorical_call<A...>>(k, logits);
}

template <auto... E, immediate_operand A> constexpr auto gamma(key const& k, A const& alpha) {
  return detail::draw_now<detail::gamma_formula, float, E...>(k, alpha);
}
template <class T, auto... E, immediate_operand A>
constexpr auto gamma(key const& k, A const& alpha) {
  return detail::draw_now<detail::gamma_formula, T, E...>(k, alpha);
}
template <auto... E, immediate_operand A, immediate_operand B>
constexpr auto beta(key const& k, A const& a, B const& b) {
  return detail::draw_now<detail::beta_formula, float, E...>(k, a, b);
}
template <class T, auto... E, immediate_operand A, immediate_operand B>
constexpr auto beta(key const& k, A const& a, B const& b) {
  return detail::draw_now<detail::beta_formula, T, E...>(k, a, b);
}
template <auto... E, immediate_operand A> constexpr auto chi_square(key const& k, A const& df) {
  return detail::draw_now<detail::chi_square_formula, float, E...>(k, df);
}
template <class T, auto... E, immediate_operand A>
constexpr auto chi_square(key const& k, A const& df) {
  return detail::draw_now<detail::chi_square_formula, T, E...>(k, df);
}
template <auto... E, immediate_operand A> constexpr auto student_t(key const& k, A const& df) {
  return detail::draw_now<detail::student_t_formula, float, E...>(k, df);
}
template <class T, auto... E, immediate_operand A>
constexpr auto student_t(key const& k, A const& df) {
  return detail::draw_now<detail::student_t_formula, T, E...>(k, df);
}
template <auto... E, immediate_operand A> constexpr auto poisson(key const& k, A const& rate) {
  return detail::now<detail::poisson_call<std::int32_t, E...>>(k, rate);
}
template <class T, auto... E, immediate_operand A>
constexpr auto poisson(key const& k, A const& rate) {
  return detail::now<detail::poisson_call<T, E...>>(k, rate);
}

} // namespace weft::inline v0
