// SPDX-License-Identifier: BSL-1.0
// build: alone long
// associative_scan and the cumulative functions: compiled, and of tensors.
#include "run/compiled.hpp"
#include "test_evaluate.hpp"

#include <weft/lang/associative_scan.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>
#include <weft/run/evaluate.hpp>

namespace {

using namespace weft;
using evaluated::expect_same, evaluated::listed, evaluated::numbers;
using test::check, test::filled;

constexpr sym n{"n"};
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
