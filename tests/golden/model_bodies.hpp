// SPDX-License-Identifier: BSL-1.0
// The models of the golden family models, written from the data's `doc`, and their training: losses
// before every step, the first gradients, the last parameters, all in one program.
#pragma once

#include <weft/weft.hpp>

#include <array>
#include <utility>

namespace golden::models {

using namespace weft;

inline constexpr auto mlp = [](auto p, auto x, auto onehot) {
  auto h1 = tanh(matmul(x, p.w1) + p.b1);
  auto h2 = relu(matmul(h1, p.w2) + p.b2);
  return mean(soft_cross_entropy(matmul(h2, p.w3) + p.b3, onehot));
};

template <class P, class H, class X> constexpr auto gru_step(P const& p, H const& h, X const& x) {
  auto g = split<3, -1>(matmul(x, p.wx)), u = split<3, -1>(matmul(h, p.wh));
  auto b = split<3, -1>(p.b);
  auto r = sigmoid(g[0] + u[0] + b[0]);
  auto z = sigmoid(g[1] + u[1] + b[1]);
  auto c = tanh(g[2] + r * u[2] + b[2]);
  return (1 - z) * c + z * h;
}
inline constexpr auto gru = [](auto p, auto characters, auto next, auto key) {
  auto e = einsum<"tbv,ve->tbe">(characters, p.emb);
  constexpr int batch = static_cast<int>(decltype(e)::shape_type::value[1]);
  constexpr int units = static_cast<int>(decltype(p.wh)::shape_type::value[0]);
  auto hidden = scan(
      [p](auto h, auto x) {
        auto y = gru_step(p, h, x);
        return std::pair(y, y);
      },
      zeros<float, batch, units>(), e);
  auto y = dropout(key, 0.25f, hidden.second);
  return mean(soft_cross_entropy(einsum<"tbh,hv->tbv">(y, p.wo) + p.bo, next));
};

// (n, h, w, c) to the means of its 2x2 squares.
template <class X> constexpr auto mean_of_squares(X const& x) {
  constexpr extents s = X::shape_type::value;
  constexpr int n = static_cast<int>(s[0]), h = static_cast<int>(s[1] / 2),
                w = static_cast<int>(s[2] / 2), c = static_cast<int>(s[3]);
  return mean<2, 4>(reshape<n, h, 2, w, 2, c>(x));
}
inline constexpr auto convnet = [](auto p, auto x, auto onehot) {
  constexpr conv_options first{.padding = 1};
  constexpr conv_options second{.strides = 2, .padding = {{0, 1}, {0, 1}}};
  auto h1 = mean_of_squares(tanh(conv<"NHWC,HWIO->NHWC", first>(x, p.k1) + p.c1));
  auto h2 = relu(conv<"NHWC,IHWO->NHWC", second>(h1, p.k2) + p.c2);
  return mean(soft_cross_entropy(matmul(mean<1, 2>(h2), p.w) + p.b, onehot));
};

// Optimisers: parameters, gradients and state give pair(parameters, state).
template <momentum_options O, class P> constexpr auto momentum_of(P const& start, double rate) {
  auto const update = [rate](auto const& p, auto const& g, auto const& v) {
    return momentum<O>(p, g, v, rate);
  };
  return std::pair(update, map_leaves([](auto x) { return zeros_like(x); }, start));
}
template <template <template <class, auto...> class> class Params, adam_options O, class P>
constexpr auto adam_of(P const& start, double rate) {
  auto const update = [rate](auto const& p, auto const& g, auto const& s) {
    return adam<O>(p, g, s, rate);
  };
  using state = traced_type<typename adam_for<Params>::template state<tensor>>;
  recorder& r = detail::recorder_in(start);
  auto const zero = [&r]<class L>(std::type_identity<L>) {
    return L{constant(r, 0, dtype_of<typename L::element_type>, L::shape_type::value)};
  };
  return std::pair(update, make_like<state>(zero));
}

// loss(p, k) is the one of step k.
template <int Steps, class Loss, class P, class Optimiser>
constexpr auto trained(Loss const& loss, P p, Optimiser const& optimiser) {
  auto const step = [&loss](P const& now, int k) {
    return value_and_grad([&loss, k](auto q) { return loss(q, k); })(now);
  };
  auto state = optimiser.second;
  auto now = step(p, 0);
  auto const first = now.second;
  std::array<decltype(now.first), Steps> losses{};
  for (int k = 0; k < Steps; ++k) {
    if (k > 0) now = step(p, k);
    losses[static_cast<unsigned>(k)] = now.first;
    std::tie(p, state) = optimiser.first(p, now.second, state);
  }
  auto const all = [&losses]<std::size_t... K>(std::index_sequence<K...>) {
    return stack<0>(losses[K]...);
  }(std::make_index_sequence<Steps>{});
  return std::tuple(all, first, p);
}

} // namespace golden::models
