// SPDX-License-Identifier: BSL-1.0
// check_finite, check_nan, debug_print and checked: what they say, in traces and on arrays; that
// values, derivatives and examples side by side pass unchanged; sound nodes only.
#include "recorded.hpp"
#include "support/text_of.hpp"

#include <weft/graph/print.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace {

using namespace weft;
using test::text_of, test::lines_of;
using row = tensor<float, 4>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

constexpr auto root_of_difference = [](auto a, auto b) {
  return check_nan<"root">(sqrt(a - b)) * 2;
};
template <class... X> growing<dense> inputs_of(X const&... x) {
  growing<dense> all;
  (for_each_leaf(x, [&all](auto const& leaf) { recorded::push(all, leaf); }), ...);
  return all;
}
std::string interpreted(graph_view g, row const& a, row const& b) {
  return text_of<value_error>([&] { test::meaning_of(g, inputs_of(a, b)); });
}

TEST(observe, says_which_element_it_is) {
  graph const g = record<row, row>(root_of_difference);
  EXPECT_FALSE(verify(g));
  EXPECT_EQ(
      interpreted(g, {1, 2, 3, 4}, {1, 2, 4, 4}),
      "weft: check_nan: root: element (2) of f32(4) is nan; look at what it is computed from");
  EXPECT_EQ(interpreted(g, {1, 2, 3, inf}, {1, 2, 3, 4}), "nothing thrown");
}
TEST(observe, of_arrays_at_once) {
  tensor<float, 2, 3> const x = {{1, 2, 3}, {4, inf, 6}};
  EXPECT_EQ(
      text_of<value_error>([&] { check_finite<"x">(x); }),
      "weft: check_finite: x: element (1, 1) of f32(2, 3) is inf; look at what it is computed "
      "from");
  EXPECT_EQ(check_nan(x)(1, 2), 6);
  EXPECT_EQ(text_of<value_error>([&] { check_nan(x * 0.0f); }).substr(0, 46),
            "weft: check_nan: element (1, 1) of f32(2, 3) i");
  tensor<std::int32_t, 2> const whole = {1, 2};
  EXPECT_EQ(check_finite(whole)(1), 2);
  static_assert(check_finite(row{1, 2, 3, 4})(3) == 4);
}
TEST(observe, prints_numbers_of_every_kind) {
  tensor<float, 2, 2> const x = {{0.1f, -2}, {inf, 1e-40f}};
  EXPECT_EQ(lines_of([&] { debug_print<"x">(x); }),
            "x: f32(2, 2) = 0.100000001 -2 inf 9.9999461e-41\n");
  EXPECT_EQ(lines_of([] { debug_print(tensor<bool, 2>{true, false}); }), "i1(2) = 1 0\n");
  EXPECT_EQ(lines_of([] { debug_print(tensor<std::uint64_t>{~std::uint64_t{0}}); }),
            "ui64() = 18446744073709551615\n");
  EXPECT_EQ(lines_of([] { debug_print(tensor<std::int8_t, 1>{-128}); }), "i8(1) = -128\n");
  EXPECT_EQ(lines_of([] { debug_print(tensor<double, 1>{0.1}); }),
            "f64(1) = 0.10000000000000001\n");
  EXPECT_EQ(lines_of([] { debug_print<"none">(tensor<float, 0>{}); }), "none: f32(0) =\n");
  EXPECT_EQ(lines_of([] { debug_print(eval(arange<std::int32_t, 20>())); }),
            "i32(20) = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 ...\n");
}
TEST(observe, in_a_program) {
  constexpr auto f = [](auto x) {
    auto body = [](auto c, auto) { return std::pair(debug_print<"c">(c * 2), none); };
    return scan<scan_options{.length = 2}>(body, x, none).first;
  };
  graph const g = record<tensor<float, 2>>(f);
  EXPECT_EQ(lines_of([&] {
              test::meaning_of(g, inputs_of(tensor<float, 2>{1, 3}));
            }),
            "c: f32(2) = 2 6\nc: f32(2) = 4 12\n");
}
TEST(observe, stands_in_the_graph) {
  graph const g = record<row>([](auto x) { return debug_print<"it's x">(check_finite(x)); });
  EXPECT_EQ(print(g), R"(%0 = parameter {0} : f32(4)
%1 = observe %0 {finite} : f32(4)
%2 = observe %1 {print "it's x"} : f32(4)
return %2
)");
}
TEST(observe, transforms_pass_through) {
  constexpr auto f = [](auto x) { return sum(check_nan<"f">(x * x)); };
  graph const g = record<row>(grad(f));
  auto const out = test::meaning_of(g, inputs_of(row{1, 2, 3, 4}));
  EXPECT_EQ(element_of_word<float>(out[0][3]), 8);
  graph const both = record<row, row>(jvp(f));
  EXPECT_EQ(element_of_word<float>(
                test::meaning_of(both, inputs_of(row{1, 2, 3, 4}, row{0, 1, 0, 0}))[1][0]),
            4);
  graph const examples = record<tensor<float, 2, 4>>(vmap(f));
  EXPECT_EQ(
      text_of<value_error>([&] {
        test::meaning_of(examples, inputs_of(tensor<float, 2, 4>{{1, 2, 3, 4}, {5, nan, 7, 8}}));
      }).substr(0, 49),
      "weft: check_nan: f: element (1, 1) of f32(2, 4) i");
  graph const low = record<row>(autocast<bf16>(f));
  EXPECT_FALSE(verify(low));
}
template <template <class, auto...> class array> struct weights {
  array<float, 4> w;
  array<std::int32_t> steps;
  array<float> b;
};
TEST(observe, structures_and_keys) {
  graph const g = record<weights<tensor>>([](auto p) { return check_finite<"p">(p); });
  int observed = 0;
  for (node const& n : g.nodes) observed += n.code == op::observe;
  EXPECT_EQ(observed, 2);
  weights<tensor> p{};
  p.b = nan;
  EXPECT_EQ(text_of<value_error>([&] { check_finite<"p">(p); }).substr(0, 44),
            "weft: check_finite: p: element () of f32() i");
  graph const drawn = record<key>([](auto k) { return uniform<4>(debug_print(k)); });
  EXPECT_FALSE(verify(drawn));
}

TEST(observe, checked_names_the_node) {
  constexpr auto f = [](auto x) { return sum(log(x) * 0.5f) + 1; };
  graph const g = record<row>(checked(f));
  EXPECT_FALSE(verify(g));
  EXPECT_EQ(
      text_of<value_error>([&] {
        test::meaning_of(g, inputs_of(row{1, 2, -3, 4}));
      }),
      "weft: check_nan: %1 log: element (2) of f32(4) is nan; look at what it is computed from");
  EXPECT_EQ(text_of<value_error>([&] {
              test::meaning_of(g, inputs_of(row{1, nan, -3, 4}));
            }).substr(0, 48),
            "weft: check_nan: %0 parameter: element (1) of f3");
  EXPECT_EQ(text_of<value_error>([&] {
              test::meaning_of(g, inputs_of(row{1, 0, 3, 4}));
            }),
            "nothing thrown");
  graph const strict = record<row>(checked<observation::finite>(f));
  EXPECT_EQ(
      text_of<value_error>([&] {
        test::meaning_of(strict, inputs_of(row{1, 0, 3, 4}));
      }),
      "weft: check_finite: %1 log: element (1) of f32(4) is -inf; look at what it is computed "
      "from");
}
// In the body of a loop, and of a gradient.
TEST(observe, checked_looks_into_loops) {
  constexpr auto f = [](auto x) {
    auto body = [](auto c, auto) { return std::pair(sqrt(c - 1), none); };
    return sum(scan<scan_options{.length = 3}>(body, x, none).first);
  };
  for (graph const& g : {record<row>(checked(f)), record<row>(checked(grad(f)))}) {
    EXPECT_FALSE(verify(g));
    std::string const text = text_of<value_error>([&] {
      test::meaning_of(g, inputs_of(row{100, 100, 100, 3}));
    });
    EXPECT_NE(text.find("sqrt: element (3) of f32(4)"), std::string::npos) << text;
  }
}

// A step that is not done looks at nothing, however constant what it would look at is.
TEST(observe, stays_where_it_is_done) {
  constexpr auto f = [](auto x, auto w) {
    auto body = [&](auto c, auto) { return std::pair(c * check_nan(w), none); };
    auto more = [](auto c) { return sum(c) < 0; };
    auto once = [&](auto c) { return debug_print<"c">(c * check_nan(w)); };
    return std::pair(scan<scan_options{.length = 0}>(body, x, none).first,
                     while_loop(more, once, x));
  };
  graph const g = optimise(record<row, row>(f));
  EXPECT_EQ(interpreted(g, {1, 2, 3, 4}, {1, nan, 1, 1}), "nothing thrown");
  constexpr auto constant = [](auto x, auto w) {
    auto body = [&](auto c, auto) { return std::pair(c * debug_print<"w">(w), none); };
    return scan<scan_options{.length = 3}>(body, x, none).first;
  };
  graph const loop = optimise(record<tensor<float>, tensor<float>>(constant));
  EXPECT_EQ(
      lines_of([&] { test::meaning_of(loop, inputs_of(tensor<float>(1), tensor<float>(2))); }),
      "w: f32() = 2\nw: f32() = 2\nw: f32() = 2\n");
}
// An example is looked at as long as it would be alone.
TEST(observe, passes_examples_that_are_done) {
  constexpr auto f = [](auto x) {
    return cond(
        x > 0.0f, [](auto v) { return check_nan(log(v)); }, [](auto v) { return v; }, x);
  };
  graph const g = record<row>(vmap(f));
  EXPECT_EQ(text_of<value_error>([&] {
              test::meaning_of(g, inputs_of(row{1, -2, 3, -4}));
            }),
            "nothing thrown");
  graph const inside = record<row>(vmap(checked(f)));
  EXPECT_EQ(text_of<value_error>([&] {
              test::meaning_of(inside, inputs_of(row{1, -2, 3, -4}));
            }),
            "nothing thrown");
  constexpr auto wrong = [](auto x) {
    return cond(
        x > 0.0f, [](auto v) { return check_nan(log(-v)); }, [](auto v) { return v; }, x);
  };
  graph const fails = record<row>(vmap(wrong));
  EXPECT_EQ(text_of<value_error>([&] {
              test::meaning_of(fails, inputs_of(row{-1, -2, 3, -4}));
            }).substr(0, 36),
            "weft: check_nan: element (2) of f32(");
}

} // namespace
