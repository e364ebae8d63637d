// SPDX-License-Identifier: BSL-1.0
// needs: png.h
// expect: weft: load_png: not the type of a PNG file's samples; write <uint8_t, rows, cols, 3>, with uint8_t, uint16_t or bool, rank 2 or 1 to 4 channels
#include <weft/io/png.hpp>

auto example() { return weft::load_png<float, 2, 3>("x.png"); }
