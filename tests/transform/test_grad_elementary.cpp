// SPDX-License-Identifier: BSL-1.0
// build: alone
// Derivatives of every elementwise op of floats, in a loop over the op table: the gradient in the
// interpreter (float64) against a difference quotient of fourth order; forward mode has its bits.
#include "support/meaning.hpp"

#include <weft/graph/interpret.hpp>
#include <weft/graph/verify.hpp>
#include <weft/transform/grad.hpp>
#include <weft/transform/jvp.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace weft;

// Where the op is differentiable, away from steps.
constexpr double between_poles[] = {-2.4, -1.45, 0.3, 1.2, 3.7};
double operand_of(op o, int which, int point) {
  double const u = 0.17 + 0.13 * point; // in (0.1, 0.9)
  switch (o) {
    case op::acosh: return 1 + 2 * u;
    case op::pow: return which == 0 ? 0.4 + u : 3 * u - 1;
    case op::zeta: return which == 0 ? 3 : 0.5 + 2 * u;
    case op::polygamma: return which == 0 ? 2 : 0.5 + 2 * u;
    case op::remainder:
    case op::mod_floor: return which == 0 ? -7.31 + 0.01 * u : 2.3 + 0.1 * u;
    case op::lgamma:
    case op::digamma: return between_poles[point];
    default: return which == 1 ? -0.4 - 0.5 * u : u;
  }
}
double value_of(graph_view g, double const* x) {
  growing<dense> in;
  for (int k = 0; k < g.parameters_of(0).size(); ++k) in.push(dense(dtype::f64, {}, word_of(x[k])));
  return element_of_word<double>(test::meaning_of(g, in)[0][0]);
}
// The order of polygamma and the exponent of zeta count as constants.
bool is_constant(op o, int k) { return k == 0 && (o == op::zeta || o == op::polygamma); }

void check(op o, int point) {
  recorder r;
  growing<handle> in;
  int const arity = info_of(o).arity;
  for (int k = 0; k < arity; ++k) in.push(r.input(dtype::f64, {}, {k, 0, false}));
  handle const y = r.emit(o, dtype::f64, {}, in);
  r.finish({&y, 1});
  graph const g = std::move(r.result);
  double x[3];
  int wrt[3];
  for (int k = 0; k < arity; ++k) x[k] = operand_of(o, k, point), wrt[k] = k;
  graph const d = value_and_grad(g, {wrt, arity});
  ASSERT_FALSE(verify(d)) << name_of(o);
  growing<dense> inputs;
  for (int k = 0; k < arity; ++k) inputs.push(dense(dtype::f64, {}, word_of(x[k])));
  growing<dense> const out = test::meaning_of(d, inputs);
  for (int k = 0; k < arity; ++k) {
    growing<dense> pushed(inputs);
    pushed.push(dense(dtype::f64, {}, word_of(1.0)));
    EXPECT_EQ(test::meaning_of(jvp(g, {wrt + k, 1}), pushed)[1], out[1 + k]) << name_of(o) << k;
    if (is_constant(o, k)) continue;
    auto at = [&](double by) {
      double moved[3] = {x[0], arity > 1 ? x[1] : 0, arity > 2 ? x[2] : 0};
      moved[k] += by;
      return value_of(g, moved);
    };
    double const h = 1.0 / 1024;
    double const quotient = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    double const gradient = element_of_word<double>(out[1 + k][0]);
    EXPECT_NEAR(gradient, quotient, (o == op::erfinv ? 1e-7 : 1e-8) * (1 + std::fabs(quotient)))
        << name_of(o) << " operand " << k << " at " << x[k];
  }
}

TEST(grad_elementary, every_float_op_has_the_derivative_of_its_values) {
  int checked = 0;
  for (int code = 0; code < op_count; ++code) {
    auto const o = static_cast<op>(code);
    op_info const& info = info_of(o);
    if (info.kind != op_kind::elementwise || info.result != type_rule::same) continue;
    if (!accepts(info.accepts, dtype::f64)) continue;
    if (o == op::stop_gradient || o == op::floor_divide) continue; // constant by definition; steps
    ++checked;
    for (int point = 0; point < 5; ++point) check(o, point);
  }
  EXPECT_GE(checked, 40);
}

// What a rule treats apart.
double gradient_at(op o, int k, double a, double b) {
  recorder r;
  growing<handle> in;
  for (int i = 0; i < 2; ++i) in.push(r.input(dtype::f64, {}, {i, 0, false}));
  handle const y = r.emit(o, dtype::f64, {}, in);
  r.finish({&y, 1});
  int const wrt[] = {0, 1};
  graph const d = value_and_grad(r.result, {wrt, 2});
  growing<dense> inputs;
  inputs.push(dense(dtype::f64, {}, word_of(a)));
  inputs.push(dense(dtype::f64, {}, word_of(b)));
  return element_of_word<double>(test::meaning_of(d, inputs)[1 + k][0]);
}
TEST(grad_elementary, at_the_edges) {
  EXPECT_EQ(gradient_at(op::pow, 0, 0, 0), 0);
  EXPECT_EQ(gradient_at(op::pow, 0, 0, 1), 1);
  EXPECT_EQ(gradient_at(op::pow, 1, 0, 2), 0);
  EXPECT_EQ(gradient_at(op::pow, 0, -3, 2), -6);
  EXPECT_EQ(gradient_at(op::hypot, 0, 0, 0), 0);
  EXPECT_EQ(gradient_at(op::atan2, 0, 0, 1), 1);
  EXPECT_EQ(gradient_at(op::copysign, 0, 3, -1), -1);
}

} // namespace
