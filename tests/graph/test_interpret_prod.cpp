// SPDX-License-Identifier: BSL-1.0
// Products, minima, and reductions of bool against plain loops; empty ones; gradients.
#include "dense_values.hpp"
#include "transform/grad_support.hpp"

#include <limits>
#include <vector>

namespace {

using namespace test;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

constexpr dense reduced(op code, dense const& x, extent axes = 1) {
  return node_value(code, x.type, without_axes(x.shape, axes), {x}, {axes});
}
constexpr dense empty(dtype d) { return dense(d, dims({0})); }

static_assert(reduced(op::reduce_prod, vector({3, 5, -2})) == scalar_value(-30));
static_assert(reduced(op::reduce_prod, vector({0x10000u, 0x10001u})) == scalar_value(0x10000u));
static_assert(reduced(op::reduce_prod, vector({1.5f, -0.0f})) == scalar_value(-0.0f));
static_assert(reduced(op::reduce_min, vector({0.0f, -0.0f, 0.0f})) == scalar_value(-0.0f));
static_assert(reduced(op::reduce_min, array<int>({2, 2}, {4, -1, 2, 7}), 0b01) == vector({2, -1}));
static_assert(reduced(op::reduce_min, vector({true, false})) == scalar_value(false));
static_assert(reduced(op::reduce_max, vector({true, false})) == scalar_value(true));
// Of nothing.
static_assert(reduced(op::reduce_prod, empty(dtype::f32)) == scalar_value(1.0f));
static_assert(reduced(op::reduce_prod, empty(dtype::i32)) == scalar_value(1));
static_assert(reduced(op::reduce_min, empty(dtype::f32)) == scalar_value(inf));
static_assert(reduced(op::reduce_min, empty(dtype::i32)) == scalar_value(INT32_MAX));
static_assert(reduced(op::reduce_min, empty(dtype::u32)) == scalar_value(0xffffffffu));
static_assert(reduced(op::reduce_min, empty(dtype::boolean)) == scalar_value(true));  // all
static_assert(reduced(op::reduce_max, empty(dtype::boolean)) == scalar_value(false)); // any

TEST(interpret_reduce, minimum_keeps_nan) {
  float const m = element_of_word<float>(reduced(op::reduce_min, vector({1.0f, nan, -inf}))[0]);
  EXPECT_NE(m, m);
}

// The canonical order a second time, over plain floats.
float tree(float* lane) {
  for (int half : {32, 16, 8, 4, 2, 1})
    for (int i = 0; i < half; ++i) lane[i] *= lane[i + half];
  return lane[0];
}
float block(float const* x, int n) {
  float lane[64];
  for (float& l : lane) l = 1;
  for (int i = 0; i < n; ++i) lane[i % 64] *= x[i];
  return tree(lane);
}
float canonical(std::vector<float> const& x) {
  int const n = static_cast<int>(x.size());
  if (n <= 16384) return block(x.data(), n);
  std::vector<float> blocks;
  for (int i = 0; i < n; i += 16384) blocks.push_back(block(x.data() + i, std::min(16384, n - i)));
  return canonical(blocks);
}
TEST(interpret_reduce, product_has_the_canonical_order) {
  for (int n : {1, 63, 64, 65, 130, 1000, 16384, 16385, 40000}) {
    std::vector<float> x;
    dense d(dtype::f32, dims({n}));
    for (int i = 0; i < n; ++i) {
      x.push_back((i % 2 == 0 ? 1.0f : -1.0f) * (1 + static_cast<float>(i * 37 % 101 - 50) / 4096));
      d[i] = word_of(x.back());
    }
    EXPECT_EQ(reduced(op::reduce_prod, d)[0], word_of(canonical(x))) << n;
  }
}
// bf16 multiplies in float and rounds once.
TEST(interpret_reduce, product_of_bf16_rounds_once) {
  bf16 const x(1.0078125f);
  float const exact = 1.0078125f * 1.0078125f * (1.0078125f * 1.0078125f);
  EXPECT_EQ(reduced(op::reduce_prod, vector({x, x, x, x}))[0], bf16(exact).bits);
}

TEST(grad, of_products_and_minima) {
  using grad_support::f32, grad_support::list;
  for (op code : {op::reduce_prod, op::reduce_min, op::reduce_max}) {
    auto const f = [&](recorder&, view<handle> x) {
      return list({grad_support::probe(reduce(code, x[0], 0b010))});
    };
    grad_support::expect_derivative(grad_support::record(list({f32({2, 3, 2})}), f), 3e-3,
                                    1.0f / 512);
  }
}
// d (a b c) with zeros: none, one, two.
TEST(grad, of_products_with_zeros) {
  auto const f = [](recorder&, view<handle> x) {
    return grad_support::list({sum_all(reduce(op::reduce_prod, x[0], 0b10))});
  };
  graph const g = grad_support::record(grad_support::list({grad_support::f32({3, 3})}), f);
  int const wrt[] = {0};
  growing<dense> in;
  in.push(array<float>({3, 3}, {2, 4, 8, 2, 0, 8, 0, 3, 0}));
  growing<dense> const out = interpret(value_and_grad(g, {wrt, 1}), in);
  EXPECT_EQ(out[1], array<float>({3, 3}, {32, 16, 8, 0, 16, 0, 0, 0, 0}));
}

} // namespace
