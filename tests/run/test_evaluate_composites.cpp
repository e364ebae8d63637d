// SPDX-License-Identifier: BSL-1.0
// build: alone long
// What is computed at once of tensors and expressions: reductions, products, losses, loops, random
// numbers; the interpreter's bits of the same functions traced.
#include "support/text_of.hpp"
#include "test_evaluate.hpp"

#include <limits>

namespace {

using evaluated::expect_same, evaluated::listed, evaluated::numbers;
using weft::at, weft::bf16, weft::key, weft::sym, weft::tensor;

constexpr sym rows{"rows"};
constexpr weft::padding around{.low = 1, .high = 2, .interior = 1};

TEST(evaluate, composites) {
  auto a = numbers<float, 3, 4>();
  auto w = numbers<float, 4, 5>();
  auto c = numbers<float, 5>();
  auto labels = tensor<int, 3>{0, 3, 1};
  expect_same([](auto x) { return sum<0>(x * x); }, a);
  expect_same([](auto x) { return x - mean<-1, weft::keep>(x); }, a);
  expect_same([](auto x) { return max<1>(x) - min<1>(x); }, a);
  expect_same([](auto x, auto y) { return weft::einsum<"ij,jk->ki">(tanh(x), y); }, a, w);
  expect_same([](auto x, auto y, auto z) { return linear(x, y, z); }, a, w, c);
  expect_same([](auto x) { return weft::concat<1>(x, x + 1, x * 2); }, a);
  expect_same([](auto x) { return weft::set<"1:, 0">(x, 7); }, a);
  expect_same([](auto x, auto i) { return weft::set<"$, :">(x, i, at<"0, :">(x) * 2); }, a, 1);
  expect_same([](auto x) { return softmax(x * 3); }, a);
  expect_same([](auto x) { return log_softmax<0>(x) + logsumexp<0>(x); }, a);
  expect_same([](auto x, auto l) { return softmax_cross_entropy(x, l); }, a, labels);
}
TEST(evaluate, padding_with_a_number_of_the_run) {
  expect_same([](auto x) { return weft::pad<1, around>(x, 0.5f); }, numbers<float, 2, 3>());
  expect_same([](auto x) { return weft::pad<0, around>(x); }, numbers<int, 4>(9));
}

// The loop of tensors has the bits of the compiled one.
TEST(evaluate, scan) {
  auto xs = numbers<float, 6, 3>();
  auto w = numbers<float, 3, 3>();
  tensor<float, 3> h0 = {0.5f, -1, 2};
  auto both = [](auto h, auto all, auto m) {
    return scan(
        [&](auto c, auto x) {
          auto n = tanh(weft::einsum<"ij,j->i">(m, c) + x);
          return std::pair(n, n * 2);
        },
        h, all);
  };
  auto [last, ys] = both(h0, xs, w);
  auto const out = recorded::run(both, h0, xs, w);
  EXPECT_EQ(listed(last), recorded::numbers<float>(out[0]));
  EXPECT_EQ(listed(ys), recorded::numbers<float>(out[1]));

  auto reversed = [](auto all) {
    return scan<weft::scan_options{.reverse = true}>(
        [](auto c, auto x) { return std::pair(c * 0.5f + x, c); }, at<"0, :">(all), all);
  };
  auto [end, back] = reversed(xs);
  auto const expected = recorded::run(reversed, xs);
  EXPECT_EQ(listed(end), recorded::numbers<float>(expected[0]));
  EXPECT_EQ(listed(back), recorded::numbers<float>(expected[1]));

  auto counted = scan<weft::scan_options{.length = 8}>(
      [](auto c, auto) { return std::pair(c + 1, weft::none); }, weft::zeros<int>(), weft::none);
  EXPECT_EQ(counted.first(), 8);
}
TEST(evaluate, scan_over_a_named_extent) {
  auto xs = numbers<float, rows, 3>({2, {4, 3}}, 1);
  auto sums = [](auto all) {
    return scan(
        [](auto c, auto x) {
          auto n = c + x;
          return std::pair(n, n);
        },
        at<"0, :">(all), all);
  };
  auto const expected = recorded::run(sums, xs);
  auto [last, ys] = sums(xs);
  EXPECT_EQ(ys.extent(0), 4);
  EXPECT_EQ(listed(ys), recorded::numbers<float>(expected[1]));
}

TEST(evaluate, random_numbers_of_a_key) {
  key const k(42);
  auto same = [&](auto const& f) { expect_same(f, k); };
  same([](auto one) { return weft::bits<3, 2>(one); });
  same([](auto one) { return weft::uniform<7>(one); });
  same([](auto one) { return weft::uniform<7>(one, -0.3, 2); });
  same([](auto one) { return weft::bernoulli<9>(one, 0.3); });
  same([](auto one) { return weft::uniform<5>(split(one)[1]); });
  same([](auto one) { return weft::uniform<5>(fold_in(one, 3)); });
  auto x = numbers<float, 16>();
  expect_same([](auto one, auto y) { return dropout(one, 0.1f, y); }, k, x);
  expect_same([](auto one, auto y) { return dropout(one, 0.1f, y); }, k, numbers<bf16, 16>());
  expect_same([](auto one, auto y) { return dropout(one, 0.1, y); }, k, numbers<double, 16>());
  auto const by_rate = [](auto one, auto rate, auto y) { return dropout(one, rate, y); };
  auto const same_rate = [&](auto const& y) {
    expect_same(by_rate, k, tensor<double>(0.1), y);
    expect_same(by_rate, k, tensor<float>(0.1f), y);
    expect_same(by_rate, k, tensor<weft::f16>(weft::f16(0.1f)), y);
    expect_same(by_rate, k, tensor<bf16>(bf16(0.1f)), y);
  };
  same_rate(numbers<double, 16>());
  same_rate(x);
  same_rate(numbers<bf16, 16>());
  EXPECT_EQ(dropout(k, 0, x), x);
  EXPECT_EQ(dropout(k, 1.0, x), zeros_like(x));
  for (double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(test::text_of([&] { return weft::bernoulli<9>(k, p); }),
              "weft: bernoulli: the probability is not in [0, 1]; write clip(p, 0, 1)");
    EXPECT_EQ(test::text_of([&] { return dropout(k, p, x); }),
              "weft: dropout: the rate is not in [0, 1]; write the probability of dropping");
  }
}

TEST(evaluate, gru_step) {
  weft::gru_weights<tensor, 2, 3> p{numbers<float, 9, 2>(), numbers<float, 9, 3>(2),
                                    numbers<float, 9>(), numbers<float, 9>(3)};
  auto step = [](auto w, auto h, auto x) { return gru(w, h, x); };
  expect_same(step, p, numbers<float, 4, 3>(), numbers<float, 4, 2>());
}

} // namespace
