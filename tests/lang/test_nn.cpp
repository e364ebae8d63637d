// SPDX-License-Identifier: BSL-1.0
// Network functions and optimisers against double precision, and what must hold exactly.
#include "recorded.hpp"

#include <weft/lang/nn.hpp>
#include <weft/lang/optimise.hpp>

#include <cmath>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::tensor, weft::traced;

void expect_near(list<float> const& is, list<double> const& should) {
  ASSERT_EQ(is.size(), should.size());
  for (unsigned i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], should[i], 4e-7 * std::max(1.0, std::abs(should[i]))) << i;
}

tensor<float, 2, 3> const logits = {{1, 2, 4}, {1000, 1001, -1000}};

list<double> softmax_of(double a, double b, double c) {
  double m = std::max({a, b, c}), s = std::exp(a - m) + std::exp(b - m) + std::exp(c - m);
  return {std::exp(a - m) / s, std::exp(b - m) / s, std::exp(c - m) / s};
}

TEST(nn, softmax) {
  auto const one = softmax_of(1, 2, 4), two = softmax_of(1000, 1001, -1000);
  expect_near(values<float>([](auto x) { return weft::softmax(x); }, logits),
              {one[0], one[1], one[2], two[0], two[1], two[2]});
  auto const columns = softmax_of(1, 1000, -INFINITY);
  auto const first = values<float>([](auto x) { return weft::softmax<0>(x); }, logits);
  EXPECT_EQ(first[0], static_cast<float>(columns[0]));
  EXPECT_EQ(first[3], 1.0f);
  expect_near(
      values<float>([](auto x) { return weft::logsumexp<-1>(x); }, logits),
      {std::log(std::exp(1.) + std::exp(2.) + std::exp(4.)), 1001 + std::log1p(std::exp(-1.))});
  auto const logs = values<float>([](auto x) { return weft::log_softmax(x); }, logits);
  expect_near({logs[0], logs[2]}, {std::log(one[0]), std::log(one[2])});
  EXPECT_EQ(logs[5], static_cast<float>(-2001 - std::log1p(std::exp(-1.))));
}
TEST(nn, cross_entropy) {
  auto const f = [](auto x, auto y) { return softmax_cross_entropy(x, y); };
  auto const one = softmax_of(1, 2, 4);
  expect_near(values<float>(f, logits, tensor<int, 2>{2, 1}),
              {-std::log(one[2]), std::log1p(std::exp(-1.))});
  using rows = decltype(f(traced<float, 5, 2, 7>{}, traced<int, 5, 2>{}));
  static_assert(std::is_same_v<rows, traced<float, 5, 2>>);
}
TEST(nn, relu) {
  tensor<float, 3> const x = {-1, 0, 2};
  EXPECT_EQ(values<float>([](auto a) { return relu(a); }, x), (list<float>{0, 0, 2}));
  auto const nan = values<float>([](auto a) { return relu(a); }, tensor<float>(NAN));
  EXPECT_TRUE(std::isnan(nan[0]));
}

template <template <class, auto...> class array> using cell = weft::gru_weights<array, 2, 1>;
TEST(nn, gru_is_pytorchs) {
  cell<tensor> p{{{0.1f, 0.2f}, {0.3f, -0.4f}, {0.5f, 0.6f}},
                 {{-0.7f}, {0.8f}, {0.9f}},
                 {0.01f, 0.02f, 0.03f},
                 {-0.04f, 0.05f, 0.06f}};
  double x0 = 1.5, x1 = -0.5, h = 0.25;
  auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  double r = sigmoid(0.1 * x0 + 0.2 * x1 + 0.01 - 0.7 * h - 0.04);
  double z = sigmoid(0.3 * x0 - 0.4 * x1 + 0.02 + 0.8 * h + 0.05);
  double n = std::tanh(0.5 * x0 + 0.6 * x1 + 0.03 + r * (0.9 * h + 0.06));
  auto const f = [](auto w, auto s, auto x) { return gru(w, s, x); };
  expect_near(values<float>(f, p, tensor<float, 1>{0.25f}, tensor<float, 2>{1.5f, -0.5f}),
              {(1 - z) * n + z * h});
  auto const batched = values<float>(f, p, tensor<float, 2, 1>{{0.25f}, {0}},
                                     tensor<float, 2, 2>{{1.5f, -0.5f}, {0, 0}});
  expect_near({batched[0]}, {(1 - z) * n + z * h});
}

template <template <class, auto...> class array> struct params {
  array<float, 2> w;
  array<float> b;
};
TEST(optimise, sgd) {
  params<tensor> const p{{1, 2}, 3.0f}, g{{10, 20}, 30.0f};
  auto const out = run([](auto a, auto b) { return sgd(a, b, 0.1f); }, p, g);
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{1 - 0.1f * 10, 2 - 0.1f * 20}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{3 - 0.1f * 30}));
}
TEST(optimise, adam) {
  using state = weft::adam_for<params>::state<tensor>;
  static_assert(std::is_same_v<weft::traced_type<state>, weft::adam_for<params>::state<traced>>);
  params<tensor> p{{1, 2}, 3.0f}, g{{0.5f, -2}, 1e-3f};
  state s{};
  double m = 0, v = 0, w = 1;
  for (int t = 1; t <= 3; ++t) {
    auto const out = run([](auto a, auto b, auto c) { return adam(a, b, c, 0.01f); }, p, g, s);
    m = 0.9 * m + 0.1 * 0.5;
    v = 0.999 * v + 0.001 * 0.25;
    w -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    ASSERT_EQ(out.size(), 7);
    auto const next = numbers<float>(out[0]), mean = numbers<float>(out[2]);
    auto const square = numbers<float>(out[4]);
    expect_near({next[0], mean[0], square[0]}, {w, m, v});
    EXPECT_EQ(numbers<int>(out[6]), (list<int>{t}));
    p.w = tensor<float, 2>{next[0], next[1]};
    s.mean.w = tensor<float, 2>{mean[0], mean[1]};
    s.square.w = tensor<float, 2>{square[0], square[1]};
    s.step = tensor<int>(t);
  }
}
// The formula for 1 - b^t has no cancellation.
TEST(optimise, bias_correction) {
  for (int t : {1, 10, 1000, 100000}) {
    auto const c = values<float>([](auto n) { return weft::detail::bias_correction(0.999, n); }, t);
    double const exact = -std::expm1(t * std::log(0.999));
    EXPECT_NEAR(c[0], exact, 1e-6 * exact) << t;
  }
}
TEST(optimise, logarithms_of_decays) {
  using weft::detail::log_of_decay;
  static_assert(log_of_decay(0.5) == -0.6931471805599453);
  for (double b : {1e-300, 1e-3, 0.01, 0.5, 0.9, 0.999, 1.0})
    EXPECT_NEAR(log_of_decay(b), std::log(b), 1e-15 * -std::log(b)) << b;
  auto const gone = [](auto n) { return weft::detail::bias_correction(0, n); };
  EXPECT_EQ(values<float>(gone, 1), (list<float>{1}));
  EXPECT_EQ(values<float>(gone, 1000), (list<float>{1}));
}
template <template <class, auto...> class array> struct mixed {
  array<double> wide;
  array<weft::bf16> brain;
  array<weft::f16> half;
};
mixed<tensor> const start{1.0, weft::bf16(1.0f), weft::f16(1.0f)};
mixed<tensor> const slope{0.5, weft::bf16(0.5f), weft::f16(0.0f)};
// double as double; f16 without the 0 / 0 that an epsilon rounded to f16 would give.
TEST(optimise, adam_of_other_types) {
  using state = weft::adam_for<mixed>::state<tensor>;
  auto const f = [](auto p, auto g, auto s, auto rate) { return adam(p, g, s, rate); };
  auto const out = run(f, start, slope, state{}, 0.01f);
  double const rate = 0.01f, change = 0.5 / (0.5 + 1e-8);
  EXPECT_NEAR(numbers<double>(out[0])[0], 1 - rate * change, 1e-12);
  EXPECT_EQ(numbers<weft::bf16>(out[1])[0], weft::bf16(0.99f));
  EXPECT_EQ(numbers<weft::f16>(out[2])[0], weft::f16(1.0f));
  EXPECT_EQ(numbers<weft::bf16>(out[4])[0], weft::bf16(0.05f));
}

} // namespace
