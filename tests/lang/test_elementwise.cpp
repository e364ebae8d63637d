// SPDX-License-Identifier: BSL-1.0
// Operators and elementwise functions of traced arrays: types by static_assert, values by the
// interpreter.
#include "recorded.hpp"

#include <weft/lang/elementwise.hpp>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::sym, weft::tensor, weft::traced;

constexpr sym batch{"batch"};
constexpr sym time_axis{"time"};
template <class X> X any() { return X{}; }
template <class A, class B> using sum_of = decltype(any<A>() + any<B>());

// broadcasting
static_assert(std::is_same_v<sum_of<traced<float, 2, 3>, traced<float, 3>>, traced<float, 2, 3>>);
static_assert(std::is_same_v<sum_of<traced<float, 2, 1>, traced<float, 3>>, traced<float, 2, 3>>);
static_assert(
    std::is_same_v<decltype(not_equal(traced<float, 2>{}, traced<float, 2>{})), traced<bool, 2>>);
static_assert(std::is_same_v<sum_of<traced<float>, traced<float, batch>>, traced<float, batch>>);
static_assert(
    std::is_same_v<sum_of<traced<float, batch, 1>, traced<float, 4>>, traced<float, batch, 4>>);
static_assert(std::is_same_v<sum_of<traced<float, 1>, traced<float, 0>>, traced<float, 0>>);
static_assert(!weft::detail::broadcastable<weft::shape<batch>, weft::shape<3>>);
static_assert(!weft::detail::broadcastable<weft::shape<batch>, weft::shape<time_axis>>);
static_assert(!weft::detail::broadcastable<weft::shape<2, 3>, weft::shape<2>>);
// What NumPy refuses (views.json, broadcast_invalid_*).
static_assert(!weft::detail::broadcastable<weft::shape<3>, weft::shape<4>>);
static_assert(!weft::detail::broadcastable<weft::shape<2, 1, 3>, weft::shape<2, 2>>);
static_assert(!weft::detail::broadcastable<weft::shape<0>, weft::shape<2>>);
static_assert(!weft::detail::broadcastable<weft::shape<3, 4>, weft::shape<4, 3>>);
static_assert(!weft::detail::broadcastable<weft::shape<2, 3>, weft::shape<4, 3>>);
// numbers take the array's type; comparisons give bool
static_assert(std::is_same_v<sum_of<traced<bf16, 2>, double>, traced<bf16, 2>>);
static_assert(std::is_same_v<sum_of<int, traced<std::uint32_t>>, traced<std::uint32_t>>);
static_assert(std::is_same_v<decltype(any<traced<int, 2>>() < 3), traced<bool, 2>>);
static_assert(!weft::detail::literal_fits<float, int> && !weft::detail::literal_fits<bool, int>);
static_assert(weft::detail::literal_fits<int, float> && weft::detail::literal_fits<double, bf16>);

TEST(elementwise, arithmetic) {
  tensor<float, 2, 2> a = {{1, 2}, {3, 4}};
  tensor<float, 2> b = {10, 20};
  EXPECT_EQ(values<float>([](auto x, auto y) { return x * 2 + y / 4.0 - 1; }, a, b),
            (list<float>{3.5f, 8, 7.5f, 12}));
  EXPECT_EQ(values<float>([](auto x, auto y) { return -fma(x, y, 1); }, a, b),
            (list<float>{-11, -41, -31, -81}));
  EXPECT_EQ(values<float>([](auto x, auto r) { return 1 - x * r; }, b, 0.5f),
            (list<float>{-4, -9}));
}
TEST(elementwise, comparisons_and_choice) {
  tensor<float, 4> a = {-1, 0, 2, 5};
  EXPECT_EQ(values<bool>([](auto x) { return ((x > 0) & !(x == 2)) ^ (x != x); }, a),
            (list<bool>{false, false, false, true}));
  EXPECT_EQ(values<float>([](auto x) { return where(x <= 0, 7, x); }, a),
            (list<float>{7, 7, 2, 5}));
  EXPECT_EQ(values<int>([](auto x) { return select(x >= 2, 1, 0); }, a), (list<int>{0, 0, 1, 1}));
  EXPECT_EQ(
      values<float>([](auto x) { return max(min(x, 3), 0) + maximum(0, x) * minimum(1, x); }, a),
      (list<float>{0, 0, 4, 8}));
}
TEST(elementwise, integers) {
  tensor<int, 3> a = {-8, 5, 1};
  EXPECT_EQ(values<int>([](auto x) { return (x >> 1) + (x << 2); }, a), (list<int>{-36, 22, 4}));
  EXPECT_EQ(values<int>([](auto x) { return (x & 6) | (~x ^ 1); }, a),
            (list<int>{(-8 & 6) | (7 ^ 1), (5 & 6) | (~5 ^ 1), (1 & 6) | (~1 ^ 1)}));
  EXPECT_EQ(values<std::uint32_t>([](auto x) { return convert<std::uint32_t>(x) >> 28; }, a),
            (list<std::uint32_t>{15, 0, 0}));
  EXPECT_EQ(values<bool>([](auto x) { return !x; }, tensor<int, 2>{0, 3}),
            (list<bool>{true, false}));
}
TEST(elementwise, conversions) {
  tensor<float, 3> a = {1.75f, -2.5f, 3e9f};
  EXPECT_EQ(values<int>([](auto x) { return convert<int>(x); }, a), (list<int>{1, -2, INT32_MAX}));
  EXPECT_EQ(
      values<std::uint32_t>([](auto x) { return bitcast<std::uint32_t>(x); }, tensor<float>(1)),
      (list<std::uint32_t>{0x3f800000u}));
  EXPECT_EQ(values<float>([](auto x) { return convert<float>(convert<bf16>(x) + 0.001); },
                          tensor<float>(1)),
            (list<float>{1}));
  auto const same = weft::record<tensor<float, 2>>([](auto x) { return convert<float>(x); });
  EXPECT_EQ(same.size(), 1);
}
TEST(elementwise, transcendental) {
  auto const f = [](auto x) {
    return exp(log(x)) + tanh(x - x) + sqrt(x) + abs(-x) + sigmoid(x * 0);
  };
  EXPECT_EQ(values<float>(f, tensor<float, 2>{1, 4}), (list<float>{3.5f, 10.5f}));
}
TEST(elementwise, makers_take_their_place) {
  auto const f = [](auto x) {
    return (x + weft::arange<float, 3>()) * weft::ones<float, 2, 1>() + weft::full<float>(0.5);
  };
  EXPECT_EQ(values<float>(f, tensor<float, 3>{10, 20, 30}),
            (list<float>{10.5f, 21.5f, 32.5f, 10.5f, 21.5f, 32.5f}));
  EXPECT_EQ(
      values<float>([](auto x) { return weft::linspace<float, 3>(-1, 1) + x; }, tensor<float>(0)),
      (list<float>{-1, 0, 1}));
  EXPECT_EQ(values<int>([](auto x) { return weft::eye<int, 2>() * x; }, tensor<int>(7)),
            (list<int>{7, 0, 0, 7}));
  EXPECT_EQ(values<float>([](auto x) { return weft::zeros<float, batch>() + x; },
                          tensor<float, batch>{{4, 5}}),
            (list<float>{4, 5}));
}
TEST(elementwise, assignment_with_an_operator) {
  auto const f = [](auto x, auto y) {
    x += y;
    x *= 3;
    x -= 1.0f;
    x /= 2;
    return x;
  };
  EXPECT_EQ(values<float>(f, tensor<float, 2>{1, 2}, 4.0f), (list<float>{7, 8.5f}));
}
// An output may be a maker or a number.
TEST(elementwise, makers_are_results) {
  auto const out = recorded::run([](auto) { return std::tuple(weft::ones<int, 2>(), 3, 0.5); },
                                 1.0f);
  EXPECT_EQ(recorded::numbers<int>(out[0]), (list<int>{1, 1}));
  EXPECT_EQ(recorded::numbers<int>(out[1]), (list<int>{3}));
  EXPECT_EQ(recorded::numbers<float>(out[2]), (list<float>{0.5f}));
}
TEST(makers, as_tensors) {
  tensor<float, 2, 2> const e = weft::eye<float, 2>();
  EXPECT_TRUE((e == tensor<float, 2, 2>{{1, 0}, {0, 1}}));
  tensor<float, 5> const l = weft::linspace<float, 5>(0, 1);
  EXPECT_TRUE((l == tensor<float, 5>{0, 0.25f, 0.5f, 0.75f, 1}));
  tensor<int, 3> const a = weft::arange<int, 3>();
  EXPECT_TRUE((a == tensor<int, 3>{0, 1, 2}));
  static_assert(tensor<bf16, 2>(weft::full<bf16, 2>(1.5))(1) == bf16(1.5f));
}
TEST(elementwise, constants_stand_where_they_are_used) {
  constexpr auto nodes = [] {
    return weft::record<tensor<float, 3>>([](auto x) { return x + 1; }).size();
  };
  static_assert(nodes() == 3); // x, 1, the sum
  SUCCEED();
}

} // namespace
