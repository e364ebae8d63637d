// SPDX-License-Identifier: BSL-1.0
// build: alone
// What jit takes and gives: numbers of C++, keys, expressions, borrowed arrays, structs; executors;
// named programs; names for extents; results that stay.
#include "compiled.hpp"
#include "support/targets.hpp"

#include <weft/weft.hpp>

#include <thread>

namespace {

using namespace weft;
using test::filled;

constexpr sym rows{"rows"}, cols{"cols"};
constexpr auto add = [](auto x, auto y) { return x + y; };
constexpr auto scaled = [](auto x, auto by) { return x * by; };

template <class Error, class F> std::string text_of(F const& f) {
  try {
    f();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

// ---- arguments

template <class T, class X> void expect_element(X number, T expected) {
  auto const r = jit<scaled>(number, number);
  static_assert(std::is_same_v<decltype(r), tensor<T> const>);
  EXPECT_EQ(r(), expected);
}
TEST(jit_door, takes_numbers_of_cpp) {
  expect_element<float>(1.5f, 2.25f);
  expect_element<float>(1.5, 2.25f);
  expect_element<int>(-7, 49);
  expect_element<int>(short{-3}, 9);
  expect_element<std::int64_t>(3L, 9);
  expect_element<unsigned>(70000u, 605032704u); // modulo 2^32
  EXPECT_TRUE(jit<[](auto a, auto b) { return a & !b; }>(true, false)());
}
TEST(jit_door, takes_functions_over_examples) {
  auto const x = filled<float, 5, 4>(2);
  auto const w = filled<float, 4>(3);
  auto const all = jit<vmap<0, none>(scaled)>(x, w);
  EXPECT_EQ(all, eval(x * w));
  EXPECT_EQ((vmap<0, none>(scaled)(x, w)), all);
}
TEST(jit_door, numbers_are_inputs_not_constants) {
  auto const x = filled<float, 4>(2);
  for (float by : {2.0f, -1.0f, 0.5f}) EXPECT_EQ((jit<scaled>(x, by)), eval(x * by));
}
TEST(jit_door, takes_expressions_and_borrowed_arrays) {
  auto const x = filled<float, 3, 40>(2), y = filled<float, 3, 40>(6);
  auto const expected = eval(x * 2 + y);
  EXPECT_EQ((jit<add>(x * 2, y)), expected);
  EXPECT_EQ((jit<add>(x * 2, borrow<3, 40>(y.data()))), expected);
  auto const columns = jit<[](auto z) { return transpose(z); }>(y); // y's numbers, column-major
  EXPECT_EQ((jit<add>(eval(x * 2), borrow<3, 40>(columns.data(), strides{1, 3}))), expected);
}
TEST(jit_door, takes_expressions_of_named_extents) {
  auto const x = filled<float, rows, 3>(2, 50);
  auto const r = jit<scaled>(x + 1, 2.0f);
  static_assert(std::is_same_v<decltype(r), tensor<float, rows, 3> const>);
  EXPECT_EQ(r, eval((x + 1) * 2));
}

template <template <class, auto...> class array> struct pair_of {
  array<float, 30> a;
  array<int, rows> b;
};
TEST(jit_door, takes_and_gives_structs) {
  constexpr auto swap_signs = [](auto p, auto k) {
    auto keys = split(k);
    p.a = -p.a;
    p.b = p.b * 2;
    return std::tuple(p, keys[1], uniform<2>(keys[0]));
  };
  pair_of<tensor> const p{filled<float, 30>(2), filled<int, rows>(6, 5)};
  auto const [q, k, u] = jit<swap_signs>(p, key(3));
  static_assert(std::is_same_v<decltype(q), pair_of<tensor> const>);
  static_assert(std::is_same_v<decltype(k), key const>);
  EXPECT_EQ(q.a, eval(-p.a));
  EXPECT_EQ(q.b, eval(p.b * 2));
  EXPECT_NE(k, key(3));
  test::check<swap_signs>(p, key(3));
}

// ---- executors, targets, names

struct counted { // shares all that can be cut
  int calls = 0;
  int threads() const { return 3; }
  extent least_work() const { return 0; }
  template <class F> void parallel_for(int tasks, F&& f) {
    ++calls;
    for (int t = tasks; t-- > 0;) f(t, t % 3); // last first
  }
};
constexpr auto heavy = [](auto x) { return std::pair(tanh(exp(x) + x), sum<0>(x * x)); };

TEST(jit_door, runs_on_any_executor_with_the_same_bits) {
  auto const x = filled<float, 90, 1000>(2);
  auto const here = test::dense_leaves(jit<heavy>(x));
  cpu::pool pool(2, 0);
  counted other;
  cpu::serial serial;
  EXPECT_TRUE(test::same_bits(test::dense_leaves(jit<heavy>(pool, x)), here));
  EXPECT_TRUE(test::same_bits(test::dense_leaves(jit<heavy>(other, x)), here));
  EXPECT_TRUE(test::same_bits(test::dense_leaves(jit<heavy>(serial, x)), here));
  EXPECT_GT(other.calls, 0);
}
TEST(jit_door, works_from_many_threads_at_once) {
  auto const x = filled<float, 40, 130>(2);
  auto const expected = test::dense_leaves(jit<heavy>(x));
  cpu::pool pool(2, 0);
  bool equal[4]{};
  std::thread threads[4];
  for (int t = 0; t < 4; ++t)
    threads[t] = std::thread([&, t] {
      bool all = true;
      for (int turn = 0; turn < 20; ++turn) {
        auto const r = test::dense_leaves(t % 2 == 0 ? jit<heavy>(x) : jit<heavy>(pool, x));
        all = all && test::same_bits(r, expected);
      }
      equal[t] = all;
    });
  for (std::thread& t : threads) t.join();
  for (bool e : equal) EXPECT_TRUE(e);
}

struct scaled_rows : program<scaled, tensor<float, rows, 3>, float> {};
TEST(jit_door, named_programs) {
  auto const x = filled<float, rows, 3>(2, 50);
  cpu::pool pool(2, 0);
  EXPECT_EQ((jit<scaled_rows>(x, 3.0f)), eval(x * 3));
  EXPECT_EQ((jit<scaled_rows>(pool, x, 3.0f)), eval(x * 3));
  EXPECT_EQ((jit<scaled_rows, test::narrow_target>(x, 3.0f)), eval(x * 3));
  EXPECT_EQ((jit<scaled_rows>(x + 1, 3)), eval((x + 1) * 3)); // an int becomes the declared float
}

// ---- extents with names

TEST(jit_door, binds_names_at_every_call) {
  constexpr auto outer = [](auto a, auto b) { return einsum<"i,j->ij">(a, b); };
  for (int n : {3, 0, 70, 3})
    for (int m : {5, 1}) {
      auto const r = jit<outer>(filled<float, rows>(2, n), filled<float, cols>(6, m));
      EXPECT_EQ(r.extent(0), n);
      EXPECT_EQ(r.extent(1), m);
    }
  for (int n = 0; n < 20; ++n)
    test::check<outer>(filled<float, rows>(2, n), filled<float, cols>(6, 20 - n));
}
TEST(jit_door, names_that_disagree) {
  auto const a = filled<float, rows, 3>(2, 24), b = filled<float, rows, 3>(4, 23);
  std::string const text = "weft: argument 1 axis 0 (rows) is 23, expected 24";
  EXPECT_EQ(text_of<shape_error>([&] { jit<add>(a, b); }), text);
  EXPECT_EQ(text_of<shape_error>([&] { jit<add>(b, a); }),
            "weft: argument 1 axis 0 (rows) is 24, expected 23");
  EXPECT_EQ((jit<add>(a, a)), eval(a + a)); // and the program is as good as before
  EXPECT_EQ(text_of<shape_error>([&] { jit<add>(a, b); }), text);
  constexpr auto in_struct = [](auto p, auto x) { return p.b + x; };
  pair_of<tensor> const p{filled<float, 30>(2), filled<int, rows>(6, 5)};
  EXPECT_EQ(text_of<shape_error>([&] { jit<in_struct>(p, filled<int, rows>(2, 6)); }),
            "weft: argument 1 axis 0 (rows) is 6, expected 5");
  constexpr auto in_second = [](auto x, auto q) { return q.b + x; };
  EXPECT_EQ(text_of<shape_error>([&] { jit<in_second>(filled<int, rows>(2, 6), p); }),
            "weft: argument 1 leaf 1 axis 0 (rows) is 5, expected 6");
}

// ---- results

TEST(jit_door, results_outlive_further_calls) {
  auto const x = filled<float, 200>(2);
  std::vector<tensor<float, 200>> kept;
  for (int i = 0; i < 9; ++i) kept.push_back(jit<scaled>(x, static_cast<float>(i)));
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(kept[static_cast<unsigned>(i)], eval(x * static_cast<float>(i)));
}
TEST(jit_door, results_outlive_their_thread) {
  auto const x = filled<float, 200>(2);
  tensor<float, 200> r;
  std::thread([&] { r = jit<scaled>(x, 2.0f); }).join();
  EXPECT_EQ(r, eval(x * 2));
}
TEST(jit_door, a_result_can_be_the_next_argument) {
  auto x = filled<float, 200>(2);
  auto const start = x;
  for (int i = 0; i < 6; ++i) x = jit<scaled>(std::move(x), 0.5f);
  EXPECT_EQ(x, eval(start * 0.015625f));
}
// The same buffers serve again: no element memory is taken once calls are alike.
TEST(jit_door, steady_calls_take_no_element_memory) {
  auto x = filled<float, 200>(2);
  for (int i = 0; i < 3; ++i) x = jit<scaled>(x, 1.0f);
  std::int64_t const before = detail::allocation_count();
  for (int i = 0; i < 10; ++i) x = jit<scaled>(x, 1.0f);
  EXPECT_EQ(detail::allocation_count(), before);
}

} // namespace
