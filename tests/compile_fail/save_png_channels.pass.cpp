// SPDX-License-Identifier: BSL-1.0
// needs: png.h
#include <weft/io/png.hpp>

void example(weft::tensor<float, 2, 3, 4> x) { weft::save_png("x.png", x); }
