// SPDX-License-Identifier: BSL-1.0
// ./dev bench stream: steps of recurrent cells, a sample at a time, as weft::stream and as one writes
// them by hand with Eigen, whose sizes are static and whose sigmoid is the plain quotient. A run is
// 256 steps from a state of zeros; a step takes one number and gives one.
#include "../common/eigen.hpp"
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"

#include <weft/run/stream.hpp>

namespace {
using namespace bench;
using weft::einsum, weft::tensor;

constexpr int steps = 256;

template <int Hidden> struct gru {
  template <template <class, auto...> class array> struct weights {
    weft::gru_weights<array, 1, Hidden> cell;
    array<float, Hidden> out;
  };
  template <template <class, auto...> class array> using state = array<float, Hidden>;
  static constexpr int gates = 3;
  static constexpr auto step = [](auto p, auto h, auto x) {
    auto next = weft::gru(p.cell, h, x);
    return std::pair(next, einsum<"h,h->">(next, p.out));
  };
};
template <int Hidden> struct lstm {
  template <template <class, auto...> class array> struct weights {
    weft::lstm_weights<array, 1, Hidden> cell;
    array<float, Hidden> out;
  };
  template <template <class, auto...> class array> struct state {
    array<float, Hidden> h, c;
  };
  static constexpr int gates = 4;
  static constexpr auto step = [](auto p, auto s, auto x) {
    auto [h, c] = weft::lstm(p.cell, s.h, s.c, x);
    s.h = h;
    s.c = c;
    return std::pair(s, einsum<"h,h->">(h, p.out));
  };
};

// The same numbers for all sides.
struct numbers {
  std::vector<float> input, hidden, input_bias, hidden_bias, out, samples;

  numbers(int gates, int units)
      : input(scaled(gates * units, 1)), hidden(scaled(gates * units * units, 2)),
        input_bias(scaled(gates * units, 3)), hidden_bias(scaled(gates * units, 4)),
        out(scaled(units, 5)), samples(uniform(steps, 6)) {}

private:
  static std::vector<float> scaled(int count, unsigned seed) {
    std::vector<float> x = uniform(static_cast<std::size_t>(count), seed);
    for (float& e : x) e *= 0.25f;
    return x;
  }
};

template <template <int> class Cell, int Hidden> side stream_side(numbers const& n) {
  using cell = Cell<Hidden>;
  using weights = typename cell::template weights<tensor>;
  struct kept {
    weft::stream<cell::step, weights, typename cell::template state<tensor>, tensor<float, 1>> run;
    std::vector<float> samples, got = std::vector<float>(steps);
    kept(weights const& p, std::vector<float> const& xs) : run(p), samples(xs) {}
  };
  constexpr int wide = cell::gates * Hidden;
  weights const p{{tensor_of<float, wide, 1>(n.input), tensor_of<float, wide, Hidden>(n.hidden),
                   tensor_of<float, wide>(n.input_bias), tensor_of<float, wide>(n.hidden_bias)},
                  tensor_of<float, Hidden>(n.out)};
  auto const k = std::make_shared<kept>(p, n.samples);
  return {"weft",
          [k] {
            k->run.reset();
            for (std::size_t t = 0; t < steps; ++t)
              k->got[t] = k->run(tensor<float, 1>{k->samples[t]})();
          },
          [k] { return as_doubles(k->got); }};
}

#ifdef WEFT_HAS_EIGEN
template <int Gates, int Hidden> struct by_hand {
  template <int N> using vector = Eigen::Matrix<float, N, 1>;
  Eigen::Matrix<float, Gates * Hidden, Hidden> hidden; // by columns, which is the faster
  vector<Gates * Hidden> input, input_bias, hidden_bias, a, c;
  vector<Hidden> out, h, cell;
  std::vector<float> samples, got = std::vector<float>(steps);

  explicit by_hand(numbers const& n)
      : hidden(Eigen::Map<Eigen::Matrix<float, Gates * Hidden, Hidden, Eigen::RowMajor> const>(
            n.hidden.data())),
        input(n.input.data()), input_bias(n.input_bias.data()), hidden_bias(n.hidden_bias.data()),
        out(n.out.data()), samples(n.samples) {}

  template <class X> static auto sigmoid(X const& x) {
    return (1.0f / (1.0f + (-x).array().exp())).matrix().eval();
  }
  auto gate(vector<Gates * Hidden> const& x, int g) const {
    return x.template segment<Hidden>(g * Hidden);
  }
  void step(float x) {
    a = input * x + input_bias;
    c.noalias() = hidden * h;
    c += hidden_bias;
    if constexpr (Gates == 3) {
      vector<Hidden> const r = sigmoid(gate(a, 0) + gate(c, 0)),
                           z = sigmoid(gate(a, 1) + gate(c, 1));
      vector<Hidden> const n = (gate(a, 2).array() + r.array() * gate(c, 2).array()).tanh();
      h = ((1.0f - z.array()) * n.array() + z.array() * h.array()).matrix();
    } else {
      vector<Hidden> const i = sigmoid(gate(a, 0) + gate(c, 0)),
                           f = sigmoid(gate(a, 1) + gate(c, 1));
      vector<Hidden> const g = (gate(a, 2) + gate(c, 2)).array().tanh();
      vector<Hidden> const o = sigmoid(gate(a, 3) + gate(c, 3));
      cell = (f.array() * cell.array() + i.array() * g.array()).matrix();
      h = (o.array() * cell.array().tanh()).matrix();
    }
  }
  void run() {
    h.setZero();
    cell.setZero();
    for (std::size_t t = 0; t < steps; ++t) {
      step(samples[t]);
      got[t] = out.dot(h);
    }
  }
};
template <int Gates, int Hidden> side eigen_side(numbers const& n) {
  auto const k = std::make_shared<by_hand<Gates, Hidden>>(n);
  return {"Eigen", [k] { k->run(); }, [k] { return as_doubles(k->got); }};
}
#endif

template <template <int> class Cell, int Hidden> contest of_cell(char const* name) {
  constexpr int gates = Cell<Hidden>::gates;
  double const operations = 2.0 * steps * (gates * Hidden * (Hidden + 1) + Hidden);
  // Eigen's sigmoid and tanh are a few places off, and a state carries it on.
  return {name + (" of " + std::to_string(Hidden) + " units"),
          {operations, 0, steps},
          1e-5,
          [operations](int threads) {
            numbers const n(gates, Hidden);
            std::vector<side> all{stream_side<Cell, Hidden>(n),
                                  arithmetic_limit(arithmetic::f32, operations, threads)};
#ifdef WEFT_HAS_EIGEN
            all.push_back(eigen_side<gates, Hidden>(n));
#endif
            return all;
          },
          1};
}

} // namespace

int main(int argc, char** argv) {
  return compete("stream", argc, argv,
                 {of_cell<gru, 16>("GRU"), of_cell<gru, 24>("GRU"), of_cell<gru, 32>("GRU"),
                  of_cell<gru, 64>("GRU"), of_cell<lstm, 24>("LSTM"), of_cell<lstm, 32>("LSTM")});
}
