// SPDX-License-Identifier: BSL-1.0
// expect: weft: io: not made of tensors; load tensors and structs of tensors, and
#include <weft/io/npy.hpp>

auto example() { return weft::load_npy<weft::borrowed<float, 2>>("x.npy"); }
