// SPDX-License-Identifier: BSL-1.0
// The gradient of a scan over T = 2,048 steps of a GRU: float32 against the same graph in float64,
// element by element within a bound that is derived, not chosen.
//
// The bound. `bounded` is a number of the float64 run and how far the float32 run may be from it.
// An operation on operands within their bounds is within the first-order propagation of these plus
// one rounding, u = 2^-24 of the result's magnitude, which is the same bound for every order of
// additions of as many terms:
//   a + b     e_a + e_b + u |a + b|
//   a b       |a| e_b + |b| e_a + e_a e_b + u |a b|      (a fused product and sum: at most both)
//   sigmoid   s (1 - s) e + e^2 / 20 + 3 u s             (s' is 1/4-Lipschitz, |s''| < 1/10; 1.5 ulp)
//   tanh      (1 - t^2) e + 2 e^2 / 5 + 3 u |t|          (|tanh''| < 4/5; 1.4 ulp)
// (magnitudes taken as |v| + e). So each element's bound counts every rounding on every path to it:
// about 3 (features + units) + 30 a step forward, twice as many backward, and T in the sums of the
// weights' gradients. The carry's error does not grow with T, because a step contracts.
// Roundings of float64, 2^-29 of those, are left out.
#include "recorded.hpp"

#include <weft/weft.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

using namespace weft;
using recorded::numbers, recorded::run;

constexpr int steps = 2048, features = 2, units = 3;

template <template <class, auto...> class array, class T> struct weights {
  array<T, 3 * units, features> input;
  array<T, 3 * units, units> hidden;
  array<T, 3 * units> input_bias, hidden_bias;
};
// sum over all steps of <c_t, h_t>.
constexpr auto loss = [](auto p, auto h0, auto xs, auto c) {
  auto const step = [&p](auto h, auto x) {
    auto const next = gru(p, h, x);
    return std::pair(next, next);
  };
  return sum(scan(step, h0, xs).second * c);
};
constexpr auto gradients = [](auto p, auto h0, auto xs, auto c) {
  return grad<0, 1, 2>(loss)(p, h0, xs, c);
};

// A number in [-scale, scale] that float has, the same for the same place.
double number(int place, double scale) {
  auto const mixed = static_cast<std::uint32_t>(place + 1) * 2654435761u;
  return scale * (static_cast<double>(mixed >> 16) / 32768.0 - 1.0);
}
template <class T, auto... E> tensor<T, E...> numbers_from(int place, double scale) {
  tensor<T, E...> made;
  auto m = made.mutate();
  for (auto it = m.data(), end = it + made.size(); it != end; ++it)
    *it = static_cast<T>(static_cast<float>(number(place++, scale)));
  return made;
}
template <class T> struct problem {
  weights<tensor, T> p{
      numbers_from<T, 3 * units, features>(0, 0.5), numbers_from<T, 3 * units, units>(100, 0.5),
      numbers_from<T, 3 * units>(200, 0.25), numbers_from<T, 3 * units>(300, 0.25)};
  tensor<T, units> h0 = numbers_from<T, units>(400, 1);
  tensor<T, steps, features> xs = numbers_from<T, steps, features>(1000, 1);
  tensor<T, steps, units> c = numbers_from<T, steps, units>(20000, 1);

  // The gradients' leaves: input, hidden, the biases, h0, xs.
  growing<dense> results() const { return run(gradients, p, h0, xs, c); }
};

// ---- the bound ---------------------------------------------------------------------------------

constexpr double u = 0x1p-24;
struct bounded {
  double v = 0, e = 0;
  bounded(double value = 0, double error = 0) : v(value), e(error) {}
};
bounded rounded(double v, double e) { return {v, e + u * (std::abs(v) + e)}; }
bounded operator+(bounded a, bounded b) { return rounded(a.v + b.v, a.e + b.e); }
bounded operator-(bounded a, bounded b) { return rounded(a.v - b.v, a.e + b.e); }
bounded operator*(bounded a, bounded b) {
  return rounded(a.v * b.v, std::abs(a.v) * b.e + std::abs(b.v) * a.e + a.e * b.e);
}
bounded& operator+=(bounded& a, bounded b) { return a = a + b; }
bounded logistic(bounded a) {
  double const s = 1 / (1 + std::exp(-a.v)), e = s * (1 - s) * a.e + a.e * a.e / 20;
  return {s, e + 3 * u * (s + e)};
}
bounded hyperbolic(bounded a) {
  double const t = std::tanh(a.v), e = (1 - t * t) * a.e + a.e * a.e * 0.4;
  return {t, e + 3 * u * (std::abs(t) + e)};
}

// The GRU and its gradient written out, with the graph's roundings: each operation once.
using row = std::vector<bounded>;
struct gate_values {
  row x, h, r, z, n, m; // m: the hidden part of n, which r multiplies
};
class written_out {
public:
  explicit written_out(problem<double> const& given) : q_(given) { forward(), backward(); }
  // As problem::results: one list for all leaves.
  row all() const {
    row leaves = gw;
    for (row const* part : {&gu, &gb, &gc, &gh, &gx})
      leaves.insert(leaves.end(), part->begin(), part->end());
    return leaves;
  }

private:
  static constexpr int gates = 3 * units;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void forward() {
    row h;
    for (double v : q_.h0) h.push_back(v);
    for (int t = 0; t < steps; ++t) h = step(t, h);
  }
  row step(int t, row const& h) {
    gate_values s;
    s.h = h;
    for (int i = 0; i < features; ++i) s.x.push_back(q_.xs(t, i));
    row a, c;
    for (int k = 0; k < gates; ++k) {
      bounded of_x, of_h;
      for (int i = 0; i < features; ++i) of_x += s.x[at(i)] * q_.p.input(k, i);
      for (int i = 0; i < units; ++i) of_h += h[at(i)] * q_.p.hidden(k, i);
      a.push_back(of_x + q_.p.input_bias(k));
      c.push_back(of_h + q_.p.hidden_bias(k));
    }
    row next;
    for (int i = 0; i < units; ++i) {
      s.r.push_back(logistic(a[at(i)] + c[at(i)]));
      s.z.push_back(logistic(a[at(units + i)] + c[at(units + i)]));
      s.m.push_back(c[at(2 * units + i)]);
      s.n.push_back(hyperbolic(a[at(2 * units + i)] + s.r.back() * s.m.back()));
      next.push_back((1.0 - s.z.back()) * s.n.back() + s.z.back() * h[at(i)]);
    }
    steps_.push_back(s);
    return next;
  }
  void backward() {
    gx.resize(at(steps * features));
    for (int t = steps - 1; t >= 0; --t) step_back(t, steps_[at(t)]);
  }
  void step_back(int t, gate_values const& s) {
    row of_a(at(gates)), of_c(at(gates)), before(at(units));
    for (int i = 0; i < units; ++i) {
      std::size_t const k = at(i), z = at(units + i), n = at(2 * units + i);
      bounded const g = gh[k] + q_.c(t, i);
      bounded const of_z = g * s.h[k] - g * s.n[k];
      of_a[n] = g * (1.0 - s.z[k]) * (1.0 - s.n[k] * s.n[k]);
      of_c[n] = of_a[n] * s.r[k];
      of_a[k] = of_c[k] = of_a[n] * s.m[k] * (s.r[k] * (1.0 - s.r[k]));
      of_a[z] = of_c[z] = of_z * (s.z[k] * (1.0 - s.z[k]));
      before[k] = g * s.z[k];
    }
    for (int k = 0; k < gates; ++k) {
      for (int i = 0; i < features; ++i) {
        gw[at(k * features + i)] += of_a[at(k)] * s.x[at(i)];
        gx[at(t * features + i)] += of_a[at(k)] * q_.p.input(k, i);
      }
      for (int i = 0; i < units; ++i) {
        gu[at(k * units + i)] += of_c[at(k)] * s.h[at(i)];
        before[at(i)] += of_c[at(k)] * q_.p.hidden(k, i);
      }
      gb[at(k)] += of_a[at(k)];
      gc[at(k)] += of_c[at(k)];
    }
    gh = before;
  }

  problem<double> const& q_;
  std::vector<gate_values> steps_;
  row gw{row(gates * features)}, gu{row(gates * units)}, gb{row(gates)}, gc{row(gates)},
      gh{row(units)}, gx;
};

TEST(long_scan, float32_gradient_is_within_the_derived_bound_of_float64) {
  problem<float> const narrow;
  problem<double> const wide;
  growing<dense> const is = narrow.results(), should = wide.results();
  row const bound = written_out(wide).all();
  ASSERT_EQ(is.size(), 6);
  char const* const names[] = {"input", "hidden", "input_bias", "hidden_bias", "h0", "xs"};
  std::size_t place = 0;
  for (int leaf = 0; leaf < is.size(); ++leaf) {
    auto const x = numbers<float>(is[leaf]);
    auto const y = numbers<double>(should[leaf]);
    double worst = 0, error = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i, ++place) {
      bounded const b = bound[place];
      ASSERT_NEAR(b.v, y[i], 1e-10 * std::max(1.0, std::abs(y[i]))); // one function, twice
      double const off = std::abs(static_cast<double>(x[i]) - y[i]);
      ASSERT_LE(off, b.e) << names[leaf] << " " << i;
      worst = std::max(worst, off / b.e);
      error = std::max(error, off);
      largest = std::max(largest, std::abs(y[i]));
    }
    std::printf(
        "T = %d, gradient of %-12s largest %9.3g, largest error %8.2g, measured / bound %.2g\n",
        steps, names[leaf], largest, error, worst);
    EXPECT_GT(worst, 1e-4) << "the bound says nothing";
  }
  EXPECT_EQ(place, bound.size());
}

} // namespace
