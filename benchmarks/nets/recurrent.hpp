// SPDX-License-Identifier: BSL-1.0
// Recurrent cells over a batch of sequences, (steps, batch, features): their numbers, weft's programs,
// and the loop that one writes by hand over OpenBLAS and Eigen's arrays: x W of all steps in one
// product, then a product and the gates per step.
#pragma once

#include "sides.hpp"

namespace bench {

struct cell_sizes {
  int steps, batch, in, hidden, gates;

  std::size_t wide() const { return count_of(gates, hidden); }
  double forward_operations() const { return 2.0 * steps * batch * gates * hidden * (in + hidden); }
};
// PyTorch's layout: weights (gates x hidden, in), gates one behind the other.
struct cell_numbers : cell_sizes {
  numbers x, h, c, input, hidden_weights, input_bias, hidden_bias, target;

  explicit cell_numbers(cell_sizes s)
      : cell_sizes(s), x(uniform(count_of(s.steps, s.batch, s.in), 1)),
        h(scaled(count_of(s.batch, s.hidden), 2, 0.5f)),
        c(scaled(count_of(s.batch, s.hidden), 3, 0.5f)),
        input(scaled(s.wide() * count_of(s.in), 4, range(s))),
        hidden_weights(scaled(s.wide() * count_of(s.hidden), 5, range(s))),
        input_bias(scaled(s.wide(), 6, range(s))), hidden_bias(scaled(s.wide(), 7, range(s))),
        target(scaled(count_of(s.steps, s.batch, s.hidden), 8, 0.5f)) {}

private:
  static float range(cell_sizes s) { return 1 / std::sqrt(static_cast<float>(s.hidden)); }
};

inline constexpr auto gru_states = [](auto p, auto h, auto xs) {
  auto cell = [&](auto state, auto x) {
    auto next = weft::gru(p, state, x);
    return std::pair(next, next);
  };
  return scan(cell, h, xs).second;
};
inline constexpr auto lstm_states = [](auto p, auto h, auto c, auto xs) {
  auto cell = [&](auto state, auto x) {
    auto next = weft::lstm(p, state.first, state.second, x);
    return std::pair(next, next.first);
  };
  return scan(cell, std::pair(h, c), xs).second;
};
inline constexpr float learning_rate = 0.1f;
// The mean squared distance of the states to `target`, and one step down its gradient.
inline constexpr auto gru_loss = [](auto p, auto h, auto xs, auto target) {
  auto e = gru_states(p, h, xs) - target;
  return mean(e * e);
};
inline constexpr auto gru_training = [](auto p, auto h, auto xs, auto target) {
  auto [loss, grads] = weft::value_and_grad(gru_loss)(p, h, xs, target);
  auto next = sgd(p, grads, learning_rate);
  return std::tuple(next.input, next.hidden, next.input_bias, next.hidden_bias);
};

template <template <template <class, auto...> class, int, int> class Weights, int Gates, int In,
          int Hidden>
Weights<weft::tensor, In, Hidden> weights_of(cell_numbers const& n) {
  return {tensor_of<float, Gates * Hidden, In>(n.input),
          tensor_of<float, Gates * Hidden, Hidden>(n.hidden_weights),
          tensor_of<float, Gates * Hidden>(n.input_bias),
          tensor_of<float, Gates * Hidden>(n.hidden_bias)};
}

#ifdef WEFT_HAS_EIGEN
// Forward, and for the GRU the way back.
class cell_by_hand {
public:
  cell_by_hand(cell_numbers const& n, blas const& library)
      : n_(n), multiply_{library}, from_x_(steps_of(n.wide())),
        from_h_(count_of(n.batch) * n.wide()), states_(steps_of(count_of(n.hidden))), cell_(n.c) {}
  virtual ~cell_by_hand() = default;

  virtual void run() {
    multiply_(n_.steps * n_.batch, wide(), n_.in, n_.x.data(), false, n_.input.data(), true,
              from_x_.data());
    if (n_.gates == 4) cell_ = n_.c;
    for (int t = 0; t < n_.steps; ++t) {
      multiply_(n_.batch, wide(), n_.hidden, before(t), false, n_.hidden_weights.data(), true,
                from_h_.data());
      for (int b = 0; b < n_.batch; ++b) n_.gates == 3 ? gru_row(t, b) : lstm_row(t, b);
    }
  }
  virtual std::vector<double> result() const { return as_doubles(states_); }

protected:
  using array = Eigen::ArrayXf;
  using in_place = Eigen::Map<array>;
  using given = Eigen::Map<array const>;

  std::size_t steps_of(std::size_t each) const { return count_of(n_.steps, n_.batch) * each; }
  int wide() const { return n_.gates * n_.hidden; }
  float const* before(int t) const {
    return t == 0 ? n_.h.data() : states_.data() + row(t - 1, 0) * count_of(n_.hidden);
  }
  std::size_t row(int t, int b) const {
    return count_of(t, n_.batch) + static_cast<std::size_t>(b);
  }
  template <class X> static auto sigmoid(X const& x) { return 1.0f / (1.0f + (-x).exp()); }
  given part(float const* row, int gate) const { return {row + gate * n_.hidden, n_.hidden}; }
  in_place part(float* row, int gate) const { return {row + gate * n_.hidden, n_.hidden}; }
  auto both(float const* a, float const* c, int g) const {
    return part(a, g) + part(n_.input_bias.data(), g) + part(c, g) + part(n_.hidden_bias.data(), g);
  }
  // Gates overwrite what they were made from, for who goes back.
  void gru_row(int t, int b) {
    float* const a = from_x_.data() + row(t, b) * n_.wide();
    float* const c = from_h_.data() + count_of(b) * n_.wide();
    given const h(before(t) + b * n_.hidden, n_.hidden);
    in_place r = part(a, 0), z = part(a, 1), n = part(a, 2), cn = part(c, 2);
    r = sigmoid(both(a, c, 0));
    z = sigmoid(both(a, c, 1));
    cn += part(n_.hidden_bias.data(), 2);
    n = (n + part(n_.input_bias.data(), 2) + r * cn).tanh();
    in_place(states_.data() + row(t, b) * count_of(n_.hidden), n_.hidden) = (1 - z) * n + z * h;
    keep(t, b, c);
  }
  virtual void keep(int, int, float const*) {}
  void lstm_row(int t, int b) {
    float* const a = from_x_.data() + row(t, b) * n_.wide();
    float const* const c = from_h_.data() + count_of(b) * n_.wide();
    in_place state(cell_.data() + b * n_.hidden, n_.hidden);
    in_place i = part(a, 0), f = part(a, 1), g = part(a, 2), o = part(a, 3);
    i = sigmoid(both(a, c, 0));
    f = sigmoid(both(a, c, 1));
    g = both(a, c, 2).tanh();
    o = sigmoid(both(a, c, 3));
    state = f * state + i * g;
    in_place(states_.data() + row(t, b) * count_of(n_.hidden), n_.hidden) = o * state.tanh();
  }

  cell_numbers const n_;
  hand_product multiply_;
  numbers from_x_, from_h_, states_, cell_;
};
#endif

} // namespace bench
