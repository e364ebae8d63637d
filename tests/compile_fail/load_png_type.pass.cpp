// SPDX-License-Identifier: BSL-1.0
// needs: png.h
#include <weft/io/png.hpp>

#include <cstdint>

auto example() { return weft::load_png<std::uint8_t, 2, 3>("x.png"); }
