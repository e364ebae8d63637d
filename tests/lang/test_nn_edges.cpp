// SPDX-License-Identifier: BSL-1.0
// build: alone
// Network functions where their formulas are delicate: derivatives at corners, numbers that cancel,
// vectors of nearly no length, arrays of one axis; pairs of tensors at once.
#include "recorded.hpp"

#include <weft/lang/activations.hpp>
#include <weft/lang/attention.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/lstm.hpp>
#include <weft/lang/normalise.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <cmath>
#include <limits>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::bf16, weft::tensor, weft::traced;

template <class T> list<double> listed(T const& x) { return list<double>(x.begin(), x.end()); }

// First and second derivatives of an elementwise f.
template <class F> constexpr auto slope_of(F f) {
  return [f](auto x, auto... y) {
    return weft::grad([f, y...](auto a) { return sum(f(a, y...)); })(x);
  };
}
template <class F> constexpr auto bend_of(F f) { return slope_of(slope_of(f)); }

constexpr auto logistic = [](auto x, auto t) { return sigmoid_cross_entropy(x, t); };
double exact_logistic(double x, double t) {
  auto const softplus = [](double y) {
    return std::log1p(std::exp(-std::abs(y))) + std::max(y, 0.0);
  };
  return t * softplus(-x) + (1 - t) * softplus(x);
}
TEST(losses, logistic_does_not_cancel) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (float t : {0.0f, 0.3f, 1.0f}) {
    tensor<float, 9> const x{-100, -20, -3, -1e-4f, 0, 1e-4f, 3, 20, 100};
    auto const is = values<float>(logistic, x, t);
    auto const slopes = values<float>(slope_of(logistic), x, t);
    auto const bends = values<float>(bend_of(logistic), x, t);
    for (int i = 0; i < 9; ++i) {
      auto const at = static_cast<unsigned>(i);
      double const z = x(i), value = exact_logistic(z, t), below = 1 / (1 + std::exp(z));
      double const slope = z > 0 ? (1 - double(t)) - below : 1 / (1 + std::exp(-z)) - double(t);
      EXPECT_NEAR(is[at], value, 5e-7 * value + 2e-45) << z << " " << t;
      EXPECT_NEAR(slopes[at], slope, 5e-7 * std::abs(slope) + (t == 0.3f ? 1e-7 : 2e-45))
          << z << " " << t;
      EXPECT_NEAR(bends[at], below * (1 - below), 1e-6 * below * (1 - below) + 1e-38) << z;
    }
  }
  tensor<float, 2> const ends{-infinite, infinite};
  EXPECT_EQ(values<float>(logistic, ends, tensor<float, 2>{1, 0}), (list<float>(2, infinite)));
  EXPECT_TRUE(std::isnan(values<float>(logistic, NAN, 0.5f)[0]));
  tensor<float, 2> const now = sigmoid_cross_entropy(tensor<float, 2>{20, -20}, 1);
  EXPECT_NEAR(now(0), std::log1p(std::exp(-20.0)), 1e-15);
  EXPECT_EQ(values<float>([](auto x) { return sigmoid_cross_entropy(x, 0.9f); }, 3.0f)[0],
            (tensor<float>(sigmoid_cross_entropy(tensor<float>(3), 0.9f))()));
}
TEST(losses, huber_is_curved_where_nothing_is_wrong) {
  auto const f = [](auto x, auto y) { return huber(x, y); };
  tensor<float, 4> const x{0, 0.5f, 3, -3}, y{0, 0, 0, 0};
  EXPECT_EQ(values<float>(f, x, y), (list<float>{0, 0.125f, 2.5f, 2.5f}));
  EXPECT_EQ(values<float>(slope_of(f), x, y), (list<float>{0, 0.5f, 1, -1}));
  EXPECT_EQ(values<float>(bend_of(f), x, y), (list<float>{1, 1, 0, 0}));
}
// PyTorch's: each length is at least epsilon, not their product.
TEST(losses, cosine_of_short_vectors) {
  auto const f = [](auto x, auto y) { return cosine_similarity(x, y); };
  tensor<float, 3, 2> const a{{1e-5f, 0}, {0, 0}, {1e-10f, 0}}, b{{1e-5f, 0}, {1, 2}, {3, 0}};
  auto const is = values<float>(f, a, b);
  EXPECT_NEAR(is[0], 1, 1e-6);
  EXPECT_EQ(is[1], 0.0f);
  EXPECT_NEAR(is[2], 0.01, 1e-8);
  auto const slopes = numbers<float>(run(slope_of(f), b, a)[0]);
  EXPECT_EQ((list<float>{slopes[2], slopes[3]}), (list<float>{0, 0}));
  tensor<float, 3> const now = cosine_similarity(a, b);
  EXPECT_EQ(list<float>(now.begin(), now.end()), is);
}

TEST(activations, leaky_relu_at_0) {
  auto const f = [](auto x) { return leaky_relu(x, 0.25f); };
  tensor<float, 4> const x{-1, -0.0f, 0.0f, 2};
  auto const is = values<float>(f, x);
  EXPECT_EQ(is, (list<float>{-0.25f, -0.0f, 0, 2}));
  EXPECT_TRUE(std::signbit(is[1]) && !std::signbit(is[2]));
  EXPECT_EQ(values<float>(slope_of(f), x), (list<float>{0.25f, 0.25f, 0.25f, 1}));
}

// One axis: every element is a channel of its own.
TEST(normalise, moments_of_one_axis) {
  auto const out = run([](auto x) { return batch_moments(x); }, tensor<float, 3>{1, 2, 6});
  EXPECT_EQ(numbers<float>(out[0]), (list<float>{1, 2, 6}));
  EXPECT_EQ(numbers<float>(out[1]), (list<float>{0, 0, 0}));
}
#ifndef BEFORE
TEST(normalise, moments_of_tensors) {
  tensor<float, 2, 2> const x{{1, 2}, {3, 8}};
  auto const [mean, variance] = batch_moments(x);
  static_assert(std::is_same_v<decltype(mean), tensor<float, 2> const>);
  EXPECT_EQ(listed(mean), (list<double>{2, 5}));
  EXPECT_EQ(listed(variance), (list<double>{1, 9}));
  EXPECT_EQ(listed(batch_moments(x + 1).first), (list<double>{3, 6}));
}
template <template <class, auto...> class array> using cell = weft::lstm_weights<array, 2, 1>;
TEST(lstm, of_tensors) {
  cell<tensor> const p{{{0.1f, 0.2f}, {0.3f, -0.4f}, {0.5f, 0.6f}, {-0.2f, 0.7f}},
                       {{-0.7f}, {0.8f}, {0.9f}, {0.3f}},
                       {0.01f, 0.02f, 0.03f, 0.04f},
                       {-0.04f, 0.05f, 0.06f, -0.07f}};
  tensor<float, 1> const h{0.25f}, c{-0.75f};
  tensor<float, 2> const x{1.5f, -0.5f};
  auto const step = [](auto w, auto s, auto m, auto in) { return lstm(w, s, m, in); };
  auto const out = run(step, p, h, c, x);
  auto const [next_h, next_c] = lstm(p, h, c, x);
  EXPECT_EQ((list<float>{next_h(0)}), numbers<float>(out[0]));
  EXPECT_EQ((list<float>{next_c(0)}), numbers<float>(out[1]));
  auto const from_zeros = lstm(p, weft::zeros<float, 1>(), weft::zeros<float, 1>(), x);
  EXPECT_EQ(listed(from_zeros.first), listed(lstm(p, tensor<float, 1>{0}, h * 0, x).first));
}
#endif

// A mask that hides nothing changes nothing, in a region of low precision either.
TEST(attention, under_autocast) {
  auto const some = [](auto x) { return weft::convert<float>(remainder(x * 31, 97)) / 16.0f - 3; };
  tensor<float, 7, 3> const q = reshape<7, 3>(some(weft::arange<int, 21>()));
  tensor<float, 9, 3> const k = reshape<9, 3>(some(weft::arange<int, 27>() + 5));
  tensor<float, 9, 2> const v = reshape<9, 2>(some(weft::arange<int, 18>() + 3));
  tensor<bool, 7, 9> const mask = weft::full<bool, 7, 9>(true);
  auto const plain = [](auto a, auto b, auto c) {
    return weft::autocast<bf16>([](auto d, auto e, auto f) { return attention(d, e, f); })(a, b, c);
  };
  auto const masked = [](auto a, auto b, auto c, auto m) {
    return weft::autocast<bf16>(
        [m](auto d, auto e, auto f) { return masked_attention(d, e, f, m); })(a, b, c);
  };
  EXPECT_EQ(values<float>(plain, q, k, v), values<float>(masked, q, k, v, mask));
}

} // namespace
