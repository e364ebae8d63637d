// SPDX-License-Identifier: BSL-1.0
#include <weft/io/npy.hpp>

using sum = weft::tensor<float, 3>;

void example(sum x) { weft::save_npy("x.npy", x); }
