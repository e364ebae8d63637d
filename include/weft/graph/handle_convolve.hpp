// SPDX-License-Identifier: BSL-1.0
// The builder of convolve. Needs: handle.hpp, convolution.hpp.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/graph/handle.hpp>

namespace weft::inline v0 {

// `shape` is the result's: windows alone do not say it.
constexpr handle convolve(handle x, handle w, convolution const& c, extents const& shape,
                          dtype type, handle bias = {}) {
  handle const all[] = {x, w, bias};
  return emit(op::convolve, type, shape, {all, c.has_bias ? 3 : 2}, encode(c));
}

} // namespace weft::inline v0
