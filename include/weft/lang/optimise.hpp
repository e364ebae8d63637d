// SPDX-License-Identifier: BSL-1.0
// Optimisers as functions of structures: parameters and gradients in, parameters out. They map over
// leaves, so parameters are any structure of float arrays.
//   auto next = sgd(p, grads, 0.1f);
//   auto [next, state] = adam(p, grads, before, 1e-3f);  // adam_for<params>::state<tensor> before;
// Needs: structure.hpp (map_leaves), leaf_arithmetic.hpp; gradients in the structure, types and shapes
// of the parameters. Leaves: numbers may be literals or rank-0 float arrays of any type, which are
// converted to the leaf's. Leaves of double compute in double, all others in float; bf16 and f16
// are rounded once per result: parameters, parts of the state, the change that is subtracted.
#pragma once

#include <weft/lang/leaf_arithmetic.hpp>
#include <weft/lang/structure.hpp>
#include <weft/op/elementary.hpp>

namespace weft::inline v0 {

namespace detail {

// The type that several leaves share.
template <class List> struct shared_by;
template <class... L> struct shared_by<type_list<L...>> {
  using type = leaf_arithmetic<typename L::element_type...>;
};
template <class X> using shared_arithmetic = typename shared_by<leaves_of<X>>::type;

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

// What adam subtracts, over the rate, and the next state.
template <adam_options O, class P, class G, class State>
constexpr auto adam_change(G const& grads, State const& before) {
  State s = before;
  s.step = before.step + 1;
  s.mean = map_floats(
      [](auto const& m, auto const& g) { return m * O.mean_decay + g * (1 - O.mean_decay); },
      before.mean, grads);
  s.square = map_floats(
      [](auto const& v, auto const& g) {
        return v * O.square_decay + g * g * (1 - O.square_decay);
      },
      before.square, grads);
  using T = shared_arithmetic<P>;
  auto mean_scale = bias_correction<T>(O.mean_decay, s.step);
  auto square_scale = bias_correction<T>(O.square_decay, s.step);
  auto change = map_floats(
      [&](auto const& m, auto const& v) {
        auto const mean = m / number_like(m, mean_scale);
        return mean / (sqrt(v / number_like(v, square_scale)) + O.epsilon);
      },
      s.mean, s.square);
  return std::pair(change, s);
}
} // namespace detail

// m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, and with m', v' free of the bias of the zeros at
// the start: p - rate m' / (sqrt(v') + epsilon). Kingma, Ba 2015. Gives pair(parameters, state).
// The bias is computed in float, if any leaf is double in double.
template <adam_options O = adam_options{}, class P, class G, class State, class Rate>
constexpr auto adam(P const& p, G const& grads, State const& before, Rate rate) {
  auto const next = detail::adam_change<O, P>(grads, before);
  return std::pair(sgd(p, next.first, rate), next.second);
}

} // namespace weft::inline v0
