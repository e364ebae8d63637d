// SPDX-License-Identifier: BSL-1.0
// check_grad at its door: structs, keys and numbers as arguments; reports and errors.
#include <weft/testing/check_grad.hpp>

#include <weft/lang/custom_vjp.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/while.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using weft::tensor;

template <template <class, auto...> class array> struct layer {
  array<double, 3> w;
  array<int, 3> counts;
  array<double> b;
};
layer<tensor> const some = {{0.5, -1.25, 2}, {1, 2, 3}, 0.75};

TEST(check_grad, of_a_struct_a_key_and_a_number) {
  auto const f = [](auto p, auto k, auto x) {
    return std::pair(tanh(p.w * x) + weft::uniform<double, 3>(k) * p.b, p.counts);
  };
  weft::gradient_report const r = weft::check_grad(f, some, weft::key(5), 1.5);
  EXPECT_TRUE(r.ok()) << r.text().c_str();
  EXPECT_EQ(r.checked, 5); // w, b and x
}
TEST(check_grad, reports_the_worst_element) {
  auto const wrong = [](auto p) { return p.w * p.w + weft::stop_gradient(p.b) * p.b; };
  weft::gradient_report const r = weft::check_grad(weft::check_options{.ulps = 1000}, wrong, some);
  EXPECT_FALSE(r);
  EXPECT_EQ(r.input.leaf, 2);
  EXPECT_EQ(r.index, 0);
  std::string const text = r.text().c_str();
  EXPECT_EQ(text.find("gradient differs: argument 0 leaf 2 element 0: derivative "), 0u) << text;
}
TEST(check_grad, leaves_out_the_mode_that_a_function_lacks) {
  auto const steps = [](auto x) {
    return weft::while_loop([](auto y) { return y < 9; }, [](auto y) { return y * y; }, x);
  };
  auto const rule = [](double factor) {
    return weft::custom_vjp([](auto x) { return x * x; },
                            [](auto x) { return std::pair(x * x, x); },
                            [factor](auto x, auto ct) { return ct * x * factor; });
  };
  auto const right = rule(2), wrong = rule(3);
  weft::gradient_report const of_steps = weft::check_grad(steps, 1.5);
  EXPECT_TRUE(of_steps.ok() && of_steps.has_forward && !of_steps.has_reverse);
  EXPECT_TRUE(std::string(of_steps.text().c_str()).ends_with("; there is no reverse mode"));
  weft::gradient_report const of_rule = weft::check_grad(right, 1.5);
  EXPECT_TRUE(of_rule.ok() && !of_rule.has_forward && of_rule.has_reverse);
  EXPECT_FALSE(weft::check_grad(wrong, 1.5));
  auto const neither = [&](auto x) { return right(steps(x)); };
  EXPECT_THROW(weft::check_grad(neither, 1.5), weft::usage_error);
}
TEST(check_grad, wants_doubles) {
  EXPECT_THROW(weft::check_grad([](auto x) { return x * x; }, 2.0f), weft::usage_error);
}

} // namespace
