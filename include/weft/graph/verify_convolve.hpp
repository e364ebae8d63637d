// SPDX-License-Identifier: BSL-1.0
// The shape rules of convolve (docs/ops.md).
// Needs: a node whose indices are sound, of two operands and `convolution_head` attributes at least.
// Leaves: the rule that it breaks, or none.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/graph/limits.hpp>
#include <weft/graph/rules.hpp>

namespace weft::inline v0 {
namespace detail {

class convolve_rules {
public:
  constexpr convolve_rules(graph_view g, int id) : g_(g), id_(id) {}

  constexpr rule broken() const {
    if (!has_labels()) return rule::convolve_1;
    convolution const c = convolution_of(g_, id_);
    if (!in_range({c.x, c.rank_x}) || !in_range({c.w, c.rank_w}) || !in_range({c.out, c.rank_out}))
      return rule::convolve_1;
    if (!all_distinct({c.x, c.rank_x}) || !all_distinct({c.w, c.rank_w}) ||
        !all_distinct({c.out, c.rank_out}))
      return rule::convolve_2;
    if (!has_windows(c)) return rule::convolve_3;
    for (int i = 0; i < c.windows; ++i)
      if (!has_numbers(c.window[i])) return rule::convolve_4;
    if (!extents_agree(c)) return rule::convolve_5;
    return types(c);
  }

private:
  // Of stride, dilation, spread and low: o * stride + j * dilation - low fits 64 bits.
  static constexpr extent most = extent{1} << 30;

  constexpr extents const& shape(int k) const { return g_.shape(g_.operand(id_, k)); }
  constexpr dtype type(int k) const { return g_[g_.operand(id_, k)].type; }

  constexpr bool has_labels() const {
    view<extent> const a = g_.attributes_of(id_);
    if (a[0] != 0 && a[0] != 1) return false;
    if (a[1] != shape(0).rank || a[2] != shape(1).rank || a[3] < 0 || a[3] > max_rank) return false;
    int const labels = shape(0).rank + shape(1).rank + g_.shape(id_).rank;
    return a.size() == convolution_head + window_numbers * static_cast<int>(a[3]) + labels &&
           g_[id_].operand_count == 2 + static_cast<int>(a[0]);
  }
  static constexpr bool in_range(view<extent> labels) {
    for (extent l : labels)
      if (l < 0 || l > most_extent) return false;
    return true;
  }
  static constexpr int arrays_with(convolution const& c, extent label) {
    return (c.in_x(label) >= 0) + (c.in_w(label) >= 0) + (c.in_out(label) >= 0);
  }
  // A window's labels stand in its own three places only; the others in two or three arrays.
  static constexpr bool has_windows(convolution const& c) {
    int alone = 0;
    for (int i = 0; i < c.windows; ++i) {
      convolution_window const& v = c.window[i];
      if (c.in_x(v.x) < 0 || c.in_w(v.w) < 0 || c.in_out(v.out) < 0) return false;
      for (extent label : {v.x, v.w, v.out})
        if (arrays_with(c, label) != 1) return false;
      for (int j = 0; j < i; ++j)
        if (c.window[j].x == v.x || c.window[j].w == v.w || c.window[j].out == v.out) return false;
    }
    for (extent label : view<extent>(c.x, c.rank_x)) alone += arrays_with(c, label) == 1;
    for (extent label : view<extent>(c.w, c.rank_w)) alone += arrays_with(c, label) == 1;
    for (extent label : view<extent>(c.out, c.rank_out)) alone += arrays_with(c, label) == 1;
    return alone == 3 * c.windows;
  }
  static constexpr bool has_numbers(convolution_window const& v) {
    for (extent n : {v.stride, v.dilation, v.spread, v.low})
      if (!is_within(n, most)) return false;
    return v.stride != 0 && v.dilation != 0 && v.spread > 0;
  }
  constexpr bool extents_agree(convolution const& c) const {
    extents const &x = shape(0), &w = shape(1), &out = g_.shape(id_);
    for (int i = 0; i < c.rank_x; ++i) {
      if (int const j = c.in_w(c.x[i]); j >= 0 && w[j] != x[i]) return false;
      if (int const j = c.in_out(c.x[i]); j >= 0 && out[j] != x[i]) return false;
    }
    for (int i = 0; i < c.rank_w; ++i)
      if (int const j = c.in_out(c.w[i]); j >= 0 && out[j] != w[i]) return false;
    return true;
  }
  constexpr rule types(convolution const& c) const {
    dtype const in = type(0), accumulator = accumulator_of(in);
    if (g_[id_].type != in && g_[id_].type != accumulator) return rule::convolve_6;
    if (!c.has_bias) return rule::unbroken;
    bool const typed = type(2) == in || type(2) == accumulator;
    return typed && shape(2) == g_.shape(id_) ? rule::unbroken : rule::convolve_7;
  }

  graph_view g_;
  int id_;
};

} // namespace detail
} // namespace weft::inline v0
