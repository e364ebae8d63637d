// SPDX-License-Identifier: BSL-1.0
// check_gradient: derivatives of functions in both modes against differences; and that it sees a
// wrong one.
#include "lang/recorded.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/distributions.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/indexing.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/sort.hpp>
#include <weft/lang/while.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/testing/check_gradient.hpp>

namespace {

using namespace weft;

gradient_report checked(graph const& g, growing<dense> const& in) {
  return check_gradient(
      g, in, [](graph_view p, growing<dense> const& x) { return test::meaning_of(p, x); });
}
template <class F, class... Args> void expect_right(F const& f, Args const&... args) {
  graph const g = canonical(record<Args...>(f));
  growing<dense> in;
  (recorded::push(in, args), ...);
  gradient_report const r = checked(g, in);
  EXPECT_TRUE(r.ok()) << r.text().c_str();
  EXPECT_GT(r.checked, 0);
}
tensor<double, 2, 3> const m = {{0.3, -1.2, 0.7}, {1.9, -0.4, 2.2}};
tensor<double, 3, 3> const q = {{1.5, -0.25, 0.75}, {0.5, 2.25, -1.0}, {0.125, 0.375, -1.75}};
tensor<int, 2> const rows_of = {2, 0};

TEST(check_gradient, of_reductions_products_and_movement) {
  expect_right([](auto a) { return std::pair(max<1>(a), min<0>(a) * sum(a)); }, m);
  expect_right([](auto a) { return prod<0>(a) + at<"::-1">(prod<0>(a * a)); }, m);
  expect_right([](auto a, auto b) { return einsum<"ij,jk->ik">(a, b); }, m, q);
  expect_right([](auto b) { return einsum<"ii->i">(b) * einsum<"ii->">(b); }, q);
  expect_right([](auto a) { return tanh(transpose(a)) + set<"1:, 0">(transpose(a), 2.0); }, m);
}
TEST(check_gradient, of_sorting_and_places) {
  expect_right([](auto a) { return sort<1>(a) * a; }, m);
  expect_right([](auto b, auto i) { return take<0>(b, i) * 3.0; }, q, rows_of);
}
TEST(check_gradient, of_loops_branches_and_draws) {
  auto const loop = [](auto b, auto a) {
    auto const step = [&](auto c, auto x) {
      auto n = tanh(einsum<"j,jk->k">(c, b) + x);
      return std::pair(n, sum(n * x));
    };
    return scan(step, at<"0">(a), a);
  };
  expect_right(loop, q, m);
  auto const branch = [](auto a) {
    auto const p = sum(a) > 0.0;
    return cond(
        p, [&] { return a * a; }, [&] { return exp(a); });
  };
  expect_right(branch, m);
  expect_right([&](auto a) { return branch(-a); }, m);
  auto const capped = [](auto a) {
    return while_loop<while_options{.most = 5}>([](auto s) { return sum(s * s) < 60.0; },
                                                [](auto s) { return s * 1.5 + sin(s); }, a);
  };
  expect_right(capped, m);
  expect_right([](auto a, auto k) { return a * normal<double, 2, 3>(k); }, m, weft::key(3));
}
TEST(check_gradient, finds_what_is_wrong) {
  graph const g = canonical(
      record<tensor<double, 2, 3>>([](auto a) { return a * a + stop_gradient(at<"1, 2">(a)); }));
  growing<dense> in;
  recorded::push(in, m);
  gradient_report const r = checked(g, in);
  EXPECT_FALSE(r.ok());
  EXPECT_EQ(r.index, 5);
  EXPECT_EQ(r.input.argument, 0);
  EXPECT_LT(r.derivative, r.quotient - 1);
  EXPECT_EQ(r.checked, 6);
}

} // namespace
