// SPDX-License-Identifier: BSL-1.0
// Optimisers as functions of structures: parameters and gradients in, parameters out. They map over
// leaves, so parameters are any structure of float arrays.
//   auto next = sgd(p, grads, 0.1f);
//   auto [next, state] = adam(p, grads, before, 1e-3f);  // adam_for<params>::state<tensor> before;
// Needs: structure.hpp (map_leaves), elementwise.hpp; gradients in the structure, types and shapes
// of the parameters. Leaves: numbers may be literals or rank-0 arrays.
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/structure.hpp>

namespace weft::inline v0 {

// p - rate * g.
template <class P, class G, class Rate> constexpr P sgd(P const& p, G const& grads, Rate rate) {
  return map_leaves([&rate](auto const& w, auto const& g) { return w - rate * g; }, p, grads);
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
// ln b for 0 < b < 1: -2 artanh((1 - b) / (1 + b)) by its series.
constexpr double log_of_decay(double b) {
  double z = (1 - b) / (1 + b), power = z, total = 0;
  for (int k = 1; k < 400; k += 2, power *= z * z) total += power / k;
  return -2 * total;
}
// 1 - b^t without cancellation: 1 - e^y = tanh(-y / 2) (e^y + 1), y = t ln b.
template <class T> constexpr auto bias_correction(double decay, T const& steps) {
  auto y = convert<float>(steps) * log_of_decay(decay);
  return tanh(y * -0.5) * (exp(y) + 1);
}
} // namespace detail

// m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, and with m', v' free of the bias of the zeros at
// the start: p - rate m' / (sqrt(v') + epsilon). Kingma, Ba 2015. Gives pair(parameters, state).
template <adam_options O = adam_options{}, class P, class G, class State, class Rate>
constexpr auto adam(P const& p, G const& grads, State const& before, Rate rate) {
  State s = before;
  s.step = before.step + 1;
  s.mean = map_leaves(
      [](auto const& m, auto const& g) { return m * O.mean_decay + g * (1 - O.mean_decay); },
      before.mean, grads);
  s.square = map_leaves(
      [](auto const& v, auto const& g) {
        return v * O.square_decay + g * g * (1 - O.square_decay);
      },
      before.square, grads);
  auto mean_scale = detail::bias_correction(O.mean_decay, s.step);
  auto square_scale = detail::bias_correction(O.square_decay, s.step);
  auto change = map_leaves(
      [&](auto const& m, auto const& v) {
        return (m / mean_scale) / (sqrt(v / square_scale) + O.epsilon);
      },
      s.mean, s.square);
  return std::pair(sgd(p, change, rate), s);
}

} // namespace weft::inline v0
