// SPDX-License-Identifier: BSL-1.0
// Any convolve node by one convolution: the labels of a kind are merged into one axis, and split
// again behind; labels of all three arrays are groups of features; a window with a negative dilation
// reads w reversed, one with a negative stride gives its result reversed.
// Needs: a node that verify accepts, of numbers. Leaves: the value that the function returns; its sums
// are in no order that anybody promises.
#pragma once

#include <weft/stablehlo/convolution_call.hpp>

namespace weft::inline v0::stablehlo::detail {

// An array of a convolution on its way to three kinds of axes: labels of the first kind, of the
// second, then the windows in their order.
struct convolution_form {
  growing<int> order; // of the array's axes
  extents merged;     // one extent for each of the two kinds, then the windows'
};
constexpr convolution_form form_of(view<extent> first, view<extent> second, view<extent> windows,
                                   extent const (&labels)[max_rank], int rank, extents const& s) {
  convolution_form f;
  auto take = [&](view<extent> of) {
    extent product = 1;
    for (extent l : of) {
      int const at = convolution::find(labels, rank, l);
      f.order.push(at);
      product *= s[at];
    }
    return product;
  };
  f.merged.push(take(first));
  f.merged.push(take(second));
  for (extent l : windows) f.merged.push(take({&l, 1}));
  return f;
}
constexpr growing<extent> joined(view<extent> a, view<extent> b) {
  growing<extent> r(a);
  r.append(b);
  return r;
}
constexpr growing<extent> as_extents(view<int> order) {
  growing<extent> r;
  for (int i : order) r.push(i);
  return r;
}

constexpr growing<char const*> merged_names(char const* first, char const* second, int windows) {
  growing<char const*> r;
  r.push(first);
  r.push(second);
  for (int i = 0; i < windows; ++i) r.push(window_names[i]);
  return r;
}

// Windows without a negative number, and which of them read w, or give the result, reversed.
struct forward_windows {
  growing<convolution_window> windows;
  growing<extent> w, out; // numbers of windows
};
constexpr forward_windows forward(convolution const& c, extents const& w, extents const& out) {
  forward_windows r;
  for (int i = 0; i < c.windows; ++i) {
    convolution_window v = c.window[i];
    extent const taps = w[c.in_w(v.w)], places = out[c.in_out(v.out)];
    if (v.dilation < 0) {
      v.low -= (taps - 1) * v.dilation;
      v.dilation = -v.dilation;
      r.w.push(i);
    }
    if (v.stride < 0) {
      v.low -= (places - 1) * v.stride;
      v.stride = -v.stride;
      r.out.push(i);
    }
    r.windows.push(v);
  }
  return r;
}
constexpr growing<extent> axes_behind(view<extent> windows) {
  growing<extent> r;
  for (extent i : windows) r.push(2 + i);
  return r;
}

// The decomposition: any convolution, in the accumulation type, with the node's axes.
constexpr int merged_convolution(module_writer& w, convolution const& c, int x, int f,
                                 extents const& to) {
  convolution_labels const l(c);
  dtype const type = accumulator_of(w.element(x));
  if (count_of(w.shape(x)) == 0 || count_of(w.shape(f)) == 0 || count_of(to) == 0)
    return number(w, 0, type, to);
  forward_windows const straight = forward(c, w.shape(f), to);
  auto const in_x = window_labels(c, &convolution_window::x),
             in_w = window_labels(c, &convolution_window::w),
             in_out = window_labels(c, &convolution_window::out);
  convolution_form const of_x = form_of(l.batch, joined(l.groups, l.feature), in_x, c.x, c.rank_x,
                                        w.shape(x)),
                         of_w = form_of(joined(l.groups, l.output), l.feature, in_w, c.w, c.rank_w,
                                        w.shape(f)),
                         of_out = form_of(l.batch, joined(l.groups, l.output), in_out, c.out,
                                          c.rank_out, to);
  convolution_call call{straight.windows, 1, of_x.merged, of_w.merged, of_out.merged};
  for (extent g : l.groups) call.groups *= w.shape(x)[c.in_x(g)];
  x = reshape(w, transpose(w, x, as_extents(of_x.order)), call.x);
  f = reshape(w, transpose(w, f, as_extents(of_w.order)), call.w);
  f = reverse(w, f, axes_behind(straight.w));
  dimension_text names;
  names.list(merged_names("b", "f", c.windows));
  names.text.add("x");
  names.list(merged_names("o", "i", c.windows));
  names.text.add("->");
  names.list(merged_names("b", "f", c.windows));
  int const both[] = {x, f};
  int y = w.emit(code::convolution, {both, 2}, type, call.out,
                 convolution_attributes(w, call, names.text.c_str()));
  y = reverse(w, y, axes_behind(straight.out));
  extents split;
  growing<extent> back(c.rank_out, 0);
  for (int i = 0; i < of_out.order.size(); ++i) {
    split.push(to[of_out.order[i]]);
    back[of_out.order[i]] = i;
  }
  return transpose(w, reshape(w, y, split), back);
}
constexpr int convolution_body(module_writer& w, convolution const& c, view<int> x, dtype type,
                               extents const& to) {
  return with_bias(w, merged_convolution(w, c, x[0], x[1], to), c.has_bias ? x[2] : -1, type);
}

} // namespace weft::inline v0::stablehlo::detail
