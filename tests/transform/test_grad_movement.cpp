// SPDX-License-Identifier: BSL-1.0
// build: alone
// Gradients through movement and statistics. A movement f is linear: the gradient of sum(f(x) w)
// at element i is sum(f(e_i) w), exactly, for small integers. Statistics have closed forms.
#include "lang/recorded.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/grids.hpp>
#include <weft/lang/padding.hpp>
#include <weft/lang/repetition.hpp>
#include <weft/lang/statistics.hpp>
#include <weft/lang/transforms.hpp>

#include <cmath>

namespace {

using recorded::values;
using weft::pad_mode, weft::padding, weft::tensor;

// Different weights for all elements.
template <class Y> auto weighed(Y const& y) {
  auto flat = weft::ravel(y);
  constexpr auto count = weft::extent_argument_of<decltype(flat)::shape_type::value[0]>;
  return weft::sum(flat * weft::arange<float, count>(1, 1));
}
template <class F, auto... E>
void expect_linear_gradient(F const& f, tensor<float, E...> const& x) {
  auto const total = [&](auto a) { return weighed(f(a)); };
  auto const gradient = [&](auto a) { return weft::value_and_grad(total)(a).second; };
  auto const got = values<float>(gradient, x);
  ASSERT_EQ(got.size(), static_cast<std::size_t>(x.size()));
  for (int i = 0; i < x.size(); ++i) {
    tensor<float, E...> unit;
    {
      auto m = unit.mutate();
      m.data()[i] = 1;
    }
    EXPECT_EQ(got[static_cast<unsigned>(i)], values<float>(total, unit)[0]) << i;
  }
}

constexpr padding reflect{.low = 4, .high = 3, .mode = pad_mode::reflect};
constexpr padding edge{.low = 1, .high = 2, .mode = pad_mode::edge};
constexpr padding spread{.low = -1, .high = 2, .interior = 1};

TEST(grad_movement, linear_functions) {
  tensor<float, 3, 4> const x = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  auto const check = [&](auto f) { expect_linear_gradient(f, x); };
  check([](auto a) { return weft::pad<edge, reflect>(a); });
  check([](auto a) { return weft::roll<5, 0, 1>(weft::pad<1, spread>(a)); });
  check([](auto a) { return weft::roll<1>(a, 3); });
  check([](auto a) { return weft::tile<2, 1>(weft::repeat<2, 1>(a)); });
  check([](auto a) { return weft::stack<1>(weft::tril(a), weft::triu<1>(a * 2)); });
  check([](auto a) { return weft::diff<2>(weft::swap_axes<0, 1>(a)); });
  check([](auto a) { return weft::meshgrid(weft::at<"0">(a), weft::at<":, 1">(a))[1]; });
  check([](auto a) { return weft::concat<0>(weft::split<2, 1>(a)[1], weft::at<"::-2, 1:3">(a)); });
  check([](auto a) { return weft::set<"$, ::2">(a, 1, weft::at<"0, :2">(a)); });
}
TEST(grad_movement, statistics) {
  tensor<float, 4> const x = {1, 2, 4, 7};
  auto const of = [&](auto f) {
    return values<float>([&](auto a) { return weft::value_and_grad(f)(a).second; }, x);
  };
  auto const variance = of([](auto a) { return weft::var<weft::ddof{1}>(a); });
  auto const length = of([](auto a) { return weft::norm(a); });
  auto const lse = of([](auto a) { return weft::logsumexp(a); });
  double total = 0;
  for (float v : x) total += std::exp(v);
  for (int i = 0; i < 4; ++i) {
    auto const k = static_cast<unsigned>(i);
    EXPECT_NEAR(variance[k], 2 * (x(i) - 3.5) / 3, 1e-6);
    EXPECT_NEAR(length[k], x(i) / std::sqrt(70.0), 1e-6);
    EXPECT_NEAR(lse[k], std::exp(x(i)) / total, 1e-6);
  }
}

} // namespace
