// SPDX-License-Identifier: BSL-1.0
#include <weft/io/npy.hpp>

struct params {
  weft::tensor<float, 2> w;
};

void example(params p) { weft::save_npy("x.npy", p.w); }
