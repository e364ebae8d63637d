// SPDX-License-Identifier: BSL-1.0
// sort, arg_sort, top_k, arg_max, arg_min, searchsorted, median, quantile of traced arrays.
#include "recorded.hpp"
#include "support/text_of.hpp"

#include <weft/lang/quantiles.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <limits>

namespace {

using recorded::list, recorded::values;
using weft::after, weft::descending, weft::keep, weft::sym, weft::tensor, weft::traced;

constexpr sym rows{"rows"};
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
template <class X> X any() { return X{}; }

static_assert(std::is_same_v<decltype(top_k<2>(any<traced<float, 3, rows>>())),
                             std::pair<traced<float, 3, 2>, traced<int, 3, 2>>>);
static_assert(
    std::is_same_v<decltype(arg_max<0, keep>(any<traced<float, 3, 4>>())), traced<int, 1, 4>>);
static_assert(std::is_same_v<decltype(arg_min(any<traced<float, 3, 4>>())), traced<int>>);

// Immediate: several arrays by a key that is an expression; arrays without elements.
static_assert([] {
  auto const [k, v] = sort<descending>(tensor<float, 3>{1, 3, 2} * 2, tensor<int, 3>{0, 1, 2});
  return k(0) == 6 && v(0) == 1 && v(1) == 2 && v(2) == 0;
}());
static_assert([] {
  auto const [k, v] = sort(tensor<float, 0>(), tensor<int, 0>());
  return top_k<0>(tensor<float, 0>()).second.size() + k.size() + v.size() == 0 &&
         top_k<0>(tensor<float, 3>{1, 2, 3}).first.size() == 0 &&
         sort(tensor<float, 0>()).size() == 0;
}());

tensor<float, 2, 3> const x = {{1, 5, 3}, {4, 2, 6}};

TEST(sort, along_axes) {
  EXPECT_EQ(values<float>([](auto a) { return sort(a); }, x), (list<float>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(values<float>([](auto a) { return sort<descending>(a); }, x),
            (list<float>{5, 3, 1, 6, 4, 2}));
  EXPECT_EQ(values<float>([](auto a) { return sort<0>(a); }, x), (list<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<int>([](auto a) { return arg_sort<0, descending>(a); }, x),
            (list<int>{1, 0, 1, 0, 1, 0}));
}
TEST(sort, several_arrays) {
  tensor<int, 5> const k = {2, 1, 2, 1, 0}, v = {0, 1, 2, 3, 4};
  auto const out = recorded::run([](auto a, auto b) { return sort<descending>(a, b, b * b); }, k,
                                 v);
  EXPECT_EQ(recorded::numbers<int>(out[0]), (list<int>{2, 2, 1, 1, 0}));
  EXPECT_EQ(recorded::numbers<int>(out[1]), (list<int>{0, 2, 1, 3, 4})); // stable
  EXPECT_EQ(recorded::numbers<int>(out[2]), (list<int>{0, 4, 1, 9, 16}));
  EXPECT_EQ(values<int>([](auto a, auto b) { return arg_sort(a, -b); }, k, v),
            (list<int>{4, 3, 1, 2, 0}));
}
TEST(sort, nan_stands_last) {
  tensor<float, 4> const a = {nan, 2, -1, 7};
  EXPECT_EQ(values<int>([](auto t) { return arg_sort(t); }, a), (list<int>{2, 1, 3, 0}));
  EXPECT_EQ(values<int>([](auto t) { return arg_sort<descending>(t); }, a),
            (list<int>{3, 1, 2, 0}));
  EXPECT_EQ(values<int>([](auto t) { return arg_max(t); }, a), (list<int>{0}));
}
// Ties and special values as in the golden data (views: argsort_0, sort_special, argmax_nan).
TEST(sort, golden_cases) {
  tensor<float, 7> const ties = {2, 0, 0, 2, 2, 1, 2};
  EXPECT_EQ(values<int>([](auto t) { return arg_sort(t); }, ties),
            (list<int>{1, 2, 5, 0, 3, 4, 6}));
  EXPECT_EQ(values<int>([](auto t) { return arg_sort<descending>(t); }, ties),
            (list<int>{0, 3, 4, 6, 5, 1, 2}));
  EXPECT_EQ(values<int>([](auto t) { return arg_max(t); }, ties), (list<int>{0}));
  EXPECT_EQ(values<int>([](auto t) { return top_k<3>(t).second; }, ties), (list<int>{0, 3, 4}));
  float const inf = std::numeric_limits<float>::infinity();
  tensor<float, 9> const special = {3, nan, -inf, 1, inf, -0.0f, 0.0f, nan, -1};
  auto const sorted = values<float>([](auto t) { return sort(t); }, special);
  EXPECT_EQ(list<float>(sorted.begin(), sorted.begin() + 7),
            (list<float>{-inf, -1, -0.0f, 0, 1, 3, inf}));
  EXPECT_TRUE(sorted[7] != sorted[7] && sorted[8] != sorted[8]);
  EXPECT_EQ(values<int>([](auto t) { return arg_min(t); }, special), (list<int>{1}));
}
TEST(sort, the_largest) {
  auto const out = recorded::run([](auto a) { return top_k<2>(a); }, x);
  EXPECT_EQ(recorded::numbers<float>(out[0]), (list<float>{5, 3, 6, 4}));
  EXPECT_EQ(recorded::numbers<int>(out[1]), (list<int>{1, 2, 2, 0}));
  EXPECT_EQ(values<int>([](auto a) { return arg_max<1>(a); }, x), (list<int>{1, 2}));
  EXPECT_EQ(values<int>([](auto a) { return arg_min<0>(a); }, x), (list<int>{0, 1, 0}));
  EXPECT_EQ(values<int>([](auto a) { return arg_max(a); }, x), (list<int>{5}));
  tensor<float, rows> a(4);
  a.mutate()(2) = 3;
  EXPECT_EQ(recorded::numbers<int>(recorded::run([](auto t) { return top_k<2>(t); }, a)[1]),
            (list<int>{2, 0}));
  tensor<float, rows> const none(0);
  EXPECT_EQ(test::text_of([&] { return recorded::run([](auto t) { return arg_max(t); }, none); }),
            "weft: arg_max: there is no element to choose in (0)");
  EXPECT_EQ(test::text_of([&] { return recorded::run([](auto t) { return arg_min(t); }, none); }),
            "weft: arg_min: there is no element to choose in (0)");
}
// d sum(sort(x) * weights) follows the elements.
TEST(sort, gradient) {
  auto const f = [](auto a) {
    return weft::value_and_grad([](auto t) { return sum(sort(t) * weft::arange<float, 3>()); })(a);
  };
  EXPECT_EQ(recorded::numbers<float>(recorded::run(f, tensor<float, 3>{5, 1, 3})[1]),
            (list<float>{2, 0, 1}));
}
TEST(sort, searches) {
  tensor<float, 5> const a = {1, 2, 2, 4, nan};
  tensor<float, 6> const v = {0, 2, 3, 4, 9, nan};
  EXPECT_EQ(values<int>([](auto s, auto k) { return searchsorted(s, k); }, a, v),
            (list<int>{0, 1, 3, 3, 4, 4}));
  EXPECT_EQ(values<int>([](auto s, auto k) { return searchsorted<after>(s, k); }, a, v),
            (list<int>{0, 3, 3, 4, 4, 5}));
  tensor<int, rows> b(3);
  b.mutate()(2) = 7;
  EXPECT_EQ(values<int>([](auto s, auto k) { return searchsorted<after>(s, k); }, b,
                        tensor<int, 3>{-1, 0, 7}),
            (list<int>{0, 2, 3}));
  auto const find = [](auto s, auto k) { return searchsorted(s, k); };
  EXPECT_EQ(values<int>(find, tensor<float, rows>(0), v), list<int>(6, 0));
  EXPECT_EQ(values<int>(find, tensor<float, 0>(), v), list<int>(6, 0));
  EXPECT_EQ(values<int>([](auto s) { return searchsorted<after>(s, 2); }, a), (list<int>{3}));
  EXPECT_EQ(values<int>([](auto k) { return searchsorted(weft::arange<float, 4>(), k); }, v),
            (list<int>{0, 2, 3, 4, 4, 4}));
}
TEST(sort, no_elements) {
  tensor<float, 2, 0> const none;
  EXPECT_EQ(values<float>([](auto a) { return sort(a); }, none), list<float>());
  EXPECT_EQ(values<float>([](auto a) { return sort<0>(a); }, none), list<float>());
  EXPECT_EQ(values<float>([](auto a) { return top_k<0>(a).first; }, none), list<float>());
  EXPECT_EQ(values<float>([](auto a) { return top_k<0>(a).first; }, x), list<float>());
  EXPECT_EQ(values<float>([](auto a) { return sort(a); }, tensor<float, rows>(0)), list<float>());
}
TEST(sort, middles) {
  tensor<float, 4> const a = {4, 1, 3, 10};
  EXPECT_EQ(values<float>([](auto t) { return median<0>(t); }, a), (list<float>{3.5f}));
  EXPECT_EQ(values<float>([](auto t) { return median<1>(t); }, x), (list<float>{3, 4}));
  for (float q : {0.0f, 0.25f, 0.5f, 0.9f, 1.0f}) {
    float const sorted[] = {1, 3, 4, 10}, place = 3 * q;
    int const k = place < 3 ? static_cast<int>(place) : 2;
    float const t = place - static_cast<float>(k);
    EXPECT_NEAR(values<float>([](auto s, auto p) { return quantile<0>(s, p); }, a, q)[0],
                sorted[k] + t * (sorted[k + 1] - sorted[k]), 1e-6f);
  }
  EXPECT_EQ(values<float>([](auto t) { return quantile<0>(t, 0.5); }, a), (list<float>{3.5f}));
  for (float q : {-0.25f, 1.25f, nan}) { // no such place
    float const outside = values<float>([](auto s, auto p) { return quantile<0>(s, p); }, a, q)[0];
    EXPECT_NE(outside, outside);
  }
  EXPECT_EQ(values<float>([](auto t) { return median<0>(t); }, tensor<float, 3>{1, 3e38f, 3.1e38f}),
            (list<float>{3e38f}));
  auto const none = values<float>([](auto t) { return median<0>(t); }, tensor<float, 3>{1, nan, 2});
  EXPECT_NE(none[0], none[0]);
}
// Over several axes as one: sorted by hand, interpolated by hand.
TEST(sort, middles_of_all_axes) {
  static_assert(
      std::is_same_v<decltype(median(any<traced<weft::bf16, rows, 4>>())), traced<weft::bf16>>);
  static_assert(std::is_same_v<decltype(median<0, -1, keep>(any<traced<int, 2, rows, 4>>())),
                               traced<double, 1, rows, 1>>);
  static_assert(std::is_same_v<decltype(weft::quantile<1>(any<traced<double, 2, rows>>(), 0.5)),
                               traced<double, 2>>);
  tensor<float, 2, 3, 2> const t = {{{9, 1}, {4, 3}, {2, 8}}, {{5, 5}, {0, 7}, {6, 10}}};
  EXPECT_EQ(values<float>([](auto a) { return median(a); }, t), (list<float>{5}));
  EXPECT_EQ(values<float>([](auto a) { return median<0, 2, keep>(a); }, t),
            (list<float>{5, 3.5f, 7}));
  EXPECT_EQ(values<float>([](auto a) { return median<2, 0>(a); }, t), (list<float>{5, 3.5f, 7}));
  EXPECT_EQ(values<float>([](auto a) { return median<1, 2>(a); }, t), (list<float>{3.5f, 5.5f}));
  // 0 1 2 3 4 5 5 6 7 8 9 10: place 11 q
  EXPECT_EQ(values<float>([](auto a) { return quantile(a, 0.125); }, t), (list<float>{1.375f}));
  EXPECT_EQ(values<float>([](auto a) { return quantile<1, 0, keep>(a, 0.9); }, t),
            (list<float>{7.5f, 9}));
  EXPECT_EQ(values<float>([](auto a) { return quantile<weft::no_axes>(a, 0.9); }, t),
            list<float>(t.begin(), t.end()));
  tensor<float, rows, 2> const named = {{4, 1}, {3, 8}, {2, 0}};
  EXPECT_EQ(values<float>([](auto a) { return median(a); }, named), (list<float>{2.5f}));
  EXPECT_EQ(values<float>([](auto a) { return median<0>(a); }, named), (list<float>{3, 1}));
}
TEST(sort, middles_of_other_types) {
  EXPECT_EQ(values<double>([](auto a) { return median(a); }, tensor<int, 4>{1, 7, 2, 9}),
            (list<double>{4.5}));
  EXPECT_EQ(values<double>([](auto a) { return quantile<0>(a, 0.25); },
                           tensor<std::int64_t, 3>{std::int64_t{1} << 40, 0, 6}),
            (list<double>{3}));
  EXPECT_EQ(values<double>([](auto a) { return median(a); }, tensor<double, 2>{0.1, 0.3}),
            (list<double>{(0.1 + 0.3) * 0.5}));
  // In float, rounded once: 256 and 258 are neighbours of bf16, their middle is a tie.
  tensor<weft::bf16, 2> const low = {weft::bf16(256), weft::bf16(258)};
  EXPECT_EQ(float(values<weft::bf16>([](auto a) { return median(a); }, low)[0]), 256);
  tensor<weft::f16, 3> const half = {weft::f16(1), weft::f16(2), weft::f16(4)};
  EXPECT_EQ(float(values<weft::f16>([](auto a) { return quantile(a, 0.75); }, half)[0]), 3);
}
TEST(sort, middles_of_nothing) {
  for (auto const& r :
       {values<float>([](auto a) { return median(a); }, tensor<float, rows>(0)),
        values<float>([](auto a) { return quantile(a, 0.5); }, tensor<float, rows>(0)),
        values<float>([](auto a) { return median(a); }, tensor<float, 0>())})
    EXPECT_TRUE(r.size() == 1 && r[0] != r[0]);
  auto const one = values<float>([](auto a) { return quantile<0, 1>(a, 0); },
                                 tensor<float, 2, 2>{{1, 2}, {3, nan}});
  EXPECT_NE(one[0], one[0]);
}
TEST(sort, gradient_of_median) {
  auto const f = [](auto a) { return weft::value_and_grad([](auto t) { return median(t); })(a); };
  EXPECT_EQ(recorded::numbers<float>(recorded::run(f, tensor<float, 2, 2>{{5, 1}, {3, 9}})[1]),
            (list<float>{0.5f, 0, 0.5f, 0}));
}
TEST(sort, infinite_neighbours) {
  float const inf = std::numeric_limits<float>::infinity(), most = 3e38f;
  auto const f = [](auto t, auto q) { return quantile<0>(t, q); };
  auto const at = [&](auto const& t, float q) { return values<float>(f, t, q)[0]; };
  tensor<float, 3> const high = {inf, 1, 2}, low = {2, -inf, 1}, same = {inf, inf, 1};
  EXPECT_EQ(at(high, 0.5f), 2);
  EXPECT_EQ(at(high, 0.625f), inf);
  EXPECT_EQ(at(high, 0.875f), inf);
  EXPECT_EQ(at(low, 0), -inf);
  EXPECT_EQ(at(low, 0.125f), -inf);
  EXPECT_EQ(at(low, 0.375f), -inf);
  EXPECT_EQ(at(low, 0.5f), 1);
  EXPECT_EQ(at(same, 0.75f), inf);
  EXPECT_EQ(at(tensor<float, 2>{most, -most}, 0.5f), 0); // b - a overflows
  float const both = at(tensor<float, 2>{inf, -inf}, 0.5f);
  EXPECT_NE(both, both);
}
// Where q stands on an element, its derivative is that towards the next.
TEST(sort, gradient_of_quantile) {
  auto const f = [](auto a, auto q) {
    return weft::value_and_grad([a](auto p) { return quantile<0>(a, p); })(q);
  };
  EXPECT_EQ(recorded::numbers<float>(recorded::run(f, tensor<float, 3>{5, 1, 3}, 0.5f)[1]),
            (list<float>{4}));
}

} // namespace
