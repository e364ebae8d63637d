// SPDX-License-Identifier: BSL-1.0
// convolve as convolution. Both bind i * spread = o * stride + j * dilation - low, where spread is
// the dilation of the left operand and low its padding, which may be negative.
//   one label at most of each kind (in x and the result: batch; in x and w: feature; in w and the
//   result: output feature), none in all three, strides and dilations above 0: the operation itself,
//   with axes of extent 1 for kinds that have no label. Its sums have the node's order.
//   all else: a composite, whose decomposition
//     merges the labels of a kind into one axis, splits them again behind; labels of all three are
//     groups of features; a window with a negative dilation reads w reversed, one with a negative
//     stride gives its result reversed
// Needs: a graph that verify accepts, of numbers. Leaves: the value of the node.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/stablehlo/export_products.hpp>

namespace weft::inline v0::stablehlo::detail {

// Labels by where they stand; windows' are none of them.
struct convolution_labels {
  growing<extent> groups, batch, output, feature;

  constexpr explicit convolution_labels(convolution const& c) {
    for (int i = 0; i < c.rank_x; ++i) {
      extent const l = c.x[i];
      bool const in_w = c.in_w(l) >= 0, in_out = c.in_out(l) >= 0;
      if (in_w && in_out) groups.push(l);
      else if (in_w) feature.push(l);
      else if (in_out) batch.push(l);
    }
    for (int i = 0; i < c.rank_w; ++i)
      if (c.in_x(c.w[i]) < 0 && c.in_out(c.w[i]) >= 0) output.push(c.w[i]);
  }
  constexpr bool is_single() const {
    return groups.empty() && batch.size() <= 1 && output.size() <= 1 && feature.size() <= 1;
  }
};

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

// What the operation's attributes are made of, beside the labels.
struct convolution_call {
  growing<convolution_window> windows;
  extent groups = 1;
  extents x, w, out; // batch feature windows; output feature windows; batch output windows
};
// The padding behind that gives `places` results.
constexpr extent high_of(convolution_window const& v, extent x, extent w, extent places) {
  extent const spread = x == 0 ? 0 : (x - 1) * v.spread + 1, reach = (w - 1) * v.dilation + 1;
  if (places == 0) return reach - 1 - v.low - spread;
  return (places - 1) * v.stride + reach - v.low - spread;
}
constexpr growing<attribute> convolution_attributes(module_writer& w, convolution_call const& c,
                                                    char const* dimensions) {
  growing<extent> strides, padding, spreads, dilations;
  for (int i = 0; i < c.windows.size(); ++i) {
    convolution_window const& v = c.windows[i];
    strides.push(v.stride);
    padding.push(v.low);
    padding.push(high_of(v, c.x[2 + i], c.w[2 + i], c.out[2 + i]));
    spreads.push(v.spread);
    dilations.push(v.dilation);
  }
  growing<attribute> all; // what says the same as nothing does is left out
  auto list = [&](char const* name, growing<extent> const& numbers) {
    bool ones = true;
    for (extent n : numbers) ones &= n == 1;
    if (!ones) all.push(w.integers(name, numbers));
  };
  bool padded = false;
  for (extent n : padding) padded |= n != 0;
  all.push(w.integer("batch_group_count", 1));
  all.push(w.text("dimension_numbers", attribute_kind::labels, dimensions));
  all.push(w.integer("feature_group_count", c.groups));
  list("lhs_dilation", spreads);
  extents const pairs{2, {c.windows.size(), 2}};
  if (padded) all.push(w.matrix("padding", padding, pairs));
  all.push(full_precision(w));
  list("rhs_dilation", dilations);
  list("window_strides", strides);
  return all;
}

// "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]": arrays as form_of leaves them, or a node's own order.
class dimension_text {
public:
  message text;

  constexpr void list(view<char const*> names) {
    text.add("[");
    for (int i = 0; i < names.size(); ++i) text.add(i > 0 ? ", " : "").add(names[i]);
    text.add("]");
  }
};
inline constexpr char const* window_names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
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
constexpr growing<extent> window_labels(convolution const& c, extent convolution_window::*which) {
  growing<extent> r;
  for (int i = 0; i < c.windows; ++i) r.push(c.window[i].*which);
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

// The node's own axes, and one of extent 1 behind them for a kind without a label.
class plain_array {
public:
  growing<char const*> names;
  extents shape;

  constexpr plain_array(extent const* labels, int rank, extents const& s, view<extent> windows)
      : shape(s), labels_(labels), rank_(rank) {
    for (int i = 0; i < rank; ++i) names.push(name_of_window(windows, labels[i]));
  }
  constexpr void kind(view<extent> labels, char const* name) {
    if (labels.empty()) {
      if (names.size() == max_rank) fits = false;
      else shape.push(1);
      names.push(name);
    } else names[place(labels[0])] = name;
  }
  // batch feature windows, as convolution_call has them
  constexpr extents ordered(char const* first, char const* second) const {
    extents r;
    r.push(extent_of(first));
    r.push(extent_of(second));
    for (char const* w : window_names)
      for (int i = 0; i < names.size(); ++i)
        if (names[i] == w) r.push(shape[i]);
    return r;
  }
  bool fits = true;

private:
  static constexpr char const* name_of_window(view<extent> windows, extent label) {
    for (int i = 0; i < windows.size(); ++i)
      if (windows[i] == label) return window_names[i];
    return "";
  }
  constexpr int place(extent label) const {
    for (int i = 0; i < rank_; ++i)
      if (labels_[i] == label) return i;
    return 0;
  }
  constexpr extent extent_of(char const* name) const {
    for (int i = 0; i < names.size(); ++i)
      if (names[i] == name) return shape[i];
    return 1;
  }
  extent const* labels_;
  int rank_;
};
inline constexpr char const *batch_name = "b", *feature_name = "f", *output_name = "o",
                            *input_name = "i";

struct plain_convolution {
  bool is = false; // one operation says it
  plain_array x, w, out;
};
constexpr plain_convolution plain_form(convolution const& c, extents const& x, extents const& w,
                                       extents const& out) {
  convolution_labels const l(c);
  plain_convolution p{l.is_single(),
                      {c.x, c.rank_x, x, window_labels(c, &convolution_window::x)},
                      {c.w, c.rank_w, w, window_labels(c, &convolution_window::w)},
                      {c.out, c.rank_out, out, window_labels(c, &convolution_window::out)}};
  for (int i = 0; i < c.windows; ++i) p.is &= c.window[i].stride > 0 && c.window[i].dilation > 0;
  for (extents const* s : {&x, &w, &out}) p.is &= is_static(*s) && count_of(*s) > 0;
  if (!p.is) return p;
  p.x.kind(l.batch, batch_name);
  p.x.kind(l.feature, feature_name);
  p.w.kind(l.feature, input_name);
  p.w.kind(l.output, output_name);
  p.out.kind(l.batch, batch_name);
  p.out.kind(l.output, feature_name);
  p.is = p.x.fits && p.w.fits && p.out.fits;
  return p;
}
constexpr int export_convolution(export_scope& s, int id) {
  convolution const c = convolution_of(s.g, id);
  int const x = s.operand(id, 0), f = s.operand(id, 1);
  extents const to = s.g.shape(id);
  if (!is_static(to) || !is_static(s.w.shape(x)) || !is_static(s.w.shape(f)))
    raise<usage_error>(message("weft: stablehlo: convolve has no form for named extents"));
  plain_convolution const p = plain_form(c, s.w.shape(x), s.w.shape(f), to);
  if (!p.is) return call_own(s, id);
  convolution_call call{};
  for (int i = 0; i < c.windows; ++i) call.windows.push(c.window[i]);
  call.x = p.x.ordered(batch_name, feature_name);
  call.w = p.w.ordered(output_name, input_name);
  call.out = p.out.ordered(batch_name, feature_name);
  dimension_text names;
  names.list(p.x.names);
  names.text.add("x");
  names.list(p.w.names);
  names.text.add("->");
  names.list(p.out.names);
  int const both[] = {reshape(s.w, x, p.x.shape), reshape(s.w, f, p.w.shape)};
  int const sum = s.w.emit(code::convolution, {both, 2}, accumulator_of(s.w.element(x)),
                           p.out.shape, convolution_attributes(s.w, call, names.text.c_str()));
  return with_bias(s.w, reshape(s.w, sum, to), c.has_bias ? s.operand(id, 2) : -1, s.g[id].type);
}

} // namespace weft::inline v0::stablehlo::detail
