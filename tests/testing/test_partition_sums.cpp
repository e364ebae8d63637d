// SPDX-License-Identifier: BSL-1.0
// build: alone
// Results that ranks combine: sums of small whole numbers, which every order rounds alike, through carries of
// loops, starts and biases; largest and smallest elements, NaN and both zeros among them.
#include "graph/dense_values.hpp"
#include "testing/partitioned_on_ranks.hpp"

#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace weft;
using test::inputs_of, test::on_ranks;

template <class... Args, class F> graph global(F const& f) { return canonical(record<Args...>(f)); }

// ---- gradients by weights that all steps use: carries of partial sums
using weights = tensor<float, 4, 4>;
using rows = tensor<float, 8, 4>;
template <scan_options O>
constexpr auto steps = [](auto w, auto start, auto xs) {
  auto const step = [w](auto h, auto x) {
    auto next = einsum<"bi,io->bo">(h, w) + x;
    return std::pair(next, next);
  };
  auto const [last, all] = scan<O>(step, start, xs);
  return sum(last) + sum(all);
};
template <scan_options O = scan_options{}>
constexpr auto step_gradients = [](auto w, auto h, auto xs) {
  return grad<0, 1>([&xs](auto a, auto b) { return steps<O>(a, b, xs); })(w, h);
};
template <class... Args, class F>
void expect_one_machine(F const& f, test::specs in, test::specs out) {
  graph const g = global<Args...>(f);
  growing<dense> inputs = inputs_of(g, true);
  for (int i = 0; i < inputs[0].size(); ++i) // few ones: products of all steps stay small
    inputs[0][i] = static_cast<word>(bits_of(i % 3 == 0 ? 1 : i % 5 == 0 ? -1 : 0, inputs[0].type));
  for (char const* mesh : {"data=2", "data=4"}) {
    on_ranks const r(g, mesh, in, out, inputs);
    EXPECT_EQ(r.differing(), 0) << mesh;
    EXPECT_GT(r.results[0][0].size(), 0);
  }
}
TEST(partitioned, gradients_by_constants_of_a_loop) {
  expect_one_machine<weights, rows, tensor<float, 3, 8, 4>>(step_gradients<>,
                                                            {"-", "data", "-,data"}, {"-", "data"});
  expect_one_machine<weights, rows, tensor<float, 3, 8, 4>>(
      step_gradients<>, {"data", "data", "-,data"}, {"data", "-"});
  expect_one_machine<weights, rows, tensor<float, 3, 8, 4>>(
      step_gradients<scan_options{.reverse = true}>, {"-", "data", "-,data"}, {"-", "data"});
  expect_one_machine<weights, rows, tensor<float, 3, 8, 4>>(
      step_gradients<scan_options{.save = residuals::nothing}>, {"-", "data", "-,data"},
      {"-", "data"});
  expect_one_machine<weights, rows, tensor<float, 0, 8, 4>>(step_gradients<>,
                                                            {"-", "data", "-,data"}, {"-", "data"});
}

// ---- carries that are added to, from a start that is not zero
template <scan_options O = scan_options{}>
constexpr auto totals = [](auto start, auto xs) {
  auto const add = [](auto total, auto x) { return std::pair(total + sum<0>(x), none); };
  return scan<O>(add, start, xs).first;
};
template <class T> void expect_totals() {
  using start = tensor<T, 4>;
  using series = tensor<T, 5, 8, 4>;
  for (char const* s : {"-", "data"}) {
    expect_one_machine<start, series>(totals<>, {s, "-,data"}, {"-"});
    expect_one_machine<start, series>(totals<scan_options{.reverse = true}>, {"-", "-,data"}, {s});
    expect_one_machine<start, tensor<T, 0, 8, 4>>(totals<>, {s, "-,data"}, {"-"});
  }
}
TEST(partitioned, carries_of_sums_begin_at_their_start_once) {
  expect_totals<float>();
  expect_totals<bf16>();
  expect_totals<f16>();
  expect_totals<std::int32_t>();
}

// ---- products with a start and a bias
graph product(dtype d, dtype result, bool start, dtype bias) {
  recorder r;
  auto input = [&r, k = 0](dtype type, extents const& s) mutable {
    return r.input(type, s, {k++, 0, false});
  };
  contraction const c = test::matrix_product(start, true);
  extents const out{2, {4, 4}};
  handle const a = input(d, {2, {4, 8}}), b = input(d, {2, {8, 4}}), n = input(bias, out);
  handle const s = start ? input(accumulator_of(d), out) : handle{};
  handle const y = contract(a, b, c, result, s, n);
  r.finish({&y, 1});
  return canonical(r.result);
}
TEST(partitioned, starts_and_biases_are_added_once) {
  for (dtype d : {dtype::f32, dtype::bf16, dtype::f16, dtype::f64})
    for (bool start : {false, true})
      for (dtype other : {d, accumulator_of(d)})
        for (char const* place : {"-", "data", "-,data"}) {
          graph const g = product(d, other, start, other);
          growing<dense> const inputs = inputs_of(g, true);
          on_ranks const r =
              start ? on_ranks(g, "data=4", {"-,data", "data", place, place}, {place}, inputs)
                    : on_ranks(g, "data=4", {"-,data", "data", place}, {place}, inputs);
          EXPECT_EQ(r.differing(), 0) << name_of(d) << " at " << place;
          EXPECT_GT(r.bytes(), 0);
        }
}

// ---- the largest and the smallest
TEST(partitioned, extremes_of_nan_and_zeros) {
  double const nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  double const kinds[] = {0.0, -0.0, 1, -1, inf, -inf, nan, -nan};
  for (dtype d : {dtype::f32, dtype::f64, dtype::f16, dtype::bf16})
    for (op code : {op::reduce_max, op::reduce_min})
      for (int few : {2, 6, 8}) { // zeros alone; without NaN; all
        recorder r;
        handle const x = r.input(d, {2, {8, 64}}, {0, 0, false});
        handle const y = reduce(code, x, 1);
        r.finish({&y, 1});
        graph const g = canonical(r.result);
        growing<dense> inputs;
        inputs.push(dense(d, {2, {8, 64}}));
        for (int i = 0; i < 512; ++i)
          inputs[0][i] = static_cast<word>(bits_of(kinds[(i * 37 + i / 11) % few], d));
        for (auto [mesh, in] : {std::pair("data=2", "data"), std::pair("data=4", "data"),
                                std::pair("data=2,model=2", "data*model")}) {
          on_ranks const whole(g, mesh, {in}, {"-"}, inputs);
          EXPECT_EQ(whole.differing(), 0) << name_of(d) << " " << name_of(code) << " of " << few;
          EXPECT_GT(whole.bytes(), 0);
          EXPECT_EQ(on_ranks(g, mesh, {in}, {"data"}, inputs).differing(), 0);
        }
      }
}

} // namespace
