// SPDX-License-Identifier: BSL-1.0
// Gradients of float64 and float16 leaves, loops and products included; autocast leaves float64 and
// integers of any width as they are.
#include "lang/recorded.hpp"
#include "support/meaning.hpp"

#include <weft/lang/einsum.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/transform/autocast.hpp>

#include <cmath>

namespace {

using recorded::list, recorded::numbers, recorded::run;
using weft::dtype, weft::einsum, weft::f16, weft::tensor;

constexpr auto loss = [](auto x, auto w) {
  auto h = einsum<"i,ij->j">(x, w);
  auto [last, none] = weft::scan<weft::scan_options{.length = 3}>(
      [&](auto c, auto) { return std::pair(c * x, weft::none); }, h, weft::none);
  return sum(exp(h * 0.1) + last);
};
// (e^(s / 10) + x0^3 s) + ..., s = x w, at w = identity: h = x.
template <class T> std::vector<T> gradient(std::vector<T>& value) {
  tensor<T, 2> x = {1, 2};
  tensor<T, 2, 2> w = {{1, 0}, {0, 1}};
  auto const out = run(weft::value_and_grad(loss), x, w);
  value = numbers<T>(out[0]);
  return numbers<T>(out[1]);
}
TEST(gradients, of_float64_are_float64) {
  std::vector<double> value, g = gradient<double>(value);
  EXPECT_DOUBLE_EQ(value[0], std::exp(0.1) + 1 + std::exp(0.2) + 16);
  EXPECT_DOUBLE_EQ(g[0], 0.1 * std::exp(0.1) + 4);
  EXPECT_DOUBLE_EQ(g[1], 0.1 * std::exp(0.2) + 32);
}
TEST(gradients, of_float16_are_float16) {
  std::vector<f16> value, g = gradient<f16>(value);
  EXPECT_NEAR(static_cast<float>(g[0]), 0.1 * std::exp(0.1) + 4, 0.01);
  EXPECT_NEAR(static_cast<float>(g[1]), 0.1 * std::exp(0.2) + 32, 0.05);
}

template <class... A, class F> weft::graph recorded_low(F const& f, dtype low) {
  return weft::autocast(weft::record<A...>(f), low);
}
bool has_type(weft::graph_view g, dtype d) {
  for (int id = 0; id < g.size(); ++id)
    if (g[id].type == d) return true;
  return false;
}
TEST(autocast, leaves_float64_alone) {
  auto f = [](auto x) { return sum(exp(einsum<"i,i->i">(x, x)) / 3); };
  for (dtype low : {dtype::bf16, dtype::f16}) {
    weft::graph const g = recorded_low<tensor<double, 4>>(f, low);
    EXPECT_FALSE(weft::verify(g));
    EXPECT_FALSE(has_type(g, low) || has_type(g, dtype::f32));
  }
}
TEST(autocast, runs_products_in_float16) {
  auto f = [](auto x, auto n) { return sum(einsum<"i,i->">(x, x) + convert<float>(n + 1)); };
  weft::graph const g = recorded_low<tensor<float, 4>, tensor<std::int8_t, 2>>(f, dtype::f16);
  EXPECT_FALSE(weft::verify(g));
  EXPECT_TRUE(has_type(g, dtype::f16) && has_type(g, dtype::i8));
  weft::growing<weft::dense> in;
  recorded::push(in, tensor<float, 4>{1, 2, 3, 4});
  recorded::push(in, tensor<std::int8_t, 2>{126, 127});
  EXPECT_EQ(numbers<float>(test::meaning_of(g, in)[0]), (list<float>{30 + 127 + 30 - 128}));
}

} // namespace
