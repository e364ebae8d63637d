// SPDX-License-Identifier: BSL-1.0
#include <weft/io/npy.hpp>

struct params {
  weft::tensor<float, 2> w;
};

auto example() { return params{weft::load_npy<float, 2>("x.npy")}; }
