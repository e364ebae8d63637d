// SPDX-License-Identifier: BSL-1.0
// kalman: where is an aircraft that a radar sees every second, with errors of ten metres? The Kalman
// filter and the smoother behind it, twice: step by step (`scan`), and by `associative_scan` over
// elements of which any two neighbours make one (Särkkä, García-Fernández: Temporal Parallelization
// of Bayesian Smoothers, 2021), ten levels of work for a thousand steps.
//   kalman                       compares and times the two
//   kalman --picture track.svg   draws the track (where plplot is installed)
// Shapes: states (4): x, its speed, y, its speed, in m and m/s; what is seen (2): x, y.
// Leaves: exit code 1 and one line on stderr when the options are no good.
#include "shared/fingerprint.hpp"
#include "shared/plot.hpp"
#include "shared/time_of.hpp"

#include <weft/weft.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

namespace kalman {

using weft::tensor;

inline constexpr weft::sym steps{"steps"}; // bound by the arrays that a program is called with

// A state moves by `motion` and by noise of covariance `drift`; `seen` of it is seen, with errors of
// covariance `error`. `start` is where the aircraft is thought to be a step before the first.
template <template <class, auto...> class array> struct model {
  array<double, 4, 4> motion, drift;
  array<double, 2, 4> seen;
  array<double, 2, 2> error;
  array<double, 4> start;
  array<double, 4, 4> start_covariance;
  array<double, 4, 4> drift_root; // by itself transposed: drift
  array<double, 2, 2> error_root;
};

// Speeds change by about 0.7 m/s in a second; errors along x and y go together.
model<tensor> aircraft() {
  model<tensor> m;
  m.motion = {{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 1}};
  m.drift_root = {{0.4, 0, 0, 0}, {0.6, 0.35, 0, 0}, {0, 0, 0.4, 0}, {0, 0, 0.6, 0.35}};
  m.error_root = {{10, 0}, {4, 8}};
  m.drift = matmul(m.drift_root, weft::transpose<1, 0>(m.drift_root));
  m.error = matmul(m.error_root, weft::transpose<1, 0>(m.error_root));
  m.seen = {{1, 0, 0, 0}, {0, 0, 1, 0}};
  m.start = {0, 30, 0, 10};
  m.start_covariance = {{100, 0, 0, 0}, {0, 25, 0, 0}, {0, 0, 100, 0}, {0, 0, 0, 25}};
  return m;
}

inline constexpr auto t = [](auto matrix) { return weft::transpose<1, 0>(matrix); };
// m a m': the covariance of m x where that of x is a.
inline constexpr auto through = [](auto m, auto a) { return matmul(matmul(m, a), t(m)); };

// Gauss and Jordan's inverse, in place. Covariances are positive definite: no pivot is small.
inline constexpr auto pivot = [](auto m, auto row, auto column, auto unit) {
  return m - outer(column - unit, row + unit) / dot(row, unit);
};
template <int N>
inline constexpr auto inverse = [](auto m) {
  auto const unit = weft::eye<double, N>();
  m = pivot(m, at<"0">(m), at<":, 0">(m), at<"0">(unit));
  m = pivot(m, at<"1">(m), at<":, 1">(m), at<"1">(unit));
  if constexpr (N == 4) {
    m = pivot(m, at<"2">(m), at<":, 2">(m), at<"2">(unit));
    m = pivot(m, at<"3">(m), at<":, 3">(m), at<"3">(unit));
  }
  return m;
};

// ---- step by step
inline constexpr auto predict = [](auto const& m, auto mean, auto covariance) {
  return std::pair(matmul(m.motion, mean), through(m.motion, covariance) + m.drift);
};
inline constexpr auto gain = [](auto const& m, auto covariance) {
  return matmul(matmul(covariance, t(m.seen)), inverse<2>(through(m.seen, covariance) + m.error));
};
inline constexpr auto update = [](auto const& m, auto mean, auto covariance, auto y) {
  auto k = gain(m, covariance);
  return std::pair(mean + matmul(k, y - matmul(m.seen, mean)),
                   covariance - matmul(k, matmul(m.seen, covariance)));
};
inline constexpr auto filter = [](auto m, auto ys) {
  auto step = [&](auto before, auto y) {
    auto [mean, covariance] = predict(m, before.first, before.second);
    auto now = update(m, mean, covariance, y);
    return std::pair(now, now);
  };
  return scan(step, std::pair(m.start, m.start_covariance), ys).second;
};

// The state at a step as E times the next one, and g, with the covariance L.
inline constexpr auto smoother_element = [](auto m, auto mean, auto covariance) {
  auto [next, spread] = predict(m, mean, covariance);
  auto E = matmul(matmul(covariance, t(m.motion)), inverse<4>(spread));
  return std::tuple(E, mean - matmul(E, next),
                    covariance - matmul(E, matmul(m.motion, covariance)));
};
inline constexpr auto smoother_elements = [](auto m, auto filtered) {
  auto [E, g, L] = weft::vmap<weft::none, 0, 0>(smoother_element)(m, filtered.first,
                                                                  filtered.second);
  return std::tuple(weft::set<"-1">(E, 0), weft::set<"-1">(g, at<"-1">(filtered.first)),
                    weft::set<"-1">(L, at<"-1">(filtered.second)));
};
inline constexpr auto smoother = [](auto m, auto filtered) {
  auto step = [](auto later, auto element) {
    auto [E, g, L] = element;
    auto now = std::pair(matmul(E, later.first) + g, through(E, later.second) + L);
    return std::pair(now, now);
  };
  auto nothing = std::pair(zeros_like(m.start), zeros_like(m.drift));
  return scan<weft::scan_options{.reverse = true}>(step, nothing, smoother_elements(m, filtered))
      .second;
};

// ---- side by side. An element (A, b, C, eta, J) says of some steps in a row: from a state x before
// them, one that is normal with mean A x + b and covariance C after them; and of x, what was seen in
// them tells as much as a normal density with information J and J mean = eta.
inline constexpr auto filter_element = [](auto m, auto y) {
  auto from_nowhere = zeros_like(m.start);
  auto [b, C] = update(m, from_nowhere, m.drift, y);
  auto seen_next = matmul(m.seen, m.motion);
  auto weight = matmul(t(seen_next), inverse<2>(through(m.seen, m.drift) + m.error));
  return std::tuple(m.motion - matmul(gain(m, m.drift), seen_next), b, C, matmul(weight, y),
                    matmul(weight, seen_next));
};
// The first element knows where it starts.
inline constexpr auto filter_elements = [](auto m, auto ys) {
  auto [A, b, C, eta, J] = weft::vmap<weft::none, 0>(filter_element)(m, ys);
  auto [mean, covariance] = predict(m, m.start, m.start_covariance);
  auto [first_b, first_C] = update(m, mean, covariance, at<"0">(ys));
  return std::tuple(weft::set<"0">(A, 0), weft::set<"0">(b, first_b), weft::set<"0">(C, first_C),
                    eta, J);
};
// i is before j. With X = (C_i^-1 + J_j)^-1, which is symmetric and positive definite, the paper's
// (I + C_i J_j)^-1 is I - X J_j.
inline constexpr auto combine = [](auto i, auto j) {
  auto [A_i, b_i, C_i, eta_i, J_i] = i;
  auto [A_j, b_j, C_j, eta_j, J_j] = j;
  auto X = inverse<4>(inverse<4>(C_i) + J_j);
  auto told = eta_j - matmul(J_j, b_i); // of the state between them, besides b_i
  auto kept = matmul(weft::eye<double, 4>() - matmul(X, J_j), A_i);
  auto back = t(A_i) - matmul(matmul(t(A_i), J_j), X);
  return std::tuple(matmul(A_j, kept), matmul(A_j, b_i + matmul(X, told)) + b_j,
                    through(A_j, X) + C_j, matmul(back, told) + eta_i,
                    matmul(matmul(t(A_i), J_j), kept) + J_i);
};
inline constexpr auto combine_back = [](auto later, auto earlier) {
  auto [E_l, g_l, L_l] = later;
  auto [E_e, g_e, L_e] = earlier;
  return std::tuple(matmul(E_e, E_l), matmul(E_e, g_l) + g_e, through(E_e, L_l) + L_e);
};
inline constexpr auto parallel_filter = [](auto m, auto ys) {
  auto [A, b, C, eta, J] = associative_scan(weft::vmap(combine), filter_elements(m, ys));
  return std::pair(b, C);
};
inline constexpr auto parallel_smoother = [](auto m, auto filtered) {
  constexpr weft::associative_scan_options from_the_end{.reverse = true};
  auto [E, g, L] = associative_scan<from_the_end>(weft::vmap(combine_back),
                                                  smoother_elements(m, filtered));
  return std::pair(g, L);
};

// ---- programs
inline constexpr auto one_by_one = [](auto m, auto ys) {
  auto filtered = filter(m, ys);
  return std::pair(filtered, smoother(m, filtered));
};
inline constexpr auto side_by_side = [](auto m, auto ys) {
  auto filtered = parallel_filter(m, ys);
  return std::pair(filtered, parallel_smoother(m, filtered));
};
// A flight, and what the radar sees of it: (steps, 4) and (steps, 2).
inline constexpr auto fly = [](auto m, auto clock, auto key) {
  auto keys = weft::split<2>(key);
  auto step = [&](auto state, auto of_step) {
    auto next = matmul(m.motion, state) + matmul(m.drift_root, of_step.first);
    return std::pair(next, next);
  };
  auto states =
      scan(step, m.start, std::pair(weft::normal<double, steps, 4>(keys[0]), clock)).second;
  auto errors = einsum<"ij,nj->ni">(m.error_root, weft::normal<double, steps, 2>(keys[1]));
  return std::pair(states, einsum<"ij,nj->ni">(m.seen, states) + errors);
};

using states = tensor<double, steps, 4>;
using sightings = tensor<double, steps, 2>;
struct sequential : weft::program<one_by_one, model<tensor>, sightings> {};
struct parallel : weft::program<side_by_side, model<tensor>, sightings> {};
struct flight : weft::program<fly, model<tensor>, tensor<double, steps>, weft::key> {};

// Root of the mean square of the distance in the plane.
template <int X, int Y, class E> double distance(states const& truth, E const& found) {
  double sum = 0;
  int const count = static_cast<int>(truth.extent(0));
  for (int k = 0; k < count; ++k) {
    double const x = double(found(k, X)) - truth(k, 0), y = double(found(k, Y)) - truth(k, 2);
    sum += x * x + y * y;
  }
  return std::sqrt(sum / count);
}
double difference(states const& a, states const& b) { return weft::max(abs(a - b))(); }

void draw(std::string const& path, states const& truth, sightings const& seen,
          states const& filtered, states const& smoothed) {
  int const last = static_cast<int>(truth.extent(0)), first = std::max(last - 60, 0);
  auto const line = [&](char const* name, auto const& of, int y, bool points) {
    examples::series s{.name = name, .points = points, .x = {}, .y = {}};
    for (int k = first; k < last; ++k) {
      s.x.push_back(double(of(k, 0)) / 1000);
      s.y.push_back(double(of(k, y)) / 1000);
    }
    return s;
  };
  examples::plot(path, {"The last minute of the flight", "x in km", "y in km"},
                 {line("radar", seen, 1, true), line("flight", truth, 2, false),
                  line("filter", filtered, 2, false), line("smoother", smoothed, 2, false)});
}

void run(int count, std::uint64_t seed, std::string const& picture) {
  model<tensor> const m = aircraft();
  auto const [truth, seen] = weft::jit<flight>(m, tensor<double, steps>(count), weft::key(seed));
  auto const [filtered, smoothed] = weft::jit<sequential>(m, seen);
  auto const [parallel_filtered, parallel_smoothed] = weft::jit<parallel>(m, seen);

  std::printf("%d steps, seed %llu; distance to the aircraft, root of the mean square\n"
              "  radar     %.3f m\n  filter    %.3f m  in parallel %.3f m\n"
              "  smoother  %.3f m  in parallel %.3f m\n",
              count, static_cast<unsigned long long>(seed), distance<0, 1>(truth, seen),
              distance<0, 2>(truth, filtered.first), distance<0, 2>(truth, parallel_filtered.first),
              distance<0, 2>(truth, smoothed.first),
              distance<0, 2>(truth, parallel_smoothed.first));
  std::printf("largest difference between the two: filter %.2g, smoother %.2g (m, m/s); the tree\n"
              "adds in another order, so that they round differently: 53 bits of up to %.0f m\n",
              difference(filtered.first, parallel_filtered.first),
              difference(smoothed.first, parallel_smoothed.first), double(weft::max(abs(truth))()));
  double const one = examples::time_of([&] { weft::jit<sequential>(m, seen); });
  double const many = examples::time_of([&] { weft::jit<parallel>(m, seen); });
  int levels = 0;
  while (1 << levels < count) ++levels;
  std::printf(
      "one by one %.2f ms, side by side %.2f ms on one thread: %d levels of all steps at once, "
      "which\npays where thousands run together; results %08x %08x (the same for every compiler "
      "and instruction set)\n",
      one * 1e3, many * 1e3, levels, examples::fingerprint(std::pair(filtered, smoothed)),
      examples::fingerprint(std::pair(parallel_filtered, parallel_smoothed)));
  if (!picture.empty()) draw(picture, truth, seen, filtered.first, smoothed.first);
}

} // namespace kalman

int main(int count, char** arguments) {
  int steps = 1000;
  std::uint64_t seed = 1;
  std::string picture;
  CLI::App app("Kalman filter and smoother, one by one and in parallel.", "kalman");
  app.add_option("--steps", steps, "seconds of flight")
      ->capture_default_str()
      ->check(CLI::Range(2, 1'000'000));
  app.add_option("--seed", seed, "of the flight and the radar's errors")->capture_default_str();
  app.add_option("--picture", picture, "file to draw the track in")->type_name("FILE.svg|FILE.png");
  CLI11_PARSE(app, count, arguments);
  try {
    kalman::run(steps, seed, picture);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "kalman: %s\n", e.what());
    return 1;
  }
}
