// SPDX-License-Identifier: BSL-1.0
// Expressions at run time: against plain loops and against the interpreter's value of the same
// function traced; aliasing, named extents, bf16 rounding, loops, random numbers.
#include "../lang/recorded.hpp"

#include <weft/run/evaluate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using weft::at, weft::bf16, weft::key, weft::sym, weft::tensor;

constexpr sym rows{"rows"};
constexpr sym cols{"cols"};
constexpr weft::padding around{.low = 1, .high = 2, .interior = 1};

template <class T, auto... E> tensor<T, E...> numbers(weft::extents const& shape, float scale) {
  auto t = tensor<T, E...>::uninitialised(shape);
  auto m = t.mutate();
  float x = -1.7f;
  for (T& e : m) e = weft::detail::element_from<T>((x = 0.8f * x + 0.37f) * scale);
  return t;
}
template <class T, auto... E> tensor<T, E...> numbers(float scale = 1) {
  return numbers<T, E...>(weft::shape<E...>::value, scale);
}
template <class T, auto... E> std::vector<T> listed(tensor<T, E...> const& t) {
  return {t.begin(), t.end()};
}
// f of tensors is f traced and interpreted: equal bits.
template <class F, class... Args> void expect_same(F const& f, Args const&... args) {
  auto const now = eval(f(args...));
  using T = typename decltype(now)::element_type;
  std::vector<weft::word> bits;
  for (T x : now) bits.push_back(recorded::word_of(x));
  auto const out = recorded::run(f, args...);
  EXPECT_EQ(bits, std::vector<weft::word>(out[0].words.begin(), out[0].words.end()));
  EXPECT_EQ(now.shape(), out[0].shape);
}

TEST(evaluate, equals_a_plain_loop) {
  auto a = numbers<float, 5, 7>();
  auto b = numbers<float, 5, 1>(3);
  auto c = numbers<float, 7>(2);
  tensor<float, 5, 7> r = a * b - c / 2 + 1;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 7; ++j) {
      float product = a(i, j) * b(i, 0), half = c(j) / 2;
      float difference = product - half;
      EXPECT_EQ(r(i, j), difference + 1) << i << ' ' << j;
    }
}

TEST(evaluate, equals_the_traced_function) {
  auto a = numbers<float, 3, 4>();
  auto b = numbers<float, 4>(2);
  auto i = numbers<int, 3, 4>(40);
  expect_same([](auto x, auto y) { return tanh(x) * sigmoid(y) + exp(-x) / sqrt(abs(y)); }, a, b);
  expect_same([](auto x, auto y) { return where(x < y, log(abs(x)), fma(x, y, 0.25)); }, a, b);
  expect_same([](auto x, auto y) { return max(min(x, y), 0) + relu(-x); }, a, b);
  expect_same([](auto x) { return ((x << 2) ^ ~x) >> 1; }, i);
  expect_same([](auto x) { return ((x > 3) & !(x == 5)) | (x <= -2); }, i);
  expect_same([](auto x) { return convert<float>(x) / 3; }, i);
  expect_same([](auto x) { return weft::bitcast<int>(x) & 255; }, a);
}
TEST(evaluate, views) {
  auto a = numbers<float, 3, 4>();
  expect_same([](auto x) { return at<"1:, ::-2">(x) + at<"0, 1:3">(x); }, a);
  expect_same([](auto x, auto i) { return at<"$, :">(x, i) * 2; }, a, 2);
  expect_same([](auto x, auto i) { return at<"$, :">(x, i) * 2; }, a, -7);
  expect_same([](auto x) { return weft::transpose(x) * at<"new, 0, 0:3">(x); }, a);
  expect_same([](auto x) { return weft::flip<0>(weft::reshape<2, 6>(x)); }, a);
  expect_same([](auto x) { return weft::broadcast_to<2, 3, 4>(x) - x; }, a);
}
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

// Every node rounds, fused or not.
TEST(evaluate, bf16_rounds_after_every_node) {
  auto a = numbers<bf16, 40>(3);
  auto b = numbers<bf16, 40>(7);
  tensor<bf16, 40> fused = a * b + a / 3 - tanh(b);
  auto product = eval(a * b), third = eval(a / 3), t = eval(tanh(b)), total = eval(product + third);
  tensor<bf16, 40> stepwise = total - t;
  int differ = 0;
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(fused(i).bits, stepwise(i).bits) << i;
    float x(a(i)), y(b(i));
    EXPECT_EQ(product(i).bits, bf16(x * y).bits);
    differ += bf16(x * y + x / 3 - std::tanh(y)).bits != fused(i).bits;
  }
  EXPECT_GT(differ, 0); // or this test compares nothing
}

TEST(evaluate, assignment_may_read_what_it_writes) {
  auto a = numbers<float, 32>();
  auto const before = a;
  a = a + at<"::-1">(a);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(a(i), before(i) + before(31 - i)) << i;
  tensor<float, 3> small = {1, 2, 3}; // inline
  small = small * at<"::-1">(small);
  EXPECT_EQ(small, (tensor<float, 3>{3, 4, 3}));
}
TEST(evaluate, assignment_writes_into_a_unique_buffer) {
  auto a = numbers<float, 32>();
  auto r = numbers<float, 32>(2);
  float const* memory = r.data();
  r = a * 2;
  EXPECT_EQ(r.data(), memory);
  EXPECT_EQ(r(31), a(31) * 2);
  auto kept = r;
  r = a * 3;
  EXPECT_NE(r.data(), memory);
  EXPECT_EQ(kept(5), a(5) * 2);
}

TEST(evaluate, named_extents) {
  auto a = numbers<float, rows, 3>({2, {5, 3}}, 1);
  auto b = numbers<float, rows, 1>({2, {5, 1}}, 2);
  tensor<float, rows, 3> c = exp(b) * at<"1, :">(a) + 1;
  EXPECT_EQ(c.extent(0), 5);
  expect_same([](auto x, auto y) { return exp(y) * at<"1, :">(x) + 1; }, a, b);
  expect_same([](auto x) { return mean<0>(x); }, a);
  expect_same([](auto x) { return weft::transpose(x) * 2; }, a);
  expect_same([](auto x) { return x * 2; }, numbers<float, rows, 3>({2, {0, 3}}, 1));
}
TEST(evaluate, names_that_disagree_are_an_error) {
  auto a = numbers<float, rows, 3>({2, {5, 3}}, 1);
  auto b = numbers<float, rows, 3>({2, {4, 3}}, 1);
  auto text_of = [](auto const& f) -> std::string {
    try {
      f();
    } catch (weft::shape_error const& e) { return e.what(); }
    return "";
  };
  EXPECT_EQ(text_of([&] { (void)eval(a + b); }), "argument 1 axis 0 (rows) is 4, expected 5");
  EXPECT_EQ(text_of([&] { (void)weft::sum(a * b * a); }), "argument 1 axis 0 (rows) is 4, expected 5");
  // Nothing is written when it throws.
  auto r = numbers<float, rows, 3>({2, {5, 3}}, 3);
  auto const before = r;
  EXPECT_THROW((r = a + b), weft::shape_error);
  EXPECT_EQ(r, before);
  static_assert(!std::is_constructible_v<tensor<float, cols, 3>, int*>);
}

TEST(evaluate, rank_0_reads_as_its_element) {
  tensor<float, 4> a = {1, 2, 3, 4};
  float total = sum(a);
  EXPECT_EQ(total, 10);
  float scaled = sum(a) * 2 + 1;
  EXPECT_EQ(scaled, 21);
  bool large = sum(a) > 9;
  EXPECT_TRUE(large);
}

// The loop of tensors has the bits of the compiled one.
TEST(evaluate, scan) {
  auto xs = numbers<float, 6, 3>();
  auto w = numbers<float, 3, 3>();
  tensor<float, 3> h0 = {0.5f, -1, 2};
  auto both = [](auto h, auto all, auto m) {
    return scan([&](auto c, auto x) {
      auto n = tanh(weft::einsum<"ij,j->i">(m, c) + x);
      return std::pair(n, n * 2);
    }, h, all);
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
    return scan([](auto c, auto x) { auto n = c + x; return std::pair(n, n); }, at<"0, :">(all), all);
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
  EXPECT_EQ(dropout(k, 0, x), x);
  EXPECT_EQ(dropout(k, 1.0, x), zeros_like(x));
}

TEST(evaluate, gru_step) {
  weft::gru_weights<tensor, 2, 3> p{numbers<float, 9, 2>(), numbers<float, 9, 3>(2),
                                    numbers<float, 9>(), numbers<float, 9>(3)};
  auto step = [](auto w, auto h, auto x) { return gru(w, h, x); };
  expect_same(step, p, numbers<float, 4, 3>(), numbers<float, 4, 2>());
}

TEST(evaluate, zero_extents) {
  tensor<float, 0, 3> none_at_all;
  EXPECT_EQ(eval(none_at_all * 2 + 1).size(), 0);
  EXPECT_EQ((weft::sum<0>(none_at_all + 1)), (tensor<float, 3>{0, 0, 0}));
}

} // namespace
