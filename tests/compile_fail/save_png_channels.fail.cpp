// SPDX-License-Identifier: BSL-1.0
// needs: png.h
// expect: weft: save_png: not a picture; write an array (h, w) or (h, w, 1 to 4) of uint8_t, uint16_t, bool or floats, and eval(x) of an expression
#include <weft/io/png.hpp>

void example(weft::tensor<float, 2, 3, 5> x) { weft::save_png("x.png", x); }
