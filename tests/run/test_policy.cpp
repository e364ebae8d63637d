// SPDX-License-Identifier: BSL-1.0
// build: alone long -O2
// policy::fast: at every door the bits of the relaxed graph, on one thread and two; quotients within
// the bounds of docs/numerics.md, against float64; what is exact stays exact.
#include "run/compiled.hpp"
#include "support/block.hpp"

#include <weft/run/block.hpp>
#include <weft/run/compiled.hpp>
#include <weft/weft.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace weft;
using test::filled;

constexpr sym n{"n"};

// ---- doors

constexpr auto rows = [](auto x, auto scale, auto shift) {
  return std::tuple(softmax<1>(x), logsumexp<1>(x), layer_norm(x, scale, shift), x * x - 3 / x);
};
constexpr auto loss = [](auto x, auto w) { return mean(square(matmul(x, w) - x * 0.5f)); };
struct named_rows : program<rows, tensor<float, 9, 70>, tensor<float, 70>, tensor<float, 70>> {};

template <class X> testing::AssertionResult same_results(X const& actual, X const& expected) {
  return test::same_bits(test::dense_leaves(actual), test::dense_leaves(expected));
}
template <class Program, class Target, class Result, class... Args>
testing::AssertionResult is_relaxed(Result const& result, Args const&... args) {
  graph const g = relax(stages<Program>::recorded, Target::has_fma);
  return test::same_bits(0, g, test::dense_leaves(result),
                         test::meaning_of(g, test::dense_leaves(args...)));
}
template <class Program, class... Args> void expect_relaxed(Args const&... args) {
  using fast = policy::fast;
  using narrow = cpu::relaxed<test::narrow_target>;
  EXPECT_TRUE((is_relaxed<Program, fast>(jit<Program, fast>(args...), args...)));
  EXPECT_TRUE((is_relaxed<Program, fast>(test::planned<Program, fast>(test::two_threads(), args...),
                                         args...)));
  EXPECT_TRUE((is_relaxed<Program, narrow>(jit<Program, narrow>(args...), args...)));
  compiled_program<Program, fast> own;
  EXPECT_TRUE((is_relaxed<Program, fast>(own(args...), args...)));
}
template <auto F, class... Args> void expect_relaxed_function(Args const&... args) {
  expect_relaxed<program<F, Args...>>(args...);
}

TEST(policy, fast_is_the_relaxed_graph_at_every_door) {
  auto const x = filled<float, 9, 70>(1), y = filled<float, 9, 70>(2);
  auto const scale = filled<float, 70>(3), shift = filled<float, 70>(5);
  expect_relaxed<named_rows>(x, scale, shift);
  expect_relaxed<named_rows>(y, scale, shift); // infinities, NaN, subnormals
  expect_relaxed_function<rows>(filled<float, n, 70>(1, 300), scale, shift);
  expect_relaxed_function<grad(loss)>(filled<float, 40, 40>(1), filled<float, 40, 40>(3));
  expect_relaxed_function<grad(loss)>(filled<double, 7, 7>(1), filled<double, 7, 7>(3));

  auto const expected = jit<rows, policy::fast>(x, scale, shift);
  compiled<rows, policy::fast, tensor<float, 9, 70>, tensor<float, 70>, tensor<float, 70>> own;
  EXPECT_TRUE(same_results(own(x, scale, shift), expected));
  EXPECT_TRUE(
      same_results(jit<rows, policy::fast>(test::two_threads(), x, scale, shift), expected));
  EXPECT_TRUE(same_results(jit<rows, policy::fast>(cpu::block, x, scale, shift), expected));
}
// Units of one program for several instruction sets have each their own relaxed program.
template <class Target> constexpr int fused_on() {
  constexpr auto f = [](auto a, auto b) { return a * b + b; };
  using P = program<f, tensor<float, 8>, tensor<float, 8>>;
  int count = 0;
  for (node const& x : stages<detail::program_for<P, cpu::relaxed<Target>>>::recorded.nodes)
    count += x.code == op::fma;
  return count;
}
static_assert(fused_on<cpu::avx2>() == 1 && fused_on<cpu::avx512>() == 1);
#if defined(__x86_64__)
static_assert(fused_on<cpu::generic>() == 0);
#endif
TEST(policy, reproducible_is_what_no_policy_is) {
  auto const x = filled<float, 9, 70>(1);
  constexpr auto f = [](auto a) { return softmax<1>(a); };
  EXPECT_TRUE(same_results(jit<f, policy::reproducible>(x), jit<f>(x)));
}

// ---- bounds

double ulp_of(float exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::ldexp(1.0, std::max(exponent, -125) - 24);
}
template <class Tensor> void fill(Tensor& t, unsigned seed, float lowest, float highest) {
  test::random_source rng(seed);
  double const first = std::log2(lowest), range = std::log2(highest) - first;
  for (auto m = t.mutate(); auto& e : m) {
    double const u = static_cast<double>(rng.next() >> 11) * 0x1p-53;
    float const sign = (rng.next() & 1) != 0 ? -1.0f : 1.0f;
    e = static_cast<typename Tensor::element_type>(
        sign * std::exp2(static_cast<float>(first + u * range)));
  }
}
template <class Tensor> Tensor spread_numbers(unsigned seed, float lowest, float highest) {
  Tensor t;
  fill(t, seed, lowest, highest);
  return t;
}

// By 1 / v: at most 1.5 ulp where 2^-126 <= |v| <= 2^126; a division is at most 0.5.
TEST(policy, quotients_are_at_most_one_ulp_further) {
  constexpr auto f = [](auto x, auto v) { return x / v; };
  using matrix = tensor<float, 64, 1000>;
  using column = tensor<float, 64, 1>;
  double worst = 0, worst_exact = 0;
  for (unsigned seed = 1; seed < 9; ++seed) {
    auto const x = spread_numbers<matrix>(seed, 0x1p-30f, 0x1p+30f);
    auto const v = spread_numbers<column>(seed + 50, 0x1p-60f, 0x1p+60f);
    auto const fast = jit<f, policy::fast>(x, v), exact = jit<f>(x, v);
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 1000; ++j) {
        double const q = static_cast<double>(x(i, j)) / static_cast<double>(v(i, 0));
        double const ulp = ulp_of(static_cast<float>(q));
        worst = std::max(worst, std::abs(fast(i, j) - q) / ulp);
        worst_exact = std::max(worst_exact, std::abs(exact(i, j) - q) / ulp);
      }
  }
  EXPECT_LE(worst_exact, 0.5 + 1e-6);
  EXPECT_LE(worst, 1.5);
  EXPECT_GT(worst, 0.5 + 1e-3); // it is relaxed
}
// One rounding, of a b + c, where the target multiplies and adds at once; else two.
TEST(policy, a_product_that_is_added_is_rounded_once) {
  constexpr auto f = [](auto a, auto b, auto c) { return std::tuple(a * b + c, c - a * b); };
  using vector = tensor<float, 5000>;
  auto const a = spread_numbers<vector>(1, 0.25f, 4.0f), b = spread_numbers<vector>(2, 0.25f, 4.0f);
  auto const c = spread_numbers<vector>(3, 0.25f, 4.0f);
  auto const [plus, minus] = jit<f, policy::fast>(a, b, c);
  auto const as_before = same_results(std::tuple(plus, minus), jit<f>(a, b, c));
  EXPECT_EQ(bool(as_before), !policy::fast::has_fma);
  for (int i = 0; policy::fast::has_fma && i < 5000; ++i) {
    EXPECT_EQ(plus(i), std::fma(a(i), b(i), c(i)));
    EXPECT_EQ(minus(i), std::fma(-a(i), b(i), c(i)));
  }
}
// Softmax: both quotients are of the same numbers, one within 0.5 ulp, the other within 1.5.
TEST(policy, softmax_stays_near_float64) {
  using matrix = tensor<float, 64, 500>;
  auto const x = spread_numbers<matrix>(7, 0.01f, 30.0f);
  constexpr auto f = [](auto a) { return softmax<1>(a); };
  auto const fast = jit<f, policy::fast>(x), exact = jit<f>(x);
  for (int i = 0; i < 64; ++i) {
    double most = -1e30, sum = 0;
    for (int j = 0; j < 500; ++j) most = std::max(most, static_cast<double>(x(i, j)));
    for (int j = 0; j < 500; ++j) sum += std::exp(static_cast<double>(x(i, j)) - most);
    for (int j = 0; j < 500; ++j) {
      double const meant = std::exp(static_cast<double>(x(i, j)) - most) / sum;
      double const ulp = ulp_of(static_cast<float>(meant));
      EXPECT_LE(std::abs(fast(i, j) - meant), std::abs(exact(i, j) - meant) + 2 * ulp);
    }
  }
}

// ---- products of bf16

template <fixed_string Spec>
constexpr auto product = [](auto a, auto b) { return einsum<Spec>(a, b); };
constexpr auto with_bias = [](auto a, auto b, auto c) { return relu(linear(a, b, c)); };
// Against float64: (k + 3) 2^-24 times the sum of magnitudes, and the last rounding's half place.
template <fixed_string Spec, class A, class B, class At>
void expect_near_product(int m, int width, int k, At const& at) {
  auto const a = spread_numbers<A>(static_cast<unsigned>(m + k), 0.01f, 10.0f);
  auto const b = spread_numbers<B>(static_cast<unsigned>(width + k), 0.01f, 10.0f);
  auto const fast = jit<product<Spec>, policy::fast>(a, b);
  EXPECT_EQ((jit<product<Spec>, policy::fast>(test::two_threads(), a, b)), fast);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < width; ++j) {
      double sum = 0, magnitude = 0;
      for (int q = 0; q < k; ++q) {
        double const term = at(a, b, i, j, q);
        sum += term;
        magnitude += std::abs(term);
      }
      double const bound = (k + 3) * 0x1p-24 * magnitude;
      ASSERT_LE(std::abs(static_cast<double>(static_cast<float>(fast(i, j))) - sum),
                bound + (std::abs(sum) + bound) * 0x1p-8)
          << i << ' ' << j;
    }
}
double number(bf16 x) { return static_cast<double>(static_cast<float>(x)); }

TEST(policy, products_of_bf16) {
  constexpr auto plain = [](auto const& a, auto const& b, int i, int j, int q) {
    return number(a(i, q)) * number(b(q, j));
  };
  expect_near_product<"mk,kn->mn", tensor<bf16, 64, 64>, tensor<bf16, 64, 64>>(64, 64, 64, plain);
  expect_near_product<"mk,kn->mn", tensor<bf16, 37, 77>, tensor<bf16, 77, 51>>(37, 51, 77, plain);
  expect_near_product<"mk,kn->mn", tensor<bf16, 8, 500>, tensor<bf16, 500, 17>>(8, 17, 500, plain);
  expect_near_product<"mk,kn->mn", tensor<bf16, 600, 1100>, tensor<bf16, 1100, 33>>(600, 33, 1100,
                                                                                    plain);
  expect_near_product<"mk,nk->mn", tensor<bf16, 70, 96>, tensor<bf16, 33, 96>>(
      70, 33, 96, [](auto const& a, auto const& b, int i, int j, int q) {
        return number(a(i, q)) * number(b(j, q));
      });
  expect_near_product<"km,kn->mn", tensor<bf16, 96, 70>, tensor<bf16, 96, 33>>(
      70, 33, 96, [](auto const& a, auto const& b, int i, int j, int q) {
        return number(a(q, i)) * number(b(q, j));
      });
  expect_near_product<"mk,kn->nm", tensor<bf16, 40, 64>, tensor<bf16, 64, 33>>(
      33, 40, 64, [](auto const& a, auto const& b, int i, int j, int q) {
        return number(a(j, q)) * number(b(q, i));
      });
}
// Batches, a bias, what follows the product, the block executor's chains: all near the plain program.
TEST(policy, products_of_bf16_in_programs) {
  auto const a = spread_numbers<tensor<bf16, 5, 40, 64>>(1, 0.1f, 2.0f);
  auto const b = spread_numbers<tensor<bf16, 5, 64, 36>>(2, 0.1f, 2.0f);
  constexpr auto batches = product<"bmk,bkn->bmn">;
  auto const near = [](auto const& x, auto const& y, double by) {
    ASSERT_EQ(x.size(), y.size());
    for (int i = 0; i < x.size(); ++i)
      ASSERT_NEAR(number(x.data()[i]), number(y.data()[i]), by) << i;
  };
  auto const fast = jit<batches, policy::fast>(a, b);
  near(fast, jit<batches>(a, b), 1.0);
  EXPECT_EQ((jit<batches, policy::fast>(test::two_threads(), a, b)), fast);

  auto const x = spread_numbers<tensor<bf16, 50, 70>>(3, 0.1f, 2.0f);
  auto const w = spread_numbers<tensor<bf16, 70, 41>>(4, 0.1f, 2.0f);
  auto const c = spread_numbers<tensor<bf16, 41>>(5, 0.1f, 2.0f);
  auto const layer = jit<with_bias, policy::fast>(x, w, c);
  near(layer, jit<with_bias>(x, w, c), 1.0);
  near(layer, jit<with_bias, policy::fast>(cpu::block, x, w, c), 1.0);
}

} // namespace
