// SPDX-License-Identifier: BSL-1.0
// convolve as convolution. Both bind i * spread = o * stride + j * dilation - low, where spread is
// the dilation of the left operand and low its padding, which may be negative.
//   one label at most of each kind (in x and the result: batch; in x and w: feature; in w and the
//   result: output feature), none in all three, strides and dilations above 0: the operation itself,
//   with axes of extent 1 for kinds that have no label. Its sums have the node's order.
//   all else: a composite (decompose_convolution.hpp).
// Needs: a graph that verify accepts, of numbers but for a batch axis. Leaves: the value of the node.
#pragma once

#include <weft/stablehlo/decompose_convolution.hpp>

namespace weft::inline v0::stablehlo::detail {

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

// Numbers above 0, but for a batch, which may be a name.
constexpr bool is_plain(extents const& s, extent const* labels, view<extent> batch) {
  for (int i = 0; i < s.rank; ++i) {
    bool const in_batch = batch.size() == 1 && labels[i] == batch[0];
    if (is_named(s[i]) ? !in_batch : s[i] == 0) return false;
  }
  return true;
}
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
  p.is = p.is && is_plain(x, c.x, l.batch) && is_plain(w, c.w, {}) && is_plain(out, c.out, l.batch);
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
  plain_convolution const p = plain_form(c, s.w.shape(x), s.w.shape(f), to);
  if (!p.is && (!is_static(to) || !is_static(s.w.shape(x)) || !is_static(s.w.shape(f))))
    raise<usage_error>(message("weft: stablehlo: convolve has no form for these named extents; "
                               "one batch axis may have a name"));
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
