// SPDX-License-Identifier: BSL-1.0
// build: alone long
// associative_scan and the cumulative functions: compiled, and of tensors.
#include "run/compiled.hpp"
#include "test_evaluate.hpp"

#include <weft/lang/associative_scan.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

#include <bit>
#include <cmath>
#include <tuple>

namespace {

using namespace weft;
using evaluated::expect_same, evaluated::listed, evaluated::numbers;
using test::check, test::filled;

constexpr sym n{"n"}, m{"m"};
using how = associative_scan_options;

constexpr auto affine = [](auto const& a, auto const& b) {
  return std::pair(a.first * b.first, a.second * b.first + b.second);
};
constexpr auto prefixes = [](auto x) {
  return std::tuple(cumsum<0>(x), cummax(x),
                    associative_scan<how{.reverse = true}>(affine, std::pair(x, x)));
};
constexpr auto loss = [](auto x) { return sum(cumlogsumexp<0, reversed>(x) * 0.5f); };

TEST(compiled_prefixes, with_and_without_names) {
  check<prefixes>(filled<float, 37, 3>(2));
  for (int e : {0, 1, 64, 130}) check<prefixes>(filled<float, n, 3>(2, e));
  check<value_and_grad(loss)>(filled<float, 9>(2));
}
// A sum of k elements is at most log2 k additions deep: within so many roundings of the sum of
// magnitudes (and of those roundings' products), whichever way and of whichever type.
constexpr auto both_ways = [](auto x) {
  return std::tuple(cumsum<0>(x), cumsum<0, reversed>(x), cumsum<1>(x), cumsum<1, reversed>(x));
};
template <class T> void expect_few_roundings(int height, int width) {
  constexpr double u = std::is_same_v<T, float> ? 0x1p-24 : 0x1p-53;
  tensor<T, n, m> x(height, width);
  unsigned state = static_cast<unsigned>(height + width);
  for (T& e : x.mutate()) {
    state = state * 1664525u + 1013904223u;
    e = static_cast<T>(static_cast<double>(state >> 8) * 0x1p-20 - 4);
  }
  auto const sums = jit<both_ways>(x);
  auto const line = [&](auto const& sum, int axis, bool reverse, int l) {
    int const length = axis == 0 ? height : width;
    auto const at = [&](auto const& t, int k) {
      int const i = reverse ? length - 1 - k : k;
      return static_cast<long double>(axis == 0 ? t(i, l) : t(l, i));
    };
    long double exact = 0, magnitude = 0;
    for (int k = 0; k < length; ++k) {
      exact += at(x, k);
      magnitude += std::abs(at(x, k));
      ASSERT_LE(std::abs(at(sum, k) - exact),
                static_cast<long double>(std::bit_width(static_cast<unsigned>(k)) * u * 1.001) *
                    magnitude)
          << height << " " << width << " " << axis << reverse << " " << k;
    }
  };
  for (int l = 0; l < width; ++l)
    line(std::get<0>(sums), 0, false, l), line(std::get<1>(sums), 0, true, l);
  for (int l = 0; l < height; ++l)
    line(std::get<2>(sums), 1, false, l), line(std::get<3>(sums), 1, true, l);
}
TEST(compiled_prefixes, few_roundings) {
  struct {
    int height, width;
  } const sizes[] = {{3, 1000}, {130, 37}, {5, 2100}, {1, 1}, {65, 16}, {4000, 3}, {70, 1030}};
  for (auto [height, width] : sizes) {
    expect_few_roundings<float>(height, width);
    expect_few_roundings<double>(height, width);
  }
}
TEST(evaluate, prefixes) {
  auto const x = numbers<float, 3, 5>();
  expect_same([](auto a) { return cumsum<1>(a * 2); }, x);
  expect_same([](auto a) { return cumprod<0, reversed>(a); }, x);
  expect_same([](auto a) { return cumlogsumexp(a); }, x);
  for (auto const& out :
       {associative_scan<how{.axis = 1}>(affine, std::pair(x, x)),
        associative_scan<how{.axis = 1}>(affine, std::pair(x, x), std::pair(1, 0))})
    EXPECT_EQ(out.first.shape(), x.shape());
  auto const f = [](auto a) {
    return std::pair(associative_scan<how{.axis = -1, .reverse = true}>(affine, std::pair(a, a)),
                     associative_scan<how{.axis = 1}>(affine, std::pair(a, a), std::pair(1, 0)));
  };
  auto const now = f(x);
  auto const compiled = jit<f>(x);
  EXPECT_EQ(listed(now.first.first), listed(compiled.first.first));
  EXPECT_EQ(listed(now.first.second), listed(compiled.first.second));
  EXPECT_EQ(listed(now.second.first), listed(compiled.second.first));
  EXPECT_EQ(listed(now.second.second), listed(compiled.second.second));
}

} // namespace
