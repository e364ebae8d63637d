// SPDX-License-Identifier: BSL-1.0
// associative_scan and the cumulative functions against plain loops: any axis, in reverse,
// exclusive, structures, functions that do not commute, named extents, derivatives; of tensors too.
#include "recorded.hpp"

#include <weft/lang/associative_scan.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace weft;
using recorded::list, recorded::numbers, recorded::values;

constexpr sym rows{"rows"};
using how = associative_scan_options;

template <class T, auto... E, class... N> tensor<T, E...> counted(N... names) {
  tensor<T, E...> t(names...);
  int i = 0;
  for (T& x : t.mutate()) x = static_cast<T>(i++ * 5 % 7 - 2);
  return t;
}
constexpr auto affine = [](auto const& a, auto const& b) {
  return std::pair(a.first * b.first, a.second * b.first + b.second);
};

TEST(associative_scan, sums_along_every_axis) {
  auto const x = counted<int, 2, 3, 5>();
  for (int axis = 0; axis < 3; ++axis) {
    int const strides[] = {15, 5, 1}, extents_of[] = {2, 3, 5};
    list<int> forward(30), backward(30);
    for (int k = 0; k < 30; ++k) {
      int const stride = strides[axis], i = k / stride % extents_of[axis];
      for (int j = 0; j < extents_of[axis]; ++j)
        (j <= i ? forward : backward)[static_cast<unsigned>(k)] += x.data()[k + (j - i) * stride];
      backward[static_cast<unsigned>(k)] += x.data()[k];
    }
    auto const out = recorded::run(
        [](auto a) {
          return std::tuple(cumsum<0>(a), cumsum<1>(a), cumsum(a), cumsum<0, reversed>(a),
                            cumsum<1, reversed>(a), cumsum<reversed>(a));
        },
        x);
    EXPECT_EQ(numbers<int>(out[axis]), forward);
    EXPECT_EQ(numbers<int>(out[3 + axis]), backward);
  }
}
// The tree, of numbers whose sums depend on it: in blocks of 2, 4, 8, ... the upper half takes the
// lower half's last element. Of tensors, traced, and by an array's axis among eight.
TEST(associative_scan, is_the_tree_it_says) {
  constexpr auto f = [](auto a) { return std::pair(cumsum<1>(a), cumsum<1, reversed>(a)); };
  constexpr auto deep = [](auto a) {
    auto const x = weft::reshape<1, 2, 1, 1, 23, 1, 1, 1>(a);
    return std::pair(cumsum<4>(x), cumsum<4, reversed>(x));
  };
  constexpr int n = 23;
  tensor<float, 2, n> x;
  int k = 0;
  for (float& e : x.mutate())
    e = std::ldexp(1.0f + static_cast<float>(k * 37 % 64) / 64, k * 11 % 25), ++k;
  list<float> meant[2];
  for (int reverse : {0, 1})
    for (int r = 0; r < 2; ++r) {
      auto const at = [&](int i) { return static_cast<unsigned>(reverse == 1 ? n - 1 - i : i); };
      list<float> line(x.data() + r * n, x.data() + (r + 1) * n);
      for (int d = 1; d < n; d *= 2)
        for (int i = 0; i < n; ++i)
          if (i / d % 2 == 1) line[at(i)] = line[at(i / d * d - 1)] + line[at(i)];
      meant[reverse].insert(meant[reverse].end(), line.begin(), line.end());
    }
  auto const traced = recorded::run(f, x), among_eight = recorded::run(deep, x);
  auto const now = f(x);
  for (int reverse : {0, 1}) {
    EXPECT_EQ(numbers<float>(traced[reverse]), meant[reverse]);
    EXPECT_EQ(numbers<float>(among_eight[reverse]), meant[reverse]);
  }
  EXPECT_EQ(list<float>(now.first.begin(), now.first.end()), meant[0]);
  EXPECT_EQ(list<float>(now.second.begin(), now.second.end()), meant[1]);
  constexpr auto plus = [](auto a, auto b) { return a + b; };
  tensor<float, 2, n> const of_tensors = associative_scan<how{.axis = 1}>(plus, x);
  EXPECT_EQ(list<float>(of_tensors.begin(), of_tensors.end()), meant[0]);
  tensor<float, rows, n> const named(x);
  EXPECT_EQ(numbers<float>(recorded::run(f, named)[0]), meant[0]);
}
// (m, c): apply a, then b; in reverse the later ones come first.
TEST(associative_scan, of_structures_that_do_not_commute) {
  for (int turn = 0; turn < 2; ++turn) {
    auto const m = counted<int, 9>(), c = counted<int, 9>();
    auto const f = [](auto a, auto b) {
      return std::pair(associative_scan(affine, std::pair(a, b)),
                       associative_scan<how{.axis = -1, .reverse = true}>(affine, std::pair(a, b)));
    };
    auto const out = recorded::run(f, m, c);
    for (bool reverse : {false, true})
      for (int i = 0; i < 9; ++i) {
        int const step = reverse ? -1 : 1;
        int scale = 1, shift = 0;
        for (int k = reverse ? 8 : 0; k != i + step; k += step) {
          shift = shift * m(k) + c(k);
          scale *= m(k);
        }
        EXPECT_EQ(static_cast<int>(out[2 * reverse][i]), scale) << i;
        EXPECT_EQ(static_cast<int>(out[2 * reverse + 1][i]), shift) << i;
      }
  }
}
TEST(associative_scan, exclusive_and_short) {
  auto const plus = [](auto a, auto b) { return a + b; };
  EXPECT_EQ(
      values<int>([&](auto a) { return associative_scan(plus, a, 0); }, tensor<int, 4>{1, 2, 3, 4}),
      (list<int>{0, 1, 3, 6}));
  EXPECT_EQ(values<int>([&](auto a) { return associative_scan<how{.reverse = true}>(plus, a, 9); },
                        tensor<int, 4>{1, 2, 3, 4}),
            (list<int>{9, 7, 4, 9}));
  EXPECT_EQ(values<int>([&](auto a) { return associative_scan(plus, a, 7); }, tensor<int, 1>{5}),
            (list<int>{7}));
  EXPECT_EQ(values<int>([&](auto a) { return associative_scan(plus, a); }, tensor<int, 0>()),
            (list<int>{}));
  tensor<bool, 6> const b = {false, true, true, true, false, true};
  EXPECT_EQ(
      values<bool>([](auto a) { return associative_scan([](auto p, auto q) { return p ^ q; }, a); },
                   b),
      (list<bool>{false, true, false, true, true, false}));
}
TEST(associative_scan, cumulative_functions) {
  tensor<float, 5> const x = {1, -2, 3, 0.5f, -4};
  EXPECT_EQ(values<float>([](auto a) { return cumprod(a); }, x), (list<float>{1, -2, -6, -3, 12}));
  EXPECT_EQ(values<float>([](auto a) { return cummax(a); }, x), (list<float>{1, 1, 3, 3, 3}));
  EXPECT_EQ(values<float>([](auto a) { return cummin<0, reversed>(a); }, x),
            (list<float>{-4, -4, -4, -4, -4}));
  auto const l = values<float>([](auto a) { return cumlogsumexp(a); }, x);
  double total = 0;
  for (int i = 0; i < 5; ++i) {
    total += std::exp(static_cast<double>(x(i)));
    EXPECT_NEAR(l[static_cast<unsigned>(i)], std::log(total), 2e-6);
  }
  float const inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(values<float>([](auto a) { return cumlogsumexp(a); }, tensor<float, 2>{-inf, -inf}),
            (list<float>{-inf, -inf}));
  tensor<bf16, 3> const h = {256.0f, 1.0f, 1.0f}; // 256 + 1 + 1 rounds once
  EXPECT_EQ(values<bf16>([](auto a) { return cumsum(a); }, h)[2], bf16(258));
}
// scan: cummax_int32_9_ax0_rev, cumsum and cumlogsumexp with special values.
TEST(associative_scan, golden_cases) {
  EXPECT_EQ(values<int>([](auto a) { return cummax<0, reversed>(a); },
                        tensor<int, 9>{1, 33, 33, -18, -3, 34, 35, -37, -24}),
            (list<int>{35, 35, 35, 35, 35, 35, 35, -24, -24}));
  float const inf = std::numeric_limits<float>::infinity();
  auto const sums = values<float>([](auto a) { return cumsum(a); },
                                  tensor<float, 5>{1, inf, 2, -inf, 3});
  EXPECT_EQ(list<float>(sums.begin(), sums.begin() + 3), (list<float>{1, inf, inf}));
  EXPECT_TRUE(sums[3] != sums[3] && sums[4] != sums[4]);
  auto const logs = values<float>([](auto a) { return cumlogsumexp(a); },
                                  tensor<float, 6>{-inf, -inf, 0, 1, 100, -100});
  list<float> const expected = {-inf, -inf, 0, 1.31326162815094f, 100, 100};
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_TRUE(logs[i] == expected[i] || std::abs(logs[i] - expected[i]) < 3e-6f) << i;
}
// The same bits whether the extent is a number or a name.
TEST(associative_scan, named_extents) {
  constexpr auto f = [](auto a) {
    auto const both = std::pair(a, a * 2);
    return std::tuple(cumsum<0>(a), associative_scan<how{.reverse = true}>(affine, both),
                      associative_scan(affine, both, std::pair(1, 0)));
  };
  tensor<float, 13, 2> const fixed = counted<float, 13, 2>();
  tensor<float, rows, 2> const named = counted<float, rows, 2>(13);
  auto const a = recorded::run(f, fixed), b = recorded::run(f, named);
  for (int k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], b[k]) << k;
  for (int n : {0, 1}) EXPECT_EQ(recorded::run(f, counted<float, rows, 2>(n))[0].size(), 2 * n);
}
TEST(grad, of_associative_scan) {
  auto const loss = [](auto a) {
    return sum(associative_scan(affine, std::pair(a, a)).second * 0.5f);
  };
  auto const f = [&](auto a) { return value_and_grad(loss)(a); };
  auto const x = tensor<float, 4>{0.5f, -1, 2, 0.25f};
  auto const n = tensor<float, rows>(x);
  auto const fixed = recorded::run(f, x), named = recorded::run(f, n);
  EXPECT_EQ(fixed[1].words.size(), 4);
  for (int i = 0; i < 4; ++i) {
    auto at = [&](float by) {
      tensor<float, 4> y = x;
      y.mutate()(i) += by;
      return values<float>(loss, y)[0];
    };
    float const h = 1.0f / 64, slope = (at(h) - at(-h)) / (2 * h);
    EXPECT_NEAR(numbers<float>(fixed[1])[static_cast<unsigned>(i)], slope, 1e-3f);
    EXPECT_NEAR(numbers<float>(named[1])[static_cast<unsigned>(i)], slope, 1e-3f);
  }
}

} // namespace
