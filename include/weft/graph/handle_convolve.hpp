// SPDX-License-Identifier: BSL-1.0
// Building convolve nodes, and their derivatives, over untyped handles (graph/handle.hpp).
// Needs: operands that agree with the labels. Leaves: nodes in the operands' recorder.
#pragma once

#include <weft/graph/conv_plan.hpp>
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

namespace detail {

// `type`: the result's: the operands', what they accumulate in, or one that holds both.
constexpr handle record_conv(conv_plan const& p, handle x, handle w, dtype type, handle bias = {}) {
  bool const own = type == x.type() || type == accumulator_of(x.type());
  auto const typed = [&](handle h) { return own ? h : convert(h, type); };
  convolution c = p.labels;
  c.has_bias = bias.valid();
  handle const node = convolve(reshape(typed(x), p.x), reshape(typed(w), p.w), c, p.node, type,
                               c.has_bias ? typed(bias) : bias);
  return reshape(node, p.shape);
}

} // namespace detail
} // namespace weft::inline v0
