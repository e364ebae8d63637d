// SPDX-License-Identifier: BSL-1.0
// expect: weft: save_npy: not one array; write eval(x) of an expression, and
#include <weft/io/npy.hpp>

struct params {
  weft::tensor<float, 2> w;
};

void example(params p) { weft::save_npy("x.npy", p); }
