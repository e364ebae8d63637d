// SPDX-License-Identifier: BSL-1.0
#include "model.hpp"

params<weft::tensor> trained(int steps, inputs const& x, targets const& y) {
  params<weft::tensor> p;
  for (int i = 0; i < steps; ++i) p = weft::jit<step>(p, x, y).first;
  return p;
}

float mean_of_squares(targets const& x) {
  weft::tensor<float> const mean = weft::mean(x * x);
  return static_cast<float>(mean);
}
