// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Initial weights, embedding and glu at both doors; factors of the draws and gradients against
// double precision.
#include "recorded.hpp"

#include <weft/lang/embedding.hpp>
#include <weft/lang/initialisers.hpp>
#include <weft/lang/optimise_more.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <cmath>

namespace {

using recorded::list, recorded::numbers, recorded::run, recorded::values;
using weft::axis_list, weft::fan, weft::fan_axes, weft::spread, weft::tensor,
    weft::variance_options;

// The factor for a shape, as a float, and in double from the definition.
template <class T> double factor(variance_options o, weft::extents s) {
  return weft::detail::spread_factor<T>(o, s);
}
constexpr variance_options with(double scale, fan mode, spread draw, fan_axes axes = {}) {
  return {scale, mode, draw, axes};
}
constexpr fan_axes torch{axis_list(1), axis_list(0)}; // (out, in, height, width)
constexpr fan_axes stacked{axis_list(1), axis_list(2), axis_list(0)};
constexpr fan_axes heads{axis_list(0), axis_list(-2, -1)}; // (in, heads, out of one)

TEST(initialisers, fans) {
  using weft::detail::fan_of;
  auto is = [](fan mode, fan_axes axes, weft::extents s) {
    return fan_of(with(1, mode, spread::normal, axes), s);
  };
  EXPECT_EQ(is(fan::in, {}, {2, {6, 10}}), 6);
  EXPECT_EQ(is(fan::out, {}, {2, {6, 10}}), 10);
  EXPECT_EQ(is(fan::average, {}, {2, {6, 10}}), 8);
  EXPECT_EQ(is(fan::in, {}, {4, {5, 3, 6, 10}}), 90); // a kernel (5, 3, in, out)
  EXPECT_EQ(is(fan::out, torch, {4, {8, 3, 5, 5}}), 200);
  EXPECT_EQ(is(fan::in, torch, {4, {8, 3, 5, 5}}), 75);
  EXPECT_EQ(is(fan::in, stacked, {3, {7, 6, 10}}), 6);
  EXPECT_EQ(is(fan::in, heads, {3, {6, 4, 5}}), 6);
  EXPECT_EQ(is(fan::out, heads, {3, {6, 4, 5}}), 20);
  EXPECT_EQ(is(fan::in, {}, {2, {0, 10}}), 1);
}
TEST(initialisers, factors_against_double) {
  weft::extents const s = {2, {7, 11}};
  for (auto [mode, n] : {std::pair(fan::in, 7.), {fan::out, 11.}, {fan::average, 9.}})
    for (double scale : {1., 2., 0.3}) {
      double const deviation = std::sqrt(scale / n);
      // The standard deviation of a normal between -2 and 2, from its density.
      double const density = std::exp(-2.) / std::sqrt(2 * std::acos(-1.));
      double const cut = std::sqrt(1 - 4 * density / std::erf(std::sqrt(2.)));
      EXPECT_NEAR(factor<float>(with(scale, mode, spread::uniform), s), deviation * std::sqrt(3.),
                  1e-7);
      EXPECT_NEAR(factor<float>(with(scale, mode, spread::normal), s), deviation, 1e-7);
      EXPECT_NEAR(factor<float>(with(scale, mode, spread::truncated_normal), s), deviation / cut,
                  2e-7);
      EXPECT_NEAR(factor<double>(with(scale, mode, spread::truncated_normal), s), deviation / cut,
                  1e-15);
      EXPECT_NEAR(factor<weft::bf16>(with(scale, mode, spread::normal), s), deviation, 4e-3);
    }
}
// Each name is its draw times its factor, in a trace and at once.
TEST(initialisers, are_draws_times_a_number) {
  weft::key const k(7);
  auto same = [&](auto const& is, auto const& should) {
    auto const a = values<float>(is, k);
    EXPECT_EQ(a, values<float>(should, k));
    return a;
  };
  auto const of_uniform = [](double limit) {
    return
        [c = static_cast<float>(limit)](auto one) { return weft::uniform<6, 10>(one, -1, 1) * c; };
  };
  same([](auto one) { return weft::glorot_uniform<6, 10>(one); },
       of_uniform(std::sqrt(3 * static_cast<float>(1. / 8))));
  same([](auto one) { return weft::he_uniform<6, 10>(one); },
       of_uniform(std::sqrt(3 * static_cast<float>(2. / 6))));
  same([](auto one) { return weft::lecun_uniform<torch, 6, 10>(one); },
       of_uniform(std::sqrt(3 * static_cast<float>(1. / 10))));
  auto const of_normal = [](double v) {
    float const c = std::sqrt(static_cast<float>(v)) / 0.87962566103423978f;
    return [c](auto one) { return weft::truncated_normal<6, 10>(one, -2, 2) * c; };
  };
  same([](auto one) { return weft::glorot_normal<6, 10>(one); }, of_normal(1. / 8));
  auto const he = same([](auto one) { return weft::he_normal<6, 10>(one); }, of_normal(2. / 6));
  tensor<float, 6, 10> const now = weft::he_normal<6, 10>(k);
  EXPECT_EQ(list<float>(now.begin(), now.end()), he);
  same([](auto one) { return weft::lecun_normal<6, 10>(one); }, of_normal(1. / 6));
  same(
      [](auto one) {
        return weft::variance_scaling<
            variance_options{.scale = 3, .mode = fan::out, .draw = spread::normal}, 6, 10>(one);
      },
      [c = std::sqrt(static_cast<float>(3. / 10))](auto one) {
        return weft::normal<6, 10>(one) * c;
      });
}
TEST(initialisers, moments_and_types) {
  auto const w = weft::he_normal<double, 64, 128>(weft::key(3));
  static_assert(std::is_same_v<decltype(w)::element_type, double>);
  double sum = 0, squares = 0, most = 0;
  for (double x : w) sum += x, squares += x * x, most = std::max(most, std::abs(x));
  double const n = 64 * 128, variance = squares / n;
  EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(2. / 64 / n));
  EXPECT_NEAR(variance, 2. / 64, 5 * (2. / 64) * std::sqrt(2 / n));
  EXPECT_LT(most, 2 * std::sqrt(2. / 64) / 0.8796);
  using half = decltype(weft::glorot_uniform<weft::bf16, 3, 4>(weft::key(1)));
  static_assert(std::is_same_v<half::element_type, weft::bf16>);
}

TEST(embedding, rows_and_gradients) {
  tensor<float, 3, 2> const table = {{1, 2}, {3, 4}, {5, 6}};
  tensor<int, 2, 2> const ids = {{2, 0}, {-1, 9}}; // the last one reads row 2
  auto const f = [](auto t, auto i) { return embedding(t, i); };
  list<float> const rows = {5, 6, 1, 2, 5, 6, 5, 6};
  EXPECT_EQ(values<float>(f, table, ids), rows);
  tensor<float, 2, 2, 2> const now = embedding(table, ids);
  EXPECT_EQ(list<float>(now.begin(), now.end()), rows);
  auto const gradient = [](auto t, auto i) {
    return weft::value_and_grad([&](auto x) { return sum(embedding(x, i) * embedding(x, i)); })(t)
        .second;
  };
  EXPECT_EQ(values<float>(gradient, table, ids), (list<float>{2, 4, 0, 0, 30, 36}));
}
constexpr weft::sym glu_rows{"rows"};
constexpr weft::sym glu_half{"half"};
TEST(glu, against_double) {
  tensor<float, 2, 4> const x = {{1, 2, 4, -1}, {0.5f, 0.5f, 3, 8}};
  auto const sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  list<double> const should = {1 * sigmoid(4), 2 * sigmoid(-1), 0.5 * sigmoid(3), 0.5 * sigmoid(8)};
  auto const is = values<float>([](auto a) { return glu(a); }, x);
  ASSERT_EQ(is.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_NEAR(is[i], should[i], 1e-6);
  tensor<float, 2, 2> const now = glu(x);
  EXPECT_EQ(list<float>(now.begin(), now.end()), is);
  auto const first = values<float>([](auto a) { return weft::glu<0>(a); }, x);
  EXPECT_NEAR(first[3], -1 * sigmoid(8), 1e-6);
}
TEST(glu, along_a_named_axis) {
  constexpr auto halved = [](auto a) { return weft::glu<0, glu_half>(a); };
  for (int size : {2, 6}) {
    tensor<float, glu_rows, 2> x(size);
    for (int i = 0; i < 2 * size; ++i) x.mutate()(i / 2, i % 2) = 0.5f * static_cast<float>(i) - 1;
    auto const is = values<float>(halved, x);
    tensor<float, glu_half, 2> const now = weft::glu<0, glu_half>(x);
    ASSERT_EQ(now.size(), size);
    for (int i = 0; i < size; ++i) {
      float const first = 0.5f * static_cast<float>(i) - 1,
                  second = first + 0.5f * static_cast<float>(size);
      EXPECT_FLOAT_EQ(is[static_cast<unsigned>(i)], first / (1 + std::exp(-second)));
      EXPECT_EQ(now(i / 2, i % 2), is[static_cast<unsigned>(i)]);
    }
  }
  tensor<float, glu_rows, 2> const odd(3);
  EXPECT_THROW((void)values<float>(halved, odd), weft::shape_error);
  EXPECT_THROW((weft::glu<0, glu_half>(odd)), weft::shape_error);
}

template <template <class, auto...> class array> struct params {
  array<float, 2> w;
  array<float> b;
};
TEST(rmsprop, against_double) {
  params<tensor> const p{{1, 2}, 3.0f}, g{{0.5f, -2}, 4.0f}, s{{0.25f, 1}, 0.0f};
  auto const out = run([](auto x, auto y, auto z) { return rmsprop(x, y, z, 0.1f); }, p, g, s);
  double const w = 0.99 * 0.25 + 0.01 * 0.25, b = 0.01 * 16;
  EXPECT_NEAR(numbers<float>(out[0])[0], 1 - 0.1 * 0.5 / (std::sqrt(w) + 1e-8), 1e-6);
  EXPECT_NEAR(numbers<float>(out[1])[0], 3 - 0.1 * 4 / (std::sqrt(b) + 1e-8), 1e-6);
  EXPECT_NEAR(numbers<float>(out[2])[0], w, 1e-7);
  EXPECT_NEAR(numbers<float>(out[3])[0], b, 1e-7);
}

} // namespace
