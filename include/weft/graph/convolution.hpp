// SPDX-License-Identifier: BSL-1.0
// The attributes of a convolve node: a contraction of x and w, some of whose axes are windows. An
// axis of x (index i), one of w (j) and one of the result (o) are bound by
//   i * spread = o * stride + j * dilation - low
// which says the same of all three, so that both derivatives are convolve nodes again: they bind
// the same axes by the same equation, solved for another one.
//   out[G, N, O, o] = sum over j, then C, of x[G, N, C, i] * w[G, O, C, j]
// Labels as in a contraction: G in all three, N in x and out, O in w and out, C in x and w; a
// window's three labels are in one array each. Where no i solves the equation (between two elements
// of a spread x) there is no term; beyond its ends x is zeros, which are terms.
// Order: one chain, acc = +0; acc = fma(x, w, acc); windows in their order, the first outermost, by
// ascending j; then the labels C as x has them. The bias is added in the accumulation type, then one
// rounding to the node's type.
// Leaves: one encoding, written by `encode`, read by `convolution_of`.
#pragma once

#include <weft/graph/attributes.hpp>

namespace weft::inline v0 {

struct convolution_window {
  extent x = 0, w = 0, out = 0;                // labels
  extent stride = 1, dilation = 1, spread = 1; // not zero; spread > 0
  extent low = 0;

  // The same equation, with a positive spread.
  constexpr convolution_window normal() const {
    if (spread > 0) return *this;
    return {x, w, out, -stride, -dilation, -spread, -low};
  }
  friend constexpr bool operator==(convolution_window const&, convolution_window const&) = default;
};

struct convolution {
  bool has_bias = false;
  int rank_x = 0, rank_w = 0, rank_out = 0, windows = 0;
  extent x[max_rank]{}, w[max_rank]{}, out[max_rank]{}; // labels
  convolution_window window[max_rank]{};

  static constexpr int find(extent const (&labels)[max_rank], int rank, extent label) {
    return contraction::find(labels, rank, label);
  }
  constexpr int in_x(extent label) const { return find(x, rank_x, label); } // the axis, or -1
  constexpr int in_w(extent label) const { return find(w, rank_w, label); }
  constexpr int in_out(extent label) const { return find(out, rank_out, label); }
};

inline constexpr int convolution_head = 4, window_numbers = 7;

constexpr growing<extent> encode(convolution const& c) {
  growing<extent> r;
  r.reserve(convolution_head + c.rank_x + c.rank_w + c.rank_out + window_numbers * c.windows);
  r.push(c.has_bias ? 1 : 0);
  for (int n : {c.rank_x, c.rank_w, c.windows}) r.push(n);
  for (int i = 0; i < c.windows; ++i) {
    convolution_window const& v = c.window[i];
    for (extent n : {v.x, v.w, v.out, v.stride, v.dilation, v.spread, v.low}) r.push(n);
  }
  for (int i = 0; i < c.rank_x; ++i) r.push(c.x[i]);
  for (int i = 0; i < c.rank_w; ++i) r.push(c.w[i]);
  for (int i = 0; i < c.rank_out; ++i) r.push(c.out[i]);
  return r;
}
constexpr convolution convolution_of(view<extent> attributes) {
  convolution c;
  c.has_bias = attributes[0] != 0;
  c.rank_x = static_cast<int>(attributes[1]);
  c.rank_w = static_cast<int>(attributes[2]);
  c.windows = static_cast<int>(attributes[3]);
  int at = convolution_head;
  for (int i = 0; i < c.windows; ++i, at += window_numbers)
    c.window[i] = {attributes[at],     attributes[at + 1], attributes[at + 2], attributes[at + 3],
                   attributes[at + 4], attributes[at + 5], attributes[at + 6]};
  c.rank_out = attributes.size() - at - c.rank_x - c.rank_w;
  for (int i = 0; i < c.rank_x; ++i) c.x[i] = attributes[at++];
  for (int i = 0; i < c.rank_w; ++i) c.w[i] = attributes[at++];
  for (int i = 0; i < c.rank_out; ++i) c.out[i] = attributes[at++];
  return c;
}
constexpr convolution convolution_of(graph_view g, int id) {
  return convolution_of(g.attributes_of(id));
}

// The same equation with its three axes in other roles, by the arrays that take them:
//   by_input    x from (dout, w)        by_filter    w from (x, dout)
constexpr convolution by_input(convolution const& c) {
  convolution d;
  detail::copy_labels(c.out, c.rank_out, d.x, d.rank_x);
  detail::copy_labels(c.w, c.rank_w, d.w, d.rank_w);
  detail::copy_labels(c.x, c.rank_x, d.out, d.rank_out);
  for (convolution_window const& v : view<convolution_window>(c.window, c.windows))
    d.window[d.windows++] =
        convolution_window{v.out, v.w, v.x, v.spread, -v.dilation, v.stride, -v.low}.normal();
  return d;
}
constexpr convolution by_filter(convolution const& c) {
  convolution d;
  detail::copy_labels(c.x, c.rank_x, d.x, d.rank_x);
  detail::copy_labels(c.out, c.rank_out, d.w, d.rank_w);
  detail::copy_labels(c.w, c.rank_w, d.out, d.rank_out);
  for (convolution_window const& v : view<convolution_window>(c.window, c.windows))
    d.window[d.windows++] = {v.x, v.out, v.w, v.dilation, v.stride, v.spread, v.low};
  return d;
}
// A label that no array has, as the outermost of the result and of those that `x` and `w` name.
constexpr convolution with_outer_label(convolution c, bool x, bool w) {
  extent const fresh = detail::label_beyond(
      {{c.x, c.rank_x}, {c.w, c.rank_w}, {c.out, c.rank_out}});
  if (x) put_first(c.x, c.rank_x, fresh);
  if (w) put_first(c.w, c.rank_w, fresh);
  put_first(c.out, c.rank_out, fresh);
  return c;
}

} // namespace weft::inline v0
