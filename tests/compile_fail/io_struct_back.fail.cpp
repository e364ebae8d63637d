// SPDX-License-Identifier: BSL-1.0
// expect: weft: load_npy: not one array; write <float, 2, 3>, and load_npz
#include <weft/io/npy.hpp>

struct params {
  weft::tensor<float, 2> w;
};

auto example() { return weft::load_npy<params>("x.npy"); }
