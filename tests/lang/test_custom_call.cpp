// SPDX-License-Identifier: BSL-1.0
// custom_call in graphs: its text, derivatives of all kinds, examples, autocast, and what it does not
// have.
#include "recorded.hpp"
#include "support/host_functions.hpp"
#include "support/text_of.hpp"

#include <weft/graph/print.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/elementary.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/jacobian.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/observe.hpp>
#include <weft/lang/products.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/scan.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/vmap.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/testing/check_gradient.hpp>

namespace {

using namespace weft;
using recorded::list, recorded::values;

constexpr sym rows{"rows"};
constexpr auto norms = [](auto x) { return custom_call<test::row_norms>(x); };

TEST(custom_call, stands_in_the_graph) {
  auto const f = [](auto x, auto s) {
    auto [size, sign] = custom_call<test::split_sign>(x, s);
    return std::pair(custom_call<test::row_norms>(outer(size, size)), sign);
  };
  graph const g = canonical(record<tensor<float, rows>, tensor<float>>(f));
  EXPECT_FALSE(verify(g));
  std::string const text = print(g);
  EXPECT_EQ(text.substr(0, text.find("%4")), "%0 = parameter {0} : f32(rows)\n"
                                             "%1 = parameter {1} : f32()\n"
                                             "%2 = custom_call %0 %1 {split_sign}\n"
                                             "%3 = get %2 {0} : f32(rows)\n");
  EXPECT_NE(text.find(" {row_norms}\n"), std::string::npos) << text;
  graph const many = canonical(record<tensor<float, 7, rows, 2>>(vmap(norms)));
  EXPECT_FALSE(verify(many));
  EXPECT_EQ(print(many), "%0 = parameter {0} : f32(7, rows, 2)\n"
                         "%1 = custom_call %0 {row_norms, batch axes 1}\n"
                         "%2 = get %1 {0} : f32(7, rows)\n"
                         "return %2\n");
}

// Against differences, in both modes, and again of the gradient.
template <class... A, class F> void expect_derivatives(F const& f, A const&... a) {
  graph const g = canonical(record<A...>(f));
  ASSERT_EQ(g.error, trace_error::clean);
  growing<dense> inputs;
  (recorded::push(inputs, a), ...);
  auto const report = check_gradient(
      g, inputs, [](graph_view p, growing<dense> const& in) { return test::meaning_of(p, in); },
      64);
  EXPECT_TRUE(report) << report.text().c_str();
  EXPECT_TRUE(report.has_forward && report.has_reverse);
}
using matrix = tensor<double, 2, 3>;
matrix const some = {{1, 2, 2.5}, {3, -4, 1}};
TEST(custom_call, derivatives) {
  auto const scaled = [](auto x) { return custom_call<test::row_norms>(x * x) * 3; };
  expect_derivatives(scaled, some);
  auto const total = [&](auto x) { return sum(scaled(x) * scaled(x)); };
  expect_derivatives(grad(total), some);
  tensor<double, 4> const x = {-1, 2, -3, 0.5};
  auto const pairs = [](auto v, auto s) {
    auto [size, sign] = custom_call<test::split_sign>(v * v - 1, s * s);
    return size * convert<double>(sign);
  };
  expect_derivatives(pairs, x, tensor<double>(1.5));
}
TEST(custom_call, derivatives_of_examples) {
  tensor<double, 2, 2, 3> const x = {{{1, 2, 2.5}, {3, -4, 1}}, {{0.5, 1, 1}, {2, 2, -1}}};
  expect_derivatives(vmap(norms), x);
  expect_derivatives(
      vmap<1>(vmap<1>([](auto v) { return custom_call<test::row_norms>(at<"new">(v)); })), x);
  // The map of the gradient is the gradient of the map, bit for bit.
  auto const one = [](auto v) { return sum(custom_call<test::row_norms>(v)); };
  auto const all = [&](auto v) { return sum(vmap(one)(v)); };
  EXPECT_EQ(values<double>(vmap(grad(one)), x), values<double>(grad(all), x));
  auto const pairs = [](auto v, auto s) { return custom_call<test::split_sign>(v, s).first; };
  tensor<double, 2, 3> const y = {{-1, 2, -3}, {0.5, -1, 4}};
  expect_derivatives(vmap(pairs), y, tensor<double, 2>{2, 3});
  expect_derivatives(vmap<0, none>(pairs), y, tensor<double>(2));
}
TEST(custom_call, derivatives_through_loops) {
  tensor<double, 3, 2, 2> const x = {{{1, 2}, {3, -4}}, {{0.5, 1}, {2, 2}}, {{1, 1}, {1, 0.5}}};
  auto const steps = [](auto v) {
    auto body = [](auto c, auto e) {
      auto n = custom_call<test::row_norms>(c + e);
      return std::pair(c + at<":, new">(n) / 8, n);
    };
    return scan(body, zeros_like(at<"0">(v)), v).second;
  };
  expect_derivatives(steps, x);
  // What a step gave is kept: the way back calls nothing.
  graph const g = record<tensor<double, 3, 2, 2>>(grad([&](auto v) { return sum(steps(v)); }));
  int calls = 0;
  for (node const& n : canonical(g).nodes) calls += n.code == op::custom_call;
  EXPECT_EQ(calls, 1);
}
TEST(custom_call, without_a_rule) {
  using row = tensor<float, 3>;
  auto const f = [](auto x) { return sum(custom_call<test::refusing>(x)); };
  EXPECT_EQ(record<row>(grad(f)).error, trace_error::host_reverse);
  EXPECT_EQ((record<row, row>(jvp(f)).error), trace_error::host_forward);
  auto const stopped = [](auto x) {
    return sum(custom_call<test::refusing>(stop_gradient(x)) * x);
  };
  EXPECT_EQ(values<float>(grad(stopped), row{1, 2, 3}), (list<float>{1, 2, 3}));
  auto const unread = [](auto x) {
    static_cast<void>(custom_call<test::refusing>(x));
    return sum(x);
  };
  EXPECT_EQ(values<float>(grad(unread), row{1, 2, 3}), (list<float>{1, 1, 1}));
}
// checked looks at what a host function gives, too.
TEST(custom_call, is_checked) {
  graph const g = canonical(record<tensor<float, 2, 3>>(checked(norms)));
  int seen = 0;
  for (int id = 0; id < g.size(); ++id)
    seen += g[id].code == op::observe && g[graph_view(g).operand(id, 0)].code == op::get;
  EXPECT_EQ(seen, 1);
}
// The declared type inside autocast, whatever the operand has become.
TEST(custom_call, in_autocast) {
  auto const f = [](auto x) { return custom_call<test::row_norms>(einsum<"ij,jk->ik">(x, x)); };
  tensor<float, 2, 2> const x = {{1, 2}, {3, 4}};
  graph const g = record<tensor<float, 2, 2>>(autocast<bf16>(f));
  EXPECT_FALSE(verify(g));
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code != op::custom_call) continue;
    EXPECT_EQ(g[graph_view(g).operand(id, 0)].type, dtype::f32);
  }
  EXPECT_EQ(values<float>(autocast<bf16>(f), x), values<float>(f, x)); // small integers
}

// Numbers of other types than floats, and to other types, are what they are without autocast.
TEST(autocast_of_numbers, keeps_what_is_no_float) {
  tensor<float, 2> const x = {1, 2};
  tensor<int, 2> const i = {0, 0};
  auto const count = [](auto a, auto n) {
    return a * convert<float>(full_like(n, 3)) * convert<float>(is_finite(n));
  };
  EXPECT_EQ(values<float>(autocast<bf16>(count), x, i), (list<float>{3, 6}));
  EXPECT_EQ(values<float>(autocast<f16>(count), x, i), (list<float>{3, 6}));
  auto const whole = [](auto a) { return convert<int>(full_like(a, 2.5f)); };
  EXPECT_EQ(values<int>(autocast<bf16>(whole), x), (list<int>{2, 2}));
  auto const truth = [](auto a) { return convert<bool>(ones_like(a)); };
  EXPECT_EQ(values<bool>(autocast<bf16>(truth), x), (list<bool>{true, true}));
  for (int number : {7, 32000, 100000, -1}) {
    auto const draws = [=](auto k) { return uniform<2>(fold_in(k, number)); };
    EXPECT_EQ(values<float>(autocast<bf16>(draws), key(0)), values<float>(draws, key(0))) << number;
  }
}

} // namespace
