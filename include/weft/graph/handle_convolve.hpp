// SPDX-License-Identifier: BSL-1.0
// Building convolve nodes, and their derivatives, over untyped handles (graph/handle.hpp).
// Needs: operands that agree with the labels. Leaves: nodes in the operands' recorder.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/graph/handle.hpp>

namespace weft::inline v0 {

// `type` is the result's, `shape` too: what windows leave of an axis is not in the attributes.
constexpr handle convolve(handle x, handle w, convolution const& c, extents const& shape,
                          dtype type, handle bias = {}) {
  growing<handle> all;
  all.push(x);
  all.push(w);
  if (c.has_bias) all.push(bias);
  return emit(op::convolve, type, shape, all, encode(c));
}

} // namespace weft::inline v0
