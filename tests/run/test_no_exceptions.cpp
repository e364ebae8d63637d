// SPDX-License-Identifier: BSL-1.0
// build: -fno-exceptions -O0
// Everything works where exceptions are off, and what would be thrown is said before the process ends.
#include <gtest/gtest.h>
#include <weft/weft.hpp>

#include <cstdio>
#include <cstdlib>

#if WEFT_EXCEPTIONS
#error "this is the test without exceptions"
#endif

namespace {

using namespace weft;

constexpr sym rows{"rows"};

template <template <class, auto...> class array> struct recurrent {
  gru_weights<array, 4, 6> cell;
  array<float, 6> out;
};
constexpr auto one_step = [](auto p, auto h, auto x) { return gru(p, h, x); };
constexpr auto states = [](auto p, auto h0, auto xs) {
  return scan(
      [&](auto h, auto x) {
        auto next = gru(p, h, x);
        return std::pair(next, next);
      },
      h0, xs);
};
constexpr auto loss = [](auto p, auto h0, auto xs, auto ys) {
  return mean(square(einsum<"tbh,h->tb">(states(p.cell, h0, xs).second, p.out) - ys));
};
constexpr auto training_step = [](auto p, auto h0, auto xs, auto ys) {
  auto [value, grads] = value_and_grad(loss)(p, h0, xs, ys);
  return std::pair(sgd(p, grads, 0.1f), value);
};

// Numbers between -1 and 1, another sequence for each `begin`.
template <auto... E> tensor<float, E...> ramp(int begin) {
  tensor<float, E...> x;
  int i = 0;
  for (float& e : x.mutate()) e = static_cast<float>((i++ * 37 + begin * 11) % 41 - 20) / 20.0f;
  return x;
}
recurrent<tensor> start() {
  return {{ramp<18, 4>(1), ramp<18, 6>(2), ramp<18>(3), ramp<18>(4)}, ramp<6>(5)};
}

TEST(no_exceptions, a_scan_is_its_steps) {
  auto const p = start().cell;
  auto const xs = ramp<5, 3, 4>(6);
  tensor<float, 3, 6> h;
  auto const [last, hs] = jit<states>(p, h, xs);
  for (int t = 0; t < 5; ++t) {
    tensor<float, 3, 4> x;
    float const* from = xs.data() + static_cast<extent>(12) * t;
    for (float& e : x.mutate()) e = *from++;
    h = jit<one_step>(p, h, x);
    for (int b = 0; b < 3; ++b)
      for (int i = 0; i < 6; ++i) EXPECT_EQ(hs(t, b, i), h(b, i)) << t;
  }
  EXPECT_EQ(last(2, 5), h(2, 5));
}

TEST(no_exceptions, training) {
  auto p = start();
  tensor<float, 3, 6> const h0;
  auto const xs = ramp<5, 3, 4>(6);
  auto const ys = ramp<5, 3>(7);
  float first = 0, last = 0;
  for (int i = 0; i < 30; ++i) {
    auto [next, value] = jit<training_step>(p, h0, xs, ys);
    p = next;
    last = value;
    if (i == 0) first = last;
  }
  EXPECT_LT(last, 0.5f * first);
  EXPECT_GT(last, 0.0f);
}

TEST(no_exceptions, expressions) {
  tensor<float, 2, 3> const x = {{1, 2, 3}, {4, 5, 6}};
  tensor<float, 2> const y = sum<1>(x * x) - 1.0f;
  EXPECT_EQ(y(0), 13.0f);
  EXPECT_EQ(y(1), 76.0f);
}

// The index and the length are what only the run knows.
float element(int i) {
  tensor<float, 3> const x = {1, 2, 3};
  return x(i);
}
float product(int n, int m) {
  auto const x = tensor<float, rows>(n);
  auto const y = tensor<float, rows>(m);
  tensor<float> const r = sum(x * y);
  return r;
}

TEST(no_exceptions_death, says_what_is_wrong_and_aborts) {
  EXPECT_EQ(element(2), 3.0f);
  EXPECT_EQ(product(4, 4), 0.0f);
  EXPECT_EXIT(element(3), testing::KilledBySignal(SIGABRT),
              "weft: array: index \\(3\\) is outside shape \\(3\\); indices start at 0\n");
  EXPECT_EXIT(product(4, 5), testing::KilledBySignal(SIGABRT),
              "weft: argument 1 axis 0 \\(rows\\) is 5, expected 4\n");
}

TEST(no_exceptions_death, tells_the_handler_first) {
  auto const leaves = [](int code) {
    on_error = [](char const* text) { std::fprintf(stderr, "told: %s\n", text); };
    if (code != 0) on_error = [](char const*) { std::exit(3); };
    element(-1);
  };
  EXPECT_EXIT(leaves(3), testing::ExitedWithCode(3), "^$");
  EXPECT_EXIT(leaves(0), testing::KilledBySignal(SIGABRT),
              "told: weft: array: index \\(-1\\) is outside shape \\(3\\).*\nweft: array: index");
}

} // namespace
