// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Indexing and sorting in compiled programs, named extents and threads included, and of tensors.
#include "run/compiled.hpp"
#include "test_evaluate.hpp"

#include <weft/lang/indexing.hpp>
#include <weft/lang/sort.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/lang/while.hpp>
#include <weft/run/evaluate.hpp>

namespace {

using namespace weft;
using evaluated::expect_same, evaluated::listed, evaluated::numbers;
using test::check, test::filled;

constexpr sym n{"n"};
constexpr sym m{"m"};

constexpr auto rows_and_elements = [](auto x, auto i, auto u) {
  auto y = take<0>(x * 2, i);
  auto z = scatter_add<0>(x, i, u);
  return std::tuple(y, z, take_along_axis<1>(x, arg_sort<descending>(z)), arg_max<1>(x),
                    scatter<0>(transpose(x), 1, 7), arg_min(x));
};
constexpr auto sorted = [](auto x, auto k) {
  auto [a, b] = sort<0>(k, x);
  return std::tuple(a, b, sort(x), arg_sort<0, descending>(x, k));
};
constexpr auto loss = [](auto table, auto i) {
  return sum(sort<0>(take<0>(table, i)) * 3 + scatter_max<0>(take<0>(table, i), 2, 0.5f));
};

TEST(compiled_indexing, with_named_extents) {
  for (int e : {1, 3, 17, 300}) {
    auto const i = filled<int, m>(3, 2 * e);
    check<rows_and_elements>(filled<float, n, 5>(1, e), i, filled<float, m, 5>(2, 2 * e));
    check<rows_and_elements>(filled<bf16, n, 5>(2, e), i, filled<bf16, m, 5>(4, 2 * e));
    check<sorted>(filled<float, n, m>(1, 7, e), filled<int, n, m>(1, 7, e));
  }
  check<sorted>(filled<float, n, m>(1, 40, 2500), filled<int, n, m>(1, 40, 2500)); // two threads
}
TEST(compiled_indexing, gradients) {
  check<value_and_grad(loss)>(filled<float, 6, 3>(2), filled<int, 5>(2));
}
TEST(compiled_indexing, what_names_hid) {
  auto const f = [](auto x, auto i) { return take<0>(x, i); };
  EXPECT_THROW(jit<f>(tensor<float, n>(0), 1), shape_error);
  EXPECT_EQ(jit<f>(filled<float, n>(2, 3), 1).rank, 0);
}

TEST(evaluate, indexing) {
  auto const x = numbers<float, 3, 4>();
  tensor<int, 2, 2> const i = {{2, -1}, {0, 9}};
  expect_same([](auto a, auto k) { return take<0>(a + 1, k); }, x, i);
  expect_same([](auto a) { return take<1>(a, -2); }, x);
  expect_same([](auto a) { return take_along_axis<1>(a, arg_sort(a)); }, x);
  expect_same([](auto a, auto k) { return weft::gather<1, 0>(a, k); }, x, i);
  expect_same([](auto k) { return one_hot<3>(k); }, i);
  expect_same([](auto a) { return scatter_add<0>(a, 1, 0.5f); }, x);
  expect_same([](auto a) { return weft::scatter<1>(a, 0, 2); }, x);
  expect_same([](auto a, auto k) { return scatter_min<0, 1>(a, k, 0); }, x, i);
}
TEST(evaluate, orders) {
  auto const x = numbers<float, 3, 4>();
  expect_same([](auto a) { return sort<0, descending>(a); }, x);
  expect_same([](auto a) { return std::get<1>(sort<1>(a, a * -2)); }, x);
  expect_same([](auto a) { return top_k<2>(a).first; }, x);
  expect_same([](auto a) { return top_k<3>(a).second; }, x);
  expect_same([](auto a) { return arg_max<0, keep>(a) + arg_min<0>(a); }, x);
  expect_same([](auto a) { return searchsorted(sort(reshape<12>(a)), a); }, x);
  expect_same([](auto a) { return median<1>(a) - quantile<1>(a, 0.3); }, x);
}
// In constant evaluation too.
constexpr tensor<float, 3> small = {4, 1, 2};
static_assert(sort(small)(2) == 4 && arg_min(small)() == 1 && take<0>(small, -1)() == 2);

// What the run refuses is not asked for by a loop without a step.
constexpr auto largest_place = [](auto x, auto k) {
  return fori_loop(
      0, k, [&](auto, auto s) { return s + arg_max(x); }, 0);
};
TEST(compiled_indexing, of_no_elements_in_a_loop_without_steps) {
  auto const none = tensor<float, n>::uninitialised(extents{1, {0}});
  EXPECT_EQ(jit<largest_place>(none, 0)(), 0);
  EXPECT_THROW((void)jit<largest_place>(none, 1), shape_error);
  check<largest_place>(filled<float, n>(1, 9), tensor<int>(3));
}

} // namespace
