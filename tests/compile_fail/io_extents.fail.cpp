// SPDX-License-Identifier: BSL-1.0
// expect: weft: io: extents follow an element type; write
#include <weft/io/npy.hpp>

auto example() { return weft::load_npy<weft::tensor<float, 2>, 3>("x.npy"); }
