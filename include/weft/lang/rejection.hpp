// SPDX-License-Identifier: BSL-1.0
// Draws by rejection, in a trace: gamma, beta, poisson and their relatives.
//   gamma<1000>(key, 2.5f)  gamma(key, alphas)  beta(key, a, b)  poisson<8>(key, 3.5f)
//   chi_square(key, df)  student_t(key, df)
// Round n of the loop draws from fold_in(key, 2 n) and the next one; every element keeps the first
// candidate that it accepts, so it is a function of the key, its arguments and its index, as any
// draw; the loop ends with the last element. No derivatives.
// Needs: distributions.hpp, while.hpp, reductions.hpp.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/lang/distributions.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/while.hpp>

namespace weft::inline v0 {
namespace detail {

// Candidates until every element has accepted one: `candidate(first key, second key)` is a pair of
// values and what is accepted of them. `done`: who needs none.
template <class V, class M, class K, class Candidate>
constexpr V first_accepted(K const& k, V const& start, M const& done, Candidate const& candidate) {
  recorder& r = k.value.where->innermost();
  traced<std::int32_t> const round{constant(r, 0, dtype::i32, {})};
  auto const some_left = [](auto const& state) { return !weft::all(std::get<2>(state)); };
  auto const step = [&](auto const& state) {
    auto const n = std::get<0>(state);
    auto const found = candidate(weft::fold_in(k, n), weft::fold_in(k, n + 1));
    auto const kept = std::get<2>(state);
    return std::tuple(n + 2, select(kept, std::get<1>(state), found.first), kept | found.second);
  };
  return std::get<1>(weft::while_loop(some_left, step, std::tuple(round, start, done)));
}

// A gamma variate is value * exp(log_factor).
template <class V> struct gamma_parts {
  V value, log_factor;
};
// Marsaglia, Tsang 2000, for alpha >= 1: d v, v = (1 + c x)^3, x normal, d = alpha - 1/3,
// c = 1 / sqrt(9 d). Below 1, of alpha + 1 times u^(1 / alpha).
template <class T, class S, random_options O, class K, class A>
constexpr auto draw_gamma_parts(K const& k, A const& some_alpha) {
  using V = traced_of<T, S::value>;
  V const alpha{broadcast_to(some_alpha.value, S::value)};
  auto const valid = (alpha > 0) & (alpha < T(infinity_f32));
  V const small = select(alpha < 1, alpha + 1, alpha);
  V const d = select(valid, small, T{1}) - T(1.0 / 3);
  V const c = T{1} / sqrt(d * 9);
  auto const candidate = [&](auto const& first, auto const& second) {
    V const x = draw_checked<normal_formula, T, S, O>(first);
    V const u = draw_unit<T, S, O>(second);
    V const t = fma(c, x, T{1});
    V const v = t * (t * t);
    V const bound = x * x * T(0.5) + d * (T{1} - v + log(v));
    return std::pair(d * v, (v > 0) & (log(u) < bound));
  };
  V const value = first_accepted(k, d, !valid, candidate);
  V const u = draw_unit<T, S, O>(weft::fold_in(k, -1));
  V const zero = zeros_like(alpha);
  V const log_factor = select(alpha < 1, log1p(-u) / alpha, zero);
  V const beyond = select(alpha >= 0, alpha, T(nan_f64));
  return gamma_parts<V>{select(valid, value, beyond), select(valid, log_factor, zero)};
}

// Formulas over a key that they use up. 16-bit floats are drawn as float.
template <class T> using rejected_in = std::conditional_t<(sizeof(T) < 4), float, T>;

template <class T, class S, random_options O, class K, class A>
constexpr auto gamma_of_unused(K const& k, A const& alpha) {
  using W = rejected_in<T>;
  auto const parts = draw_gamma_parts<W, S, O>(k, weft::convert<W>(alpha));
  return weft::convert<T>(parts.value * exp(parts.log_factor));
}
struct gamma_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& alpha) {
    use_up(k);
    return gamma_of_unused<T, S, O>(k, alpha);
  }
};
struct beta_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& a, auto const& b) {
    using W = rejected_in<T>;
    auto const keys = weft::split<2, O>(k);
    auto const x = draw_gamma_parts<W, S, O>(keys[0], weft::convert<W>(a));
    auto const y = draw_gamma_parts<W, S, O>(keys[1], weft::convert<W>(b));
    auto const log_x = log(x.value) + x.log_factor;
    auto const log_y = log(y.value) + y.log_factor;
    return weft::convert<T>(sigmoid(log_x - log_y));
  }
};
struct chi_square_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& df) {
    return gamma_formula::of<T, S, O>(k, df * T(0.5f)) * T(2.0f);
  }
};
struct student_t_formula {
  template <class T, class S, random_options O>
  static constexpr auto of(auto const& k, auto const& df) {
    auto const keys = weft::split<2, O>(k);
    auto const x = normal_formula::of<T, S, O>(keys[0]);
    auto const half = df * T(0.5f);
    return x * sqrt(half / gamma_formula::of<T, S, O>(keys[1], half));
  }
};

// log(n!) for n in 0 .. 7.
template <class V> constexpr V log_of_small_factorial(V const& n) {
  constexpr float logs[] = {0.6931472f, 1.7917595f, 3.1780538f, 4.7874917f, 6.5792512f, 8.5251614f};
  V r = zeros_like(n);
  for (int i = 0; i < 6; ++i) r = select(n == static_cast<float>(i + 2), full_like(n, logs[i]), r);
  return r;
}
// log(lambda^n exp(-lambda) / n!), lambda >= 10. From 8 on by Stirling's series, where
// n log(lambda / n) + n - lambda = lambda (x - (1 + x) log(1 + x)), x = (n - lambda) / lambda, does
// not cancel.
template <class V> constexpr V log_poisson(V const& n, V const& lambda) {
  V const some = maximum(n, 8.0f);
  V const x = (some - lambda) / lambda;
  V const main = lambda * (x - (x + 1.0f) * log1p(x));
  V const inverse = 1.0f / some;
  V const series = fma(inverse * inverse, full_like(n, -1.0f / 360), 1.0f / 12) * inverse;
  V const stirling = main - 0.5f * log(6.2831853f * some) - series;
  V const direct = n * log(lambda) - lambda - log_of_small_factorial(n);
  return select(n < 8, direct, stirling);
}

// Below 10: numbers of rate lambda until their sum is above 1 (Knuth): one factor a round. From
// there on Hormann 1993, PTRS. Element by element one of the two. Rates from `most` on: themselves.
template <class S, random_options O, class K, class A>
constexpr auto draw_poisson(K const& k, A const& some_lambda, float most) {
  using V = traced_of<float, S::value>;
  V const given{broadcast_to(some_lambda.value, S::value)};
  auto const valid = (given > 0) & (given < most);
  V const lambda = select(valid, given, 1.0f);
  auto const few = lambda < 10;
  V const large = select(few, 10.0f, lambda);
  V const b = fma(sqrt(large), full_like(large, 2.53f), 0.931f);
  V const a = fma(b, full_like(b, 0.02483f), -0.059f);
  V const inverse_alpha = 1.1239f + 1.1328f / (b - 3.4f);
  V const most_v = 0.9277f - 3.6224f / (b - 2.0f);
  using state = std::pair<V, V>;
  auto const candidate = [&](auto const& first, auto const& second, state const& s) {
    V const from_first = draw_unit<float, S, O>(first);
    V const v = draw_unit<float, S, O>(second);
    V const logs = s.second + log1p(-from_first); // Knuth's, of this round too
    V const u = from_first - 0.5f;
    V const us = 0.5f - abs(u);
    V const n = floor(fma(2.0f * a / us + b, u, large + 0.43f));
    V const left = log(v * inverse_alpha / (a / (us * us) + b));
    V const right = log_poisson(n, large);
    auto const quick = (us >= 0.07f) & (v <= most_v);
    auto const no = (n < 0) | ((us < 0.013f) & (v > us));
    auto const accepted = quick | (!no & (left <= right));
    auto const over = logs < -lambda;
    return std::tuple(select(few, select(over, s.first, s.first + 1.0f), n), logs,
                      select(few, over, accepted));
  };
  recorder& r = k.value.where->innermost();
  traced<std::int32_t> const round{constant(r, 0, dtype::i32, {})};
  auto const some_left = [](auto const& t) { return !weft::all(std::get<3>(t)); };
  auto const step = [&](auto const& t) {
    auto const i = std::get<0>(t);
    auto const found = candidate(weft::fold_in(k, i), weft::fold_in(k, i + 1),
                                 state(std::get<1>(t), std::get<2>(t)));
    auto const done = std::get<3>(t);
    return std::tuple(i + 2, select(done, std::get<1>(t), std::get<0>(found)), std::get<1>(found),
                      done | std::get<2>(found));
  };
  V const zero = zeros_like(given);
  auto const end = weft::while_loop(some_left, step, std::tuple(round, zero, zero, !valid));
  V const beyond = select(given >= 0, given, -1.0f); // 0, what no int holds; -1 of NaN and below 0
  return select(valid, std::get<1>(end), beyond);
}
// What T does not hold any more; at least 2^31, as for int.
template <class T>
inline constexpr float most_rate = two_to<float>(value_digits<T> > 31 ? value_digits<T> : 31);
template <class T, class D, class K, class A>
constexpr auto poisson_draw(K const& k, A const& lambda) {
  using S = draw_shape<D, A>;
  using R = traced_of<T, S::value>;
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>,
                "weft: poisson: not an integer type; write poisson<std::int32_t, 3>(key, rate)");
  if constexpr (!check_key<K>() || !check_draw<S, D::options>() || !check_beside<float, S, A>())
    return in_place<R>(k);
  else {
    recorder& r = use_up(k);
    return weft::convert<T>(
        draw_poisson<S, D::options>(k, argument_of_draw<float>(r, lambda), most_rate<T>));
  }
}

} // namespace detail

// Gamma variates of shape alpha > 0 and scale 1: mean alpha, variance alpha. Of alpha 0: 0, of a
// negative one NaN.
template <auto... E, key_argument K, class A> constexpr auto gamma(K const& k, A const& alpha) {
  return detail::draw<detail::gamma_formula, float, E...>(k, alpha);
}
template <class T, auto... E, key_argument K, class A>
constexpr auto gamma(K const& k, A const& alpha) {
  return detail::draw<detail::gamma_formula, T, E...>(k, alpha);
}
// x / (x + y) of gamma variates of shapes a and b, by their logarithms: mean a / (a + b).
template <auto... E, key_argument K, class A, class B>
constexpr auto beta(K const& k, A const& a, B const& b) {
  return detail::draw<detail::beta_formula, float, E...>(k, a, b);
}
template <class T, auto... E, key_argument K, class A, class B>
constexpr auto beta(K const& k, A const& a, B const& b) {
  return detail::draw<detail::beta_formula, T, E...>(k, a, b);
}
// The sum of df squares of normal variates: 2 gamma(df / 2).
template <auto... E, key_argument K, class A> constexpr auto chi_square(K const& k, A const& df) {
  return detail::draw<detail::chi_square_formula, float, E...>(k, df);
}
template <class T, auto... E, key_argument K, class A>
constexpr auto chi_square(K const& k, A const& df) {
  return detail::draw<detail::chi_square_formula, T, E...>(k, df);
}
// normal / sqrt(chi_square(df) / df).
template <auto... E, key_argument K, class A> constexpr auto student_t(K const& k, A const& df) {
  return detail::draw<detail::student_t_formula, float, E...>(k, df);
}
template <class T, auto... E, key_argument K, class A>
constexpr auto student_t(K const& k, A const& df) {
  return detail::draw<detail::student_t_formula, T, E...>(k, df);
}
// Counts of events of rate lambda, a float or an array of them, int if not said: mean and variance
// lambda. Of 0: 0, of a negative rate or NaN: -1, saturated; from 2^24 on floats are what is drawn.
template <auto... E, key_argument K, class A> constexpr auto poisson(K const& k, A const& lambda) {
  return detail::poisson_draw<std::int32_t, detail::draw_arguments<E...>>(k, lambda);
}
template <class T, auto... E, key_argument K, class A>
constexpr auto poisson(K const& k, A const& lambda) {
  return detail::poisson_draw<T, detail::draw_arguments<E...>>(k, lambda);
}

} // namespace weft::inline v0
