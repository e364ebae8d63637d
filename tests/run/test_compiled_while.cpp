// SPDX-License-Identifier: BSL-1.0
// build: alone
// Loops and branches that depend on values: compiled, on the block executor's engine, and of
// tensors.
#include "run/compiled.hpp"
#include "test_evaluate.hpp"

#include <weft/lang/einsum.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/while.hpp>
#include <weft/run/evaluate.hpp>

namespace {

using namespace weft;
using evaluated::listed;
using test::check, test::filled;

constexpr sym n{"n"};

constexpr auto halve_until = [](auto x, auto bound) {
  auto s = while_loop([&](auto const& c) { return sum(c.first * c.first) > bound; },
                      [](auto const& c) { return std::pair(c.first * 0.5f, c.second + 1); },
                      std::pair(x, zeros<int>()));
  return std::tuple(s.first, s.second, sum(s.first + 1));
};
constexpr auto choose = [](auto p, auto x, auto w) {
  auto r = cond(
      p > 0, [&](auto y) { return std::pair(einsum<"i,ij->j">(y, w), y); },
      [](auto y) { return std::pair(y * y, y - 1); }, x);
  return std::pair(exp(r.first), r.second * 2);
};
constexpr auto loss = [](auto x, auto w, auto p) {
  auto y = cond(
      p > 0, [&](auto a) { return einsum<"i,ij->j">(a, w); }, [](auto a) { return a * a; }, x);
  return sum(fori_loop(
      0, 3, [&](auto, auto s) { return tanh(s + y); }, y));
};
constexpr auto nested = [](auto x, auto k) {
  return fori_loop(
      0, k,
      [](auto i, auto s) {
        return cond(
            sum(s) > 1, [](auto a) { return a * 0.25f; },
            [&](auto a) { return a + convert<float>(i); }, s);
      },
      x);
};

// Loops that start from makers and numbers alone: what their bodies capture is traced.
constexpr auto from_makers = [](auto x) {
  auto steps = fori_loop(
      0, 3, [&](auto i, auto s) { return s + sum(x) * convert<float>(i); }, 0.5f);
  auto kept = scan<scan_options{.length = 4}>(
      [&](auto c, auto) { return std::pair(c * 0.5f + sum(x), c); }, zeros<float>(), none);
  auto grown = while_loop([](auto c) { return c < 100; },
                          [&](auto c) { return c * 2 + arg_max(x) + 1; }, 1);
  auto until = while_loop([&](auto c) { return c < arg_max(x); }, [](auto c) { return c + 1; },
                          zeros<int>());
  auto rows = map([&](auto k) { return x * k; }, arange<float, 3>());
  auto one = cond(
      true, [&] { return x + 1; }, [&] { return x; });
  return std::tuple(steps, kept.first, kept.second, grown, until, rows, one);
};

TEST(compiled_while, from_makers) {
  check<from_makers>(filled<float, n>(3, 5));
  tensor<float, 2> const x = {1, 3}; // sum 4, arg_max 1
  auto const r = jit<from_makers>(x);
  EXPECT_EQ(std::get<0>(r)(), 0.5f + 4 * 3);
  EXPECT_EQ(std::get<1>(r)(), 7.5f);
  EXPECT_EQ(std::get<2>(r), (tensor<float, 4>{0, 4, 6, 7}));
  EXPECT_EQ(std::get<3>(r)(), 128 - 2 + 64); // c -> 2 c + 2: 1 4 10 22 46 94 190
  EXPECT_EQ(std::get<4>(r)(), 1);
  EXPECT_EQ(std::get<5>(r), (tensor<float, 3, 2>{{0, 0}, {1, 3}, {2, 6}}));
  EXPECT_EQ(std::get<6>(r), (tensor<float, 2>{2, 4}));
  auto const now = from_makers(x);
  EXPECT_EQ(std::get<2>(now), std::get<2>(r));
  EXPECT_EQ(std::get<3>(now), std::get<3>(r));
  EXPECT_EQ(std::get<5>(now), std::get<5>(r));
}
TEST(compiled_while, loops) {
  for (int e : {1, 3, 70}) check<halve_until>(filled<float, n>(2, e), 0.5f);
  for (int k : {0, 1, 5}) check<nested>(filled<float, n>(4, 6), k);
}
TEST(compiled_while, branches) {
  for (int p : {1, -1}) {
    check<choose>(p, filled<float, 5>(2), filled<float, 5, 5>(4));
    check<value_and_grad<0, 1>(loss)>(filled<float, 5>(2), filled<float, 5, 5>(4), p);
  }
}
TEST(evaluate, loops_and_branches) {
  tensor<float, 3> const x = {3, -4, 2};
  auto const [last, steps, total] = halve_until(x, 0.5f);
  auto const [compiled, count, sums] = jit<halve_until>(x, 0.5f);
  EXPECT_EQ(listed(last), listed(compiled));
  EXPECT_EQ(steps(), count());
  EXPECT_EQ(eval(total)(), sums());
  EXPECT_EQ(listed(nested(x, 4)), listed(jit<nested>(x, 4)));
  EXPECT_EQ(while_loop([](auto s) { return s < 50; }, [](auto s) { return s * 3; }, 1)(), 81);
  EXPECT_EQ(cond(
                x(0) > 0, [](auto a) { return eval(a + 1); }, [](auto a) { return a; }, x)(0),
            4);
}

} // namespace
