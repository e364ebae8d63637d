// SPDX-License-Identifier: BSL-1.0
// More optimisers as functions of structures: momentum, adamw, lion, rmsprop; clipping of
// gradients. Numbers (rates, decays of weights) may be literals or rank-0 float arrays, so that
// schedules.hpp can make them; types as in optimise.hpp.
//   auto [next, velocity] = momentum(p, grads, before, 0.1f);   // params<tensor> before;
//   auto [next, state] = adamw(p, grads, before, 1e-3f, 0.01f);
//   auto clipped = clip_by_global_norm(grads, 1.0f);
// Needs: optimise.hpp, reductions.hpp; gradients in the structure, types and shapes of parameters.
#pragma once

#include <weft/lang/optimise.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0 {

struct momentum_options {
  double decay = 0.9;
  bool nesterov = false;
};
// v' = decay v + g; p' = p - rate v', or p - rate (g + decay v') (Nesterov), as PyTorch's sgd.
// Gives pair(parameters, v').
template <momentum_options O = momentum_options{}, class P, class G, class Rate>
constexpr auto momentum(P const& p, G const& grads, P const& velocity, Rate rate) {
  P const next = detail::map_floats([](auto const& v, auto const& g) { return v * O.decay + g; },
                                    velocity, grads);
  if constexpr (!O.nesterov) return std::pair(sgd(p, next, rate), next);
  else {
    P const ahead = detail::map_floats([](auto const& v, auto const& g) { return g + v * O.decay; },
                                       next, grads);
    return std::pair(sgd(p, ahead, rate), next);
  }
}

namespace detail {
// (w - rate * decay * w) - rate * change: one rounding of 16 bits.
template <class P, class Change, class Rate, class Decay>
constexpr P shrunk_then_moved(P const& p, Change const& change, Rate const& rate,
                              Decay const& decay) {
  return map_floats(
      [&](auto const& w, auto const& c) {
        auto const small = w - number_like(w, rate) * number_like(w, decay) * w;
        return small - number_like(w, rate) * c;
      },
      p, change);
}
} // namespace detail

// adam, and every weight shrinks by rate * decay before the step (Loshchilov, Hutter 2019).
template <adam_options O = adam_options{}, class P, class G, class State, class Rate, class Decay>
constexpr auto adamw(P const& p, G const& grads, State const& before, Rate rate, Decay decay) {
  auto const next = detail::adam_change<O, P>(grads, before);
  return std::pair(detail::shrunk_then_moved(p, next.first, rate, decay), next.second);
}

struct lion_options {
  double step_decay = 0.9, mean_decay = 0.99;
};
// p' = p - rate (sign(b1 m + (1 - b1) g) + decay p), m' = b2 m + (1 - b2) g (Chen et al. 2023).
// Gives pair(parameters, m'); m starts at zeros.
template <lion_options O = lion_options{}, class P, class G, class Rate, class Decay = double>
constexpr auto lion(P const& p, G const& grads, P const& mean, Rate rate, Decay decay = 0.0) {
  P const direction = detail::map_floats(
      [](auto const& m, auto const& g) { return sign(m * O.step_decay + g * (1 - O.step_decay)); },
      mean, grads);
  P const next = detail::map_floats(
      [](auto const& m, auto const& g) { return m * O.mean_decay + g * (1 - O.mean_decay); }, mean,
      grads);
  return std::pair(detail::shrunk_then_moved(p, direction, rate, decay), next);
}

struct rmsprop_options {
  double square_decay = 0.99, epsilon = 1e-8;
};
// s' = d s + (1 - d) g^2; p' = p - rate g / (sqrt(s') + epsilon), as PyTorch's (Tieleman, Hinton
// 2012). Gives pair(parameters, s'); s starts at zeros.
template <rmsprop_options O = rmsprop_options{}, class P, class G, class Rate>
constexpr auto rmsprop(P const& p, G const& grads, P const& square, Rate rate) {
  P const next = detail::map_floats(
      [](auto const& s, auto const& g) {
        return s * O.square_decay + g * g * (1 - O.square_decay);
      },
      square, grads);
  P const change = detail::map_floats(
      [](auto const& g, auto const& s) { return g / (sqrt(s) + O.epsilon); }, grads, next);
  return std::pair(sgd(p, change, rate), next);
}

namespace detail {
template <class List> struct first_leaf;
template <class L, class... Rest> struct first_leaf<type_list<L, Rest...>> {
  using type = L;
};
} // namespace detail

// sqrt of the sum of all squares of all leaves, one reduction a leaf, added in declaration order.
// Squares, sums and the result are float, double if any leaf is.
template <class G> constexpr auto global_norm(G const& grads) {
  using T = detail::shared_arithmetic<G>;
  auto const squares_of = [](auto const& g) {
    auto const x = detail::number_in<T>(g);
    return sum(x * x);
  };
  using total =
      decltype(squares_of(std::declval<typename detail::first_leaf<leaves_of<G>>::type>()));
  total squares{};
  bool started = false;
  for_each_leaf(grads, [&](auto const& g) {
    auto const one = squares_of(g);
    squares = started ? total(squares + one) : total(one);
    started = true;
  });
  return sqrt(squares);
}
// Gradients scaled so that their global norm is at most `most`; unchanged if it is. The products
// are in the norm's type, then each is rounded to its leaf's.
template <class G, class Most> constexpr G clip_by_global_norm(G const& grads, Most most) {
  using T = detail::shared_arithmetic<G>;
  auto const norm = global_norm(grads);
  auto const scale = detail::number_in<T>(most) / maximum(norm, detail::number_in<T>(most));
  return map_leaves(
      [&](auto const& g) { return detail::number_like(g, detail::number_in<T>(g) * scale); },
      grads);
}
// Every element of every leaf between -most and most; NaN stays.
template <class G, class Most> constexpr G clip_by_value(G const& grads, Most most) {
  return detail::map_floats(
      [&](auto const& g) {
        decltype(auto) high = detail::number_like(g, most);
        return maximum(minimum(g, high), -high);
      },
      grads);
}

} // namespace weft::inline v0
