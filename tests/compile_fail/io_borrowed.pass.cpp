// SPDX-License-Identifier: BSL-1.0
#include <weft/io/npy.hpp>

auto example() { return weft::load_npy<weft::tensor<float, 2>>("x.npy"); }
