// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Normalisation, attention and LSTM against double precision, at the traced door, and their
// results at the door of tensors.
#include "recorded.hpp"

#include <weft/lang/attention.hpp>
#include <weft/lang/lstm.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/run/evaluate.hpp>

#include <cmath>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::tensor, weft::traced;

void expect_near(list<float> const& is, list<double> const& should) {
  ASSERT_EQ(is.size(), should.size());
  for (unsigned i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], should[i], 2e-6 * std::max(1.0, std::abs(should[i]))) << i;
}

tensor<float, 2, 4> const rows = {{1, 2, 4, -1}, {0.5f, 0.5f, 3, 8}};
tensor<float, 4> const scale = {1, 2, 0.5f, -1}, shift = {0, 1, 0, 3};

// (x - mean) / sqrt(variance + epsilon) of n numbers, a step apart.
list<double> standard(float const* x, int n, int step, double epsilon) {
  double mean = 0, variance = 0;
  for (int i = 0; i < n; ++i) mean += static_cast<double>(x[i * step]) / n;
  for (int i = 0; i < n; ++i) variance += std::pow(x[i * step] - mean, 2) / n;
  list<double> r;
  for (int i = 0; i < n; ++i) r.push_back((x[i * step] - mean) / std::sqrt(variance + epsilon));
  return r;
}

TEST(normalise, layer) {
  list<double> should;
  for (int row = 0; row < 2; ++row) {
    auto const s = standard(rows.data() + 4 * row, 4, 1, 1e-5);
    for (int i = 0; i < 4; ++i) should.push_back(s[static_cast<unsigned>(i)] * scale(i) + shift(i));
  }
  expect_near(
      values<float>([](auto x, auto g, auto b) { return layer_norm(x, g, b); }, rows, scale, shift),
      should);
  tensor<float, 2, 4> const now = layer_norm(rows, scale, shift);
  expect_near(list<float>(now.begin(), now.end()), should);
}
TEST(normalise, layer_over_two_axes) {
  auto const s = standard(rows.data(), 8, 1, 1e-3);
  expect_near(values<float>([](auto x) { return weft::layer_norm<0, 1>(x, 1, 0, 1e-3); }, rows), s);
}
TEST(normalise, rms) {
  list<double> should;
  for (int row = 0; row < 2; ++row) {
    double mean = 0;
    for (int i = 0; i < 4; ++i) mean += std::pow(rows(row, i), 2) / 4;
    for (int i = 0; i < 4; ++i) should.push_back(rows(row, i) / std::sqrt(mean + 1e-5) * scale(i));
  }
  expect_near(values<float>([](auto x, auto g) { return rms_norm(x, g); }, rows, scale), should);
}
TEST(normalise, batch) {
  auto const f = [](auto x, auto g, auto b) {
    auto m = batch_moments(x);
    return batch_norm(x, m.first, m.second, g, b);
  };
  list<double> should(8);
  for (int c = 0; c < 4; ++c) {
    auto const s = standard(rows.data() + c, 2, 4, 1e-5);
    for (unsigned row = 0; row < 2; ++row)
      should[row * 4 + static_cast<unsigned>(c)] = s[row] * scale(c) + shift(c);
  }
  expect_near(values<float>(f, rows, scale, shift), should);
}
TEST(normalise, group) {
  list<double> should;
  for (int part = 0; part < 4; ++part)
    for (double v : standard(rows.data() + 2 * part, 2, 1, 1e-5)) should.push_back(v);
  expect_near(values<float>([](auto x) { return weft::group_norm<2>(x, 1, 0); }, rows), should);
  using images = decltype(weft::group_norm<2>(traced<float, 3, 5, 5, 4>{}, traced<float, 4>{}, 0));
  static_assert(std::is_same_v<images, traced<float, 3, 5, 5, 4>>);
}

// queries x keys weights, then the mean of v; seen(i, j) says what query i sees.
template <class Seen>
list<double> attended(tensor<float, 2, 3> const& q, tensor<float, 3, 3> const& k,
                      tensor<float, 3, 2> const& v, Seen seen) {
  list<double> r;
  for (int i = 0; i < 2; ++i) {
    double total = 0, out[2]{};
    for (int j = 0; j < 3; ++j) {
      if (!seen(i, j)) continue;
      double s = 0;
      for (int d = 0; d < 3; ++d) s += static_cast<double>(q(i, d)) * k(j, d);
      double const e = std::exp(s / std::sqrt(3.0));
      total += e;
      for (int c = 0; c < 2; ++c) out[c] += e * v(j, c);
    }
    for (double x : out) r.push_back(total == 0 ? 0 : x / total);
  }
  return r;
}
tensor<float, 2, 3> const q = {{1, 0, 2}, {-1, 3, 0.5f}};
tensor<float, 3, 3> const k = {{1, 1, 0}, {0, 2, -1}, {2, 0, 1}};
tensor<float, 3, 2> const v = {{1, 10}, {2, 20}, {3, 30}};

TEST(attention, plain) {
  auto const f = [](auto a, auto b, auto c) { return attention(a, b, c); };
  auto const should = attended(q, k, v, [](int, int) { return true; });
  expect_near(values<float>(f, q, k, v), should);
  tensor<float, 2, 2> const now = attention(q, k, v);
  expect_near(list<float>(now.begin(), now.end()), should);
  using heads = decltype(f(traced<float, 7, 2, 5, 8>{}, traced<float, 7, 2, 6, 8>{},
                           traced<float, 7, 2, 6, 3>{}));
  static_assert(std::is_same_v<heads, traced<float, 7, 2, 5, 3>>);
}
// Two queries, three keys: the last query sees all of them.
TEST(attention, causal) {
  expect_near(
      values<float>([](auto a, auto b, auto c) { return causal_attention(a, b, c); }, q, k, v),
      attended(q, k, v, [](int i, int j) { return j <= i + 1; }));
}
TEST(attention, masked) {
  tensor<bool, 2, 3> const mask = {{true, false, true}, {false, false, false}};
  auto const is = values<float>(
      [](auto a, auto b, auto c, auto m) { return masked_attention(a, b, c, m); }, q, k, v, mask);
  expect_near(is, attended(q, k, v, [&](int i, int j) { return mask(i, j); }));
  EXPECT_EQ(is[2], 0.0f);
  EXPECT_EQ(is[3], 0.0f);
}

template <template <class, auto...> class array> using cell = weft::lstm_weights<array, 2, 1>;
TEST(lstm, is_pytorchs) {
  cell<tensor> p{{{0.1f, 0.2f}, {0.3f, -0.4f}, {0.5f, 0.6f}, {-0.2f, 0.7f}},
                 {{-0.7f}, {0.8f}, {0.9f}, {0.3f}},
                 {0.01f, 0.02f, 0.03f, 0.04f},
                 {-0.04f, 0.05f, 0.06f, -0.07f}};
  double const x0 = 1.5, x1 = -0.5, h = 0.25, c = -0.75;
  auto gate = [&](int n) {
    return p.input(n, 0) * x0 + p.input(n, 1) * x1 + p.input_bias(n) + p.hidden(n, 0) * h +
           p.hidden_bias(n);
  };
  auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
  double const next = sigmoid(gate(1)) * c + sigmoid(gate(0)) * std::tanh(gate(2));
  auto const f = [](auto w, auto s, auto m, auto in) { return lstm(w, s, m, in); };
  auto const out = run(f, p, tensor<float, 1>{0.25f}, tensor<float, 1>{-0.75f},
                       tensor<float, 2>{1.5f, -0.5f});
  expect_near(numbers<float>(out[0]), {sigmoid(gate(3)) * std::tanh(next)});
  expect_near(numbers<float>(out[1]), {next});
}

} // namespace
