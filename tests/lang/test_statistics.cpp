// SPDX-License-Identifier: BSL-1.0
// Statistics, closeness and makers of the traced door: shapes, then values against plain sums in
// double (tolerances) or exactly.
#include "recorded.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/closeness.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/statistics.hpp>

#include <cmath>
#include <limits>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::ddof, weft::keep, weft::no_axes, weft::norm_kind, weft::sym, weft::tensor,
    weft::traced;

constexpr sym n{"n"};
constexpr float inf = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();
template <class X> X any() { return X{}; }

using cube = traced<float, 2, n, 4>;
static_assert(std::is_same_v<decltype(weft::var<1, ddof{1}>(any<cube>())), traced<float, 2, 4>>);
static_assert(
    std::is_same_v<decltype(weft::std<0, -1, keep>(any<cube>())), traced<float, 1, n, 1>>);
static_assert(
    std::is_same_v<decltype(weft::norm<norm_kind::one, 0>(any<cube>())), traced<float, n, 4>>);
static_assert(std::is_same_v<decltype(weft::logsumexp(any<cube>())), traced<float>>);
static_assert(std::is_same_v<decltype(weft::count_nonzero<-1>(any<cube>())), traced<int, 2, n>>);
static_assert(std::is_same_v<decltype(weft::sum<no_axes>(any<cube>())), cube>);
static_assert(std::is_same_v<decltype(weft::average<1>(any<cube>(), any<traced<float, n, 1>>())),
                             traced<float, 2, 4>>);

tensor<float, 2, 3> const x = {{1, 2, 6}, {-4, 0.5f, 3}};

void near(list<float> const& got, std::vector<double> const& want, double bound = 1e-6) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want[i], bound * (1 + std::fabs(want[i]))) << i;
}

TEST(statistics, variance) {
  near(values<float>([](auto a) { return weft::var<1>(a); }, x), {14.0 / 3, 8.3888888889});
  near(values<float>([](auto a) { return weft::var<1, ddof{1}>(a); }, x), {7, 12.5833333333});
  near(values<float>([](auto a) { return weft::var(a); }, x), {9.0347222222});
  near(values<float>([](auto a) { return weft::std<0, keep>(a); }, x), {2.5, 0.75, 1.5});
  EXPECT_EQ(values<float>([](auto a) { return weft::var<no_axes>(a); }, x), list<float>(6, 0));
  auto const one = values<float>([](auto a) { return weft::var<ddof{1}>(weft::at<"0, :1">(a)); },
                                 x);
  EXPECT_TRUE(std::isnan(one[0]));
  // bf16 is computed in float and rounded once.
  auto const low = [](auto a) { return weft::std<1>(weft::convert<bf16>(a)); };
  auto const high = [](auto a) { return weft::convert<bf16>(weft::std<1>(a)); };
  EXPECT_EQ(values<bf16>(low, x), values<bf16>(high, x));
}
TEST(statistics, variance_over_a_name) {
  tensor<float, n, 2> y(3);
  {
    auto m = y.mutate();
    for (int i = 0; i < 6; ++i) m.data()[i] = static_cast<float>(i * i);
  }
  near(values<float>([](auto a) { return weft::var<0, ddof{1}>(a); }, y), {208 / 3.0, 448 / 3.0});
}
TEST(statistics, norms_and_averages) {
  near(values<float>([](auto a) { return weft::norm<1>(a); }, x),
       {std::sqrt(41), std::sqrt(25.25)});
  near(values<float>([](auto a) { return weft::norm<norm_kind::one>(a); }, x), {16.5});
  near(values<float>([](auto a) { return weft::norm<0, norm_kind::infinity, keep>(a); }, x),
       {4, 2, 6});
  auto const largest = [](auto a) { return weft::norm<0, norm_kind::infinity>(a); };
  EXPECT_EQ(values<float>(largest, tensor<float, n, 2>(0)), (list<float>{0, 0}));
  EXPECT_EQ(values<float>(largest, tensor<float, 0, 2>()), (list<float>{0, 0}));
  tensor<float, n, 2> two(2);
  two.mutate()(1, 0) = -3;
  two.mutate()(0, 1) = NAN;
  auto const of_two = values<float>(largest, two);
  EXPECT_EQ(of_two[0], 3);
  EXPECT_TRUE(std::isnan(of_two[1]));
  auto const weighted = [](auto a, auto w) { return weft::average<1>(a, w); };
  near(values<float>(weighted, x, tensor<float, 3>{1, 2, 1}), {11.0 / 4, 0});
  near(values<float>([](auto a) { return weft::average(a, 2.0f); }, x), {8.5 / 6});
  auto const rows = [](auto a, auto w) { return weft::average<0>(a, w); };
  near(values<float>(rows, x, tensor<float, 2>{3, 1}), {-0.25, 1.625, 5.25});
}
TEST(statistics, logsumexp) {
  near(values<float>([](auto a) { return weft::logsumexp(a); }, x), {6.0760095012});
  near(values<float>([](auto a) { return weft::logsumexp<0>(a * 100); }, x), {100, 200, 600});
  tensor<float, 4, 2> const edges = {{-inf, -inf}, {inf, 1}, {nan, 1}, {-inf, 3}};
  auto const r = values<float>([](auto a) { return weft::logsumexp<1>(a); }, edges);
  EXPECT_EQ(r[0], -inf);
  EXPECT_EQ(r[1], inf);
  EXPECT_TRUE(std::isnan(r[2]));
  EXPECT_EQ(r[3], 3);
}
TEST(statistics, counts) {
  tensor<float, 2, 3> const y = {{0, -0.0f, 2}, {nan, 0, inf}};
  EXPECT_EQ(values<int>([](auto a) { return weft::count_nonzero<1>(a); }, y), (list<int>{1, 2}));
  EXPECT_EQ(values<int>([](auto a) { return weft::count_nonzero<keep>(a > 0); }, y),
            (list<int>{2}));
}

TEST(closeness, clip_and_nan_to_num) {
  tensor<float, 5> const y = {nan, -inf, inf, 0.5f, -3};
  auto const clipped = values<float>([](auto a) { return weft::clip(a, -1, 1); }, y);
  EXPECT_TRUE(std::isnan(clipped[0]));
  EXPECT_EQ(list<float>(clipped.begin() + 1, clipped.end()), (list<float>{-1, 1, 0.5f, -1}));
  EXPECT_EQ(values<int>([](auto a) { return weft::clip(a, weft::at<"0">(a), 3); },
                        tensor<int, 3>{2, 1, 9}),
            (list<int>{2, 2, 3}));
  float const largest = std::numeric_limits<float>::max();
  EXPECT_EQ(values<float>([](auto a) { return weft::nan_to_num(a); }, y),
            (list<float>{0, -largest, largest, 0.5f, -3}));
  EXPECT_EQ(values<float>([](auto a) { return weft::nan_to_num(a, 9, 8, weft::at<"3">(a)); }, y),
            (list<float>{9, 0.5f, 8, 0.5f, -3}));
  auto const low = values<bf16>([](auto a) { return weft::nan_to_num(weft::convert<bf16>(a)); }, y);
  EXPECT_EQ(low[1].bits, 0xff7f);
  EXPECT_EQ(low[2].bits, 0x7f7f);
}
TEST(closeness, isclose) {
  tensor<float, 6> const a = {1, 1, inf, -inf, nan, 0}, b = {1.000005f, 1.1f, inf, inf, nan, 1e-9f};
  EXPECT_EQ(values<bool>([](auto p, auto q) { return weft::isclose(p, q); }, a, b),
            (list<bool>{true, false, true, false, false, true}));
  EXPECT_EQ(values<bool>([](auto p, auto q) { return weft::isclose<true>(p, q, 0.2); }, a, b),
            (list<bool>{true, true, true, false, true, true}));
  EXPECT_EQ(values<bool>([](auto p) { return weft::isclose(p, 1); }, tensor<float, 2>{1, 2}),
            (list<bool>{true, false}));
  EXPECT_EQ(values<bool>([](auto p) { return weft::isclose(p, weft::full<float, 1>(inf)); },
                         tensor<float, 2>{1, inf}),
            (list<bool>{false, true}));
  auto const all = [](auto p, auto q) { return weft::allclose(p, q, 0.0, 0.2); };
  EXPECT_EQ(values<bool>(all, tensor<float, 2>{1, 2}, tensor<float, 2>{1.1f, 2}),
            (list<bool>{true}));
  EXPECT_EQ(values<bool>(all, tensor<float, 2>{1, 2}, tensor<float, 2>{1.1f, 3}),
            (list<bool>{false}));
}

// The values of makers at both doors.
template <class T, class M> void expect_made(M const& made, list<T> const& want) {
  auto const t = weft::array_of<tensor, T, M::shape_type::value>(made);
  EXPECT_EQ(list<T>(t.begin(), t.end()), want);
  EXPECT_EQ(values<T>([&](auto) { return made; }, 0), want);
}
TEST(makers, ranges) {
  expect_made<int>(weft::arange<int, 2, 9, 3>(), {2, 5, 8});
  expect_made<int>(weft::arange<int, 5, 0, -2>(), {5, 3, 1});
  expect_made<int>(weft::arange<int, 5, 5>(), {});
  expect_made<unsigned>(weft::arange<unsigned, -1, 2>(), {4294967295u, 0, 1});
  expect_made<float>(weft::arange<float, -2, 2>(), {-2, -1, 0, 1});
  expect_made<float>(weft::arange<float, 3>(0.5f, 0.25f), {0.5f, 0.75f, 1});
  expect_made<float>(weft::linspace<float, 3>(0, 1), {0, 0.5f, 1});
  expect_made<float>(weft::linspace<float, 4, false>(0, 1), {0, 0.25f, 0.5f, 0.75f});
  expect_made<float>(weft::linspace<float, 1>(7, 9), {7});
  // The last one is exact where first + (N - 1) * step is not.
  float const first = 0.1f, last = 1, step = (static_cast<float>((double(last) - first) / 7));
  ASSERT_NE(std::fma(7.0f, step, first), last);
  auto const made = tensor<float, 8>(weft::linspace<float, 8>(first, last));
  EXPECT_EQ(made(7), last);
  EXPECT_EQ(made(3), std::fma(3.0f, step, first));
  list<bf16> points;
  for (int i = 0; i < 8; ++i) points.push_back(bf16(static_cast<float>(i) / 7));
  expect_made<bf16>(weft::linspace<bf16, 8>(bf16(0), bf16(1)), points);
}
TEST(makers, diagonals) {
  expect_made<int>(weft::eye<int, 2, 3, 1>(), {0, 1, 0, 0, 0, 1});
  expect_made<bool>(weft::eye<bool, 3, 2, -1>(), {false, false, true, false, false, true});
  expect_made<float>(weft::identity<float, 2>(), {1, 0, 0, 1});
}

} // namespace
