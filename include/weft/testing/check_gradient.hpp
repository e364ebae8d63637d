// SPDX-License-Identifier: BSL-1.0
// check_gradient: derivatives of a graph, in both modes, against central differences in float64.
//   s(x) = sum of u y over all elements y of float outputs, u fixed numbers between 1/8 and 1
//   D(k) = (s(x + k h) - s(x - k h)) / 2 k h, element by element of x, h = 2^-10 max(1, |x|)
//          rounded to a power of two
//   fine = (4 D(1) - D(2)) / 3, coarse = (4 D(2) - D(4)) / 3
// Both are of fourth order: coarse errs 16 times as much as fine, so |coarse - fine| is 15 times
// fine's truncation. One evaluation of s errs by at most E = ulps 2^-53 (sum of |u y|), which makes
// 1.5 E / h of fine and 0.75 E / h of coarse. The bound is
//   |coarse - fine| + 2.25 E / h + ulps 2^-53 (|fine| + |derivative|)
// Needs: a verified graph whose float inputs and outputs are all float64; points away from kinks
// and poles by more than 4 h. `ulps`: how far off one evaluation may be; more where large numbers
// cancel inside the function. A mode that the function lacks is left out: reverse mode of a loop of
// unknown length, forward mode of custom_vjp, modes that a custom_call has no rule for; if both are, that is an error.
// Leaves: a report; nothing is thrown for a derivative that is wrong.
#pragma once

#include <weft/core/error.hpp>
#include <weft/graph/dense.hpp>
#include <weft/run/checked_trace.hpp>
#include <weft/transform/grad.hpp>
#include <weft/transform/jvp.hpp>

#include <cmath>
#include <cstdio>

namespace weft::inline v0 {

struct gradient_report {
  int checked = 0; // elements, each in the modes that the function has:
  bool has_forward = true, has_reverse = true;
  double worst = 0;     // the largest |derivative - quotient| / bound: ok up to 1
  bool forward = false; // the worst one was found in forward mode
  input_info input;     // of which argument and leaf,
  int index = -1;       // row-major: which element
  double derivative = 0, quotient = 0, bound = 0;

  bool ok() const { return worst <= 1; }
  explicit operator bool() const { return ok(); }
  message text() const {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers,
                  ": derivative %.17g (%s mode), quotient %.17g, bound %.3g", derivative,
                  forward ? "forward" : "reverse", quotient, bound);
    message m(ok() ? "gradient as expected; closest to its bound: argument "
                   : "gradient differs: argument ");
    m.add(input.argument).add(" leaf ").add(input.leaf).add(" element ").add(index).add(numbers);
    if (!has_forward) m.add("; there is no forward mode");
    if (!has_reverse) m.add("; there is no reverse mode");
    return m;
  }
};

namespace detail {

// `run(graph, inputs)` gives the outputs: interpret, or whatever executes graphs.
template <class Run> class gradient_check {
public:
  gradient_check(graph_view g, growing<dense> const& at, double ulps, Run const& run)
      : g_(g), at_(at), relative_(ulps * 0x1p-53), run_(run) {}

  gradient_report report() {
    for (int i = 0; i < at_.size(); ++i)
      if (at_[i].type == dtype::f64) wrt_.push(i);
    for (int i = 0; i < at_.size(); ++i)
      if (is_float(at_[i].type) && at_[i].type != dtype::f64) refuse();
    growing<dense> const values = run_(g_, at_);
    for (dense const& y : values) add_weights(y);
    graph const reverse = vjp(g_, wrt_), forward = jvp(g_, wrt_);
    report_.has_reverse = reverse.error != trace_error::while_reversed &&
                          reverse.error != trace_error::host_reverse;
    report_.has_forward = !report_.has_reverse || (forward.error != trace_error::custom_forward &&
                                                   forward.error != trace_error::host_forward);
    if (report_.has_reverse) checked_trace(reverse);
    if (report_.has_forward) checked_trace(forward);
    growing<dense> arguments(at_), gradients;
    arguments.append(weights_);
    if (report_.has_reverse) gradients = run_(reverse, arguments);
    for (int k = 0; k < wrt_.size(); ++k)
      for (int i = 0; i < at_[wrt_[k]].size(); ++i)
        check(k, i, report_.has_reverse ? number(gradients[values.size() + k], i) : 0,
              report_.has_forward ? pushed(forward, values.size(), k, i) : 0);
    return report_;
  }

private:
  [[noreturn]] static void refuse() {
    raise<usage_error>("weft: check_grad: a float leaf is not double; give doubles");
  }
  static double number(dense const& d, int i) { return element_of_word<double>(d[i]); }

  void add_weights(dense const& y) {
    if (!is_float(y.type)) return;
    if (y.type != dtype::f64) refuse();
    dense u(dtype::f64, y.shape);
    for (int i = 0; i < u.size(); ++i)
      u[i] = word_of((1 + (5 * i + 3 * weights_.size()) % 8) / 8.0);
    weights_.push(std::move(u));
  }
  // Sum of u y, and of |u y|; outputs stand at `first`, those that are no floats left out.
  struct sums {
    double signed_sum = 0, size = 0;
  };
  sums weighted(growing<dense> const& outputs, int first, int count) const {
    sums s;
    for (int k = first, w = 0; k < first + count; ++k) {
      if (!is_float(outputs[k].type)) continue;
      for (int i = 0; i < outputs[k].size(); ++i) {
        double const term = number(weights_[w], i) * number(outputs[k], i);
        s.signed_sum += term;
        s.size += std::fabs(term);
      }
      ++w;
    }
    return s;
  }
  double pushed(graph_view forward, int values, int k, int i) const {
    growing<dense> arguments(at_);
    for (int j : wrt_) arguments.push(dense(dtype::f64, at_[j].shape));
    arguments[at_.size() + k][i] = word_of(1.0);
    return weighted(run_(forward, arguments), values, weights_.size()).signed_sum;
  }
  // (s(x + by) - s(x - by)) / the distance of the two points, which rounding changes.
  double difference(int k, int i, double by) {
    double const x = number(at_[wrt_[k]], i), above = x + by, below = x - by;
    sums const up = evaluated(k, i, above), down = evaluated(k, i, below);
    size_ = std::fmax(size_, std::fmax(up.size, down.size));
    return (up.signed_sum - down.signed_sum) / (above - below);
  }
  sums evaluated(int k, int i, double x) const {
    growing<dense> moved(at_);
    moved[wrt_[k]][i] = word_of(x);
    growing<dense> const outputs = run_(g_, moved);
    return weighted(outputs, 0, outputs.size());
  }
  void check(int k, int i, double reverse, double forward) {
    double const x = std::fabs(number(at_[wrt_[k]], i));
    double const h = std::ldexp(1.0, x > 1 ? std::ilogb(x) - 10 : -10);
    size_ = 0;
    double const one = difference(k, i, h), two = difference(k, i, 2 * h),
                 four = difference(k, i, 4 * h);
    double const fine = (4 * one - two) / 3, coarse = (4 * two - four) / 3;
    double const bound = std::fabs(coarse - fine) + 2.25 * relative_ * size_ / h;
    if (report_.has_reverse) note(k, i, false, reverse, fine, bound);
    if (report_.has_forward) note(k, i, true, forward, fine, bound);
    ++report_.checked;
  }
  void note(int k, int i, bool forward, double derivative, double quotient, double bound) {
    bound += relative_ * (std::fabs(quotient) + std::fabs(derivative));
    double const off = std::fabs(derivative - quotient);
    double ratio = off <= bound ? (bound > 0 ? off / bound : 0) : off / bound;
    if (!(ratio >= 0)) ratio = HUGE_VAL; // NaN on either side
    if (report_.index >= 0 && ratio <= report_.worst) return;
    report_.worst = ratio;
    report_.forward = forward;
    report_.input = g_.inputs[wrt_[k]];
    report_.index = i;
    report_.derivative = derivative;
    report_.quotient = quotient;
    report_.bound = bound;
  }

  graph_view const g_;
  growing<dense> const at_;
  double const relative_;
  Run const& run_;
  growing<int> wrt_;
  growing<dense> weights_;
  double size_ = 0; // of the terms of s, near the element that is checked
  gradient_report report_;
};

} // namespace detail

// Of all float inputs of g at `inputs`; run(graph_view, growing<dense>) -> growing<dense>.
template <class Run>
gradient_report check_gradient(graph_view g, growing<dense> const& inputs, Run const& run,
                               double ulps = 64) {
  return detail::gradient_check<Run>(g, inputs, ulps, run).report();
}

} // namespace weft::inline v0
