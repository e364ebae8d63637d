// SPDX-License-Identifier: BSL-1.0
// What both sources of the consumer instantiate: a linear model and its training step.
#pragma once

#include <weft/weft.hpp>

#include <utility>

template <template <class, auto...> class array> struct params {
  array<float, 3> w;
  array<float> b;
};

inline constexpr auto loss = [](auto p, auto x, auto y) {
  return weft::mean(weft::square(weft::einsum<"bi,i->b">(x, p.w) + p.b - y));
};
inline constexpr auto step = [](auto p, auto x, auto y) {
  auto [value, grad] = weft::value_and_grad(loss)(p, x, y);
  return std::pair(weft::sgd(p, grad, 0.1f), value);
};

using inputs = weft::tensor<float, 4, 3>;
using targets = weft::tensor<float, 4>;
params<weft::tensor> trained(int steps, inputs const& x, targets const& y);
float mean_of_squares(targets const& x);
