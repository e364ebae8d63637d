// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Activations, losses, optimisers and schedules against double precision; derivatives against
// central differences of the same double formulas.
#include "recorded.hpp"

#include <weft/lang/activations.hpp>
#include <weft/lang/losses.hpp>
#include <weft/lang/optimise_more.hpp>
#include <weft/lang/schedules.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <cmath>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::tensor;

tensor<float, 12> const points = {-30,  -7.5f, -3.25f, -1.5f, -0.7f, -0.1f,
                                  0.2f, 0.9f,  1.75f,  3.5f,  6.5f,  40};

// Values at the points and derivatives there. `exact` is a function of double.
template <class F, class Exact> void expect_function(F f, Exact exact) {
  auto const is = values<float>(f, points);
  auto const total = [f](auto x) { return sum(f(x)); };
  auto const slopes = numbers<float>(
      run([total](auto x) { return weft::value_and_grad(total)(x).second; }, points)[0]);
  for (int i = 0; i < 12; ++i) {
    double const x = points(i), h = 1e-5, value = exact(x);
    double const slope = (exact(x + h) - exact(x - h)) / (2 * h);
    auto const at = static_cast<unsigned>(i);
    EXPECT_NEAR(is[at], value, 1e-6 * std::max(1.0, std::abs(value))) << x;
    EXPECT_NEAR(slopes[at], slope, 1e-5 * std::max(1.0, std::abs(slope))) << x;
  }
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return std::log1p(std::exp(-std::abs(x))) + std::max(x, 0.0); }
double relu6(double x) { return std::min(std::max(x, 0.0), 6.0); }

TEST(activations, against_double) {
  expect_function([](auto x) { return relu6(x); }, relu6);
  expect_function([](auto x) { return leaky_relu(x); },
                  [](double x) { return x < 0 ? 0.01 * x : x; });
  expect_function([](auto x) { return leaky_relu(x, 0.25f); },
                  [](double x) { return x < 0 ? 0.25 * x : x; });
  expect_function([](auto x) { return elu(x); },
                  [](double x) { return x > 0 ? x : std::expm1(x); });
  expect_function([](auto x) { return celu(x, 2.0f); },
                  [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); });
  expect_function([](auto x) { return selu(x); },
                  [](double x) {
                    return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
                  });
  expect_function([](auto x) { return silu(x); }, [](double x) { return x * sigmoid(x); });
  expect_function([](auto x) { return mish(x); },
                  [](double x) { return x * std::tanh(softplus(x)); });
  expect_function([](auto x) { return hard_tanh(x); },
                  [](double x) { return std::min(std::max(x, -1.0), 1.0); });
  expect_function([](auto x) { return hard_sigmoid(x); },
                  [](double x) { return relu6(x + 3) / 6; });
  expect_function([](auto x) { return hard_silu(x); },
                  [](double x) { return x * relu6(x + 3) / 6; });
  expect_function([](auto x) { return soft_sign(x); },
                  [](double x) { return x / (1 + std::abs(x)); });
  expect_function([](auto x) { return log_sigmoid(x); }, [](double x) { return -softplus(-x); });
  expect_function([](auto x) { return gelu_tanh(x); },
                  [](double x) {
                    return 0.5 * x *
                           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
                  });
}
TEST(activations, of_tensors_are_expressions) {
  tensor<float, 12> const now = silu(points) + 1;
  auto const traced = values<float>([](auto x) { return silu(x) + 1; }, points);
  EXPECT_EQ(list<float>(now.begin(), now.end()), traced);
}
TEST(activations, nan_stays) {
  tensor<float> const nan(NAN);
  for (auto const& r : {values<float>([](auto x) { return relu6(x); }, nan),
                        values<float>([](auto x) { return elu(x); }, nan),
                        values<float>([](auto x) { return leaky_relu(x); }, nan),
                        values<float>([](auto x) { return hard_tanh(x); }, nan)})
    EXPECT_TRUE(std::isnan(r[0]));
}

void expect_near(list<float> const& is, list<double> const& should) {
  ASSERT_EQ(is.size(), should.size());
  for (unsigned i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], should[i], 1e-6 * std::max(1.0, std::abs(should[i]))) << i;
}
tensor<float, 4> const a = {0.5f, -2, 3, 100}, b = {1, 0, 0.25f, 1};

TEST(losses, against_double) {
  auto expect = [](auto f, auto exact) {
    list<double> should;
    for (int i = 0; i < 4; ++i) should.push_back(exact(double(a(i)), double(b(i))));
    expect_near(values<float>(f, a, b), should);
  };
  expect([](auto x, auto y) { return squared_error(x, y); },
         [](double x, double y) { return (x - y) * (x - y); });
  expect([](auto x, auto y) { return absolute_error(x, y); },
         [](double x, double y) { return std::abs(x - y); });
  expect([](auto x, auto y) { return huber(x, y, 1.5f); },
         [](double x, double y) {
           double const d = std::abs(x - y);
           return d <= 1.5 ? d * d / 2 : 1.5 * (d - 0.75);
         });
  expect([](auto x, auto y) { return sigmoid_cross_entropy(x, y); },
         [](double x, double y) { return -y * std::log(sigmoid(x)) + (1 - y) * softplus(x); });
  expect([](auto x, auto y) { return hinge(x, y); },
         [](double x, double y) { return std::max(0.0, 1 - x * y); });
  expect([](auto x, auto y) { return kl_divergence(x, y); },
         [](double x, double y) { return y > 0 ? y * (std::log(y) - x) : 0; });
}
TEST(losses, a_share_that_is_nan_stays) {
  tensor<float, 3> const shares = {NAN, 0, 0.5f};
  auto const f = [](auto x, auto y) { return kl_divergence(x, y); };
  auto const of = values<float>(f, tensor<float, 3>{-1, -INFINITY, -1}, shares);
  EXPECT_TRUE(std::isnan(of[0]));
  EXPECT_EQ(of[1], 0);
  expect_near({of[2]}, {0.5 * (std::log(0.5) + 1)});
}
TEST(losses, of_rows) {
  tensor<float, 1, 3> const logits = {{1, 2, 4}}, shares = {{0.5f, 0.25f, 0.25f}};
  double const total = std::exp(1.) + std::exp(2.) + std::exp(4.), norm = std::log(total);
  double const loss = -(0.5 * (1 - norm) + 0.25 * (2 - norm) + 0.25 * (4 - norm));
  expect_near(
      values<float>([](auto x, auto y) { return soft_cross_entropy(x, y); }, logits, shares),
      {loss});
  double const dot = 0.5 + 0.5 + 1, lengths = std::sqrt(21.) * std::sqrt(0.375);
  expect_near(values<float>([](auto x, auto y) { return cosine_similarity(x, y); }, logits, shares),
              {dot / lengths});
  tensor<float, 1> const now = soft_cross_entropy(logits, shares);
  expect_near({now(0)}, {loss});
}

template <template <class, auto...> class array> struct params {
  array<float, 2> w;
  array<float> b;
};
template <template <class, auto...> class array> struct wider {
  array<weft::f16, 2> half;
  array<double> wide;
};
params<tensor> const p{{1, 2}, 3.0f}, g{{0.5f, -2}, 4.0f}, v{{0.25f, 1}, -1.0f};

inline constexpr weft::momentum_options ahead{.decay = 0.5, .nesterov = true};
TEST(optimise_more, momentum) {
  auto const out = run([](auto x, auto y, auto z) { return momentum(x, y, z, 0.1f); }, p, g, v);
  double const next = 0.9 * 0.25 + 0.5;
  expect_near({numbers<float>(out[0])[0], numbers<float>(out[2])[0]}, {1 - 0.1 * next, next});
  auto const other = run(
      [](auto x, auto y, auto z) { return weft::momentum<ahead>(x, y, z, 0.1f); }, p, g, v);
  expect_near({numbers<float>(other[1])[0]}, {3 - 0.1 * (4 + 0.5 * (0.5 * -1 + 4))});
}
TEST(optimise_more, adamw_shrinks_then_steps) {
  using state = weft::adam_for<params>::state<tensor>;
  auto const out = run([](auto x, auto y, auto s) { return adamw(x, y, s, 0.01f, 0.1f); }, p, g,
                       state{});
  expect_near({numbers<float>(out[0])[0]}, {1 - 0.01 * 0.1 - 0.01 * 0.5 / (0.5 + 1e-8)});
}
TEST(optimise_more, adam_of_tensors) {
  using state = weft::adam_for<wider>::state<tensor>;
  wider<tensor> const x{{weft::f16(1.0f), weft::f16(2.0f)}, 3.0};
  auto const [next, after] = adam(x, x, state{}, 0.01);
  EXPECT_NEAR(next.wide(), 3 - 0.01 * 3 / (3 + 1e-8), 1e-12);
  EXPECT_EQ(next.half(0), weft::f16(0.99f));
}
TEST(optimise_more, lion) {
  auto const out = run([](auto x, auto y, auto z) { return lion(x, y, z, 0.1f, 0.5f); }, p, g, v);
  expect_near(numbers<float>(out[0]), {1 - 0.05 - 0.1, 2 - 0.1 - 0.1 * 1});
  expect_near(numbers<float>(out[2]), {0.99 * 0.25 + 0.005, 0.99 - 0.02});
}
TEST(optimise_more, clipping) {
  double const norm = std::sqrt(0.25 + 4 + 16);
  auto const out = run([](auto x) { return clip_by_global_norm(x, 1.0f); }, g);
  expect_near(numbers<float>(out[0]), {0.5 / norm, -2 / norm});
  auto const kept = run([](auto x) { return clip_by_global_norm(x, 100.0f); }, g);
  EXPECT_EQ(numbers<float>(kept[0]), (list<float>{0.5f, -2}));
  auto const cut = run([](auto x) { return clip_by_value(x, 1.0f); }, g);
  EXPECT_EQ(numbers<float>(cut[0]), (list<float>{0.5f, -1}));
}
template <template <class, auto...> class array> struct mixed {
  array<weft::f16, 2> half;
  array<weft::bf16, 2> brain;
  array<float> plain;
};
// f16 squared in f16 would be infinite here.
TEST(optimise_more, norm_of_several_types) {
  using weft::bf16, weft::f16;
  mixed<tensor> const x{{f16(3000.0f), f16(4000.0f)}, {bf16(1.0f), bf16(2.0f)}, 3.0f};
  auto const norm = [](auto y) { return global_norm(y); };
  double const exact = std::sqrt(25e6 + 1 + 4 + 9);
  expect_near(values<float>(norm, x), {exact});
  auto const out = run([](auto y) { return clip_by_global_norm(y, 1.0f); }, x);
  EXPECT_EQ(numbers<f16>(out[0])[0], f16(static_cast<float>(3000 / exact)));
  EXPECT_EQ(numbers<bf16>(out[1])[1], bf16(static_cast<float>(2 / exact)));
  tensor<float> const now = global_norm(x);
  expect_near({now()}, {exact});
  wider<tensor> const y{{f16(3.0f), f16(4.0f)}, 1e-7};
  EXPECT_NEAR(values<double>(norm, y)[0], std::sqrt(25 + 1e-14), 2e-15);
}
TEST(optimise_more, steps_of_several_types) {
  wider<tensor> const x{{weft::f16(1.0f), weft::f16(2.0f)}, 3.0};
  auto const f = [](auto y, auto rate) {
    auto const [moved, mean] = momentum(y, y, y, rate);
    auto const [signed_step, after] = lion(moved, y, mean, rate, 0.5f);
    return clip_by_value(rmsprop(signed_step, y, after, rate).first, rate);
  };
  auto const out = run(f, x, 0.5f);
  EXPECT_EQ(out[0].type, weft::dtype::f16);
  EXPECT_EQ(numbers<double>(out[1]), (list<double>{-0.5}));
}

inline constexpr weft::rate_schedule plan{
    .peak = 0.5, .floor = 0.1, .warmup = 4, .steps = 12, .decay = 0.5, .every = 2};
TEST(schedules, against_double) {
  for (int n : {-3, 0, 1, 4, 5, 7, 8, 12, 100}) {
    double const step = std::max(n, 0), share = std::min(std::max((step - 4) / 8, 0.0), 1.0);
    auto warmed = [&](double rate) { return step < 4 ? 0.5 * step / 4 : rate; };
    double const behind = std::max(step - 4, 0.0);
    expect_near(values<float>([](auto i) { return weft::linear_decay<plan>(i); }, n),
                {warmed(0.5 - 0.4 * share)});
    expect_near(values<float>([](auto i) { return weft::warmup_cosine<plan>(i); }, n),
                {warmed(0.1 + 0.2 * (1 + std::cos(M_PI * share)))});
    expect_near(values<float>([](auto i) { return weft::exponential_decay<plan>(i); }, n),
                {warmed(std::max(0.5 * std::pow(0.5, behind / 2), 0.1))});
    expect_near(values<float>([](auto i) { return weft::step_decay<plan>(i); }, n),
                {warmed(std::max(0.5 * std::pow(0.5, std::floor(behind / 2)), 0.1))});
  }
}
// However far below the peak it is.
TEST(schedules, end_on_the_floor) {
  static constexpr weft::rate_schedule far{.peak = 0.7, .floor = 1e-6, .warmup = 4, .steps = 12};
  for (int n : {12, 100}) {
    EXPECT_EQ(values<float>([](auto i) { return weft::linear_decay<far>(i); }, n),
              (list<float>{1e-6f}));
    EXPECT_EQ(values<float>([](auto i) { return weft::warmup_cosine<far>(i); }, n),
              (list<float>{1e-6f}));
  }
}
// A literal is a step: of tensors now, of traced arrays in the trace.
TEST(schedules, of_a_literal) {
  tensor<float> const now = weft::linear_decay<plan>(8);
  expect_near({now()}, {0.3});
  expect_near(values<float>([](auto x) { return x * weft::step_decay<plan>(7L); }, 2.0f), {0.5});
}

} // namespace
