// SPDX-License-Identifier: BSL-1.0
// Which element types the packs, kernels and block ops compute.
#pragma once

#include <weft/core/dtype.hpp>

namespace weft::inline v0 {
namespace cpu {

constexpr bool runs(dtype d) { return d <= dtype::bf16; }

} // namespace cpu
} // namespace weft::inline v0
