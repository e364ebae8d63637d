// SPDX-License-Identifier: BSL-1.0
// Optimisers as functions of structures: parameters and gradients in, parameters out. They map over
// leaves, so parameters are any structure of float arrays.
//   auto next = sgd(p, grads, 0.1f);
//   auto [next, state] = adam(p, grads, before, 1e-3f);  // adam_for<params>::state<tensor> before;
// Needs: structure.hpp (map_leaves), elementwise.hpp; gradients in the structure, types and shapes
// of the parameters. Leaves: numbers may be literals or rank-0 float arrays of any type, which are
// converted to the leaf's. Leaves of double compute in double, all others in float; bf16 and f16
// are rounded once per result: parameters, parts of the state, the change that is subtracted.
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/structure.hpp>
#include <weft/op/elementary.hpp>

namespace weft::inline v0 {

namespace detail {

// The type that leaves of T compute in, and that several leaves share.
template <class... T>
using leaf_arithmetic = std::conditional_t<(std::is_same_v<T, double> || ...), double, float>;
template <class List> struct shared_by;
template <class... L> struct shared_by<type_list<L...>> {
  using type = leaf_arithmetic<typename L::element_type...>;
};
template <class X> using shared_arithmetic = typename shared_by<leaves_of<X>>::type;

// An array with elements T; numbers stay, they take the type of the array that they meet.
template <class T, class X> constexpr decltype(auto) number_in(X const& x) {
  if constexpr (number_literal<X> || element_agrees<T, X>) return (x);
  else return convert<T>(x);
}
template <class Like, class X> constexpr decltype(auto) number_like(Like const&, X const& x) {
  return number_in<element_of<Like>>(x);
}
// f of leaves in the type that they compute in; the result in theirs.
template <class F, class A, class... B>
constexpr auto in_leaf_arithmetic(F const& f, A const& a, B const&... b) {
  using T = element_of<A>;
  using wide = leaf_arithmetic<T>;
  if constexpr (std::is_same_v<T, wide>) return f(a, b...);
  else return convert<T>(f(convert<wide>(a), number_in<wide>(b)...));
}
template <class F, class X, class... Y>
constexpr X map_floats(F const& f, X const& x, Y const&... y) {
  return map_leaves([&f](auto const&... leaf) { return in_leaf_arithmetic(f, leaf...); }, x, y...);
}

} // namespace detail

// p - rate * g.
template <class P, class G, class Rate> constexpr P sgd(P const& p, G const& grads, Rate rate) {
  return detail::map_floats(
      [&rate](auto const& w, auto const& g) { return w - detail::number_like(w, rate) * g; }, p,
      grads);
}

// Running means of gradients and of their squares; steps taken. All zeros at the start.
template <template <template <class, auto...> class> class Params> struct adam_for {
  template <template <class, auto...> class array> struct state {
    Params<array> mean, square;
    array<int> step;
  };
};
struct adam_options {
  double mean_decay = 0.9, square_decay = 0.999, epsilon = 1e-8;
};

namespace detail {
// ln b for b >= 0; of 0 a number so low that e^(t ln b) is 0^t for every integer t >= 0.
constexpr double log_of_decay(double b) {
  return b > 0 ? elementary::log(scalar::f64(b)).value : -1e30;
}
// 1 - b^t in T without cancellation: 1 - e^y = tanh(-y / 2) (e^y + 1), y = t ln b.
template <class T = float, class N> constexpr auto bias_correction(double decay, N const& steps) {
  auto y = convert<T>(steps) * log_of_decay(decay);
  return tanh(y * -0.5) * (exp(y) + 1);
}
} // namespace detail

// m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, and with m', v' free of the bias of the zeros at
// the start: p - rate m' / (sqrt(v') + epsilon). Kingma, Ba 2015. Gives pair(parameters, state).
// The bias is computed in float, if any leaf is double in double.
template <adam_options O = adam_options{}, class P, class G, class State, class Rate>
constexpr auto adam(P const& p, G const& grads, State const& before, Rate rate) {
  State s = before;
  s.step = before.step + 1;
  s.mean = detail::map_floats(
      [](auto const& m, auto const& g) { return m * O.mean_decay + g * (1 - O.mean_decay); },
      before.mean, grads);
  s.square = detail::map_floats(
      [](auto const& v, auto const& g) {
        return v * O.square_decay + g * g * (1 - O.square_decay);
      },
      before.square, grads);
  using T = detail::shared_arithmetic<P>;
  auto mean_scale = detail::bias_correction<T>(O.mean_decay, s.step);
  auto square_scale = detail::bias_correction<T>(O.square_decay, s.step);
  auto change = detail::map_floats(
      [&](auto const& m, auto const& v) {
        auto const mean = m / detail::number_like(m, mean_scale);
        return mean / (sqrt(v / detail::number_like(v, square_scale)) + O.epsilon);
      },
      s.mean, s.square);
  return std::pair(sgd(p, change, rate), s);
}

} // namespace weft::inline v0
