// SPDX-License-Identifier: BSL-1.0
// The shape rules of gather, scatter, arg_reduce and arg_sort (docs/ops.md).
// Needs: a node whose indices, operand and attribute counts are sound. Leaves: the rule that it
// breaks, or none.
#pragma once

#include <weft/graph/gather_dims.hpp>
#include <weft/graph/limits.hpp>
#include <weft/graph/rules.hpp>

namespace weft::inline v0 {
namespace detail {

class gather_rules {
public:
  constexpr gather_rules(graph_view g, int id) : g_(g), id_(id) {}

  constexpr rule gather() const {
    if (rule const r = windows(1, g_.shape(id_)); r != rule::unbroken) return r;
    return g_.attribute(id_, 1) == 0 ? rule::unbroken : rule::gather_1;
  }
  constexpr rule scatter() const {
    if (rule const r = windows(2, shape(1)); r != rule::unbroken)
      return r == rule::gather_4 ? rule::scatter_2 : r;
    if (!(g_.shape(id_) == shape(0))) return rule::scatter_1;
    scatter_combine const how = gather_of(g_, id_).combine;
    bool const sums = how == scatter_combine::add || how == scatter_combine::mul;
    return sums && g_[id_].type == dtype::boolean ? rule::scatter_3 : rule::unbroken;
  }
  constexpr rule arg_reduce() const {
    extent const axes = g_.attribute(id_, 0), which = g_.attribute(id_, 1);
    if (axes <= 0 || axes >= (extent{1} << shape(0).rank) || which < 0 || which > 1)
      return rule::arg_reduce_1;
    if (g_[id_].type != dtype::i32 || !(g_.shape(id_) == without_axes(shape(0), axes)))
      return rule::arg_reduce_2;
    extents reduced;
    for (int i = 0; i < shape(0).rank; ++i)
      if (has_axis(axes, i)) reduced.push(shape(0)[i]);
    for (int i = 0; i < reduced.rank; ++i)
      if (reduced[i] == 0) return rule::arg_reduce_3;
    return elements_of(reduced) <= most_extent ? rule::unbroken : rule::arg_reduce_3;
  }
  constexpr rule arg_sort() const {
    int const keys = g_[id_].operand_count;
    if (keys == 0 || keys > 62) return rule::arg_sort_1;
    extent const axis = g_.attribute(id_, 0), descending = g_.attribute(id_, 1);
    if (axis < 0 || axis >= shape(0).rank || descending < 0 || descending >> keys != 0)
      return rule::arg_sort_1;
    if (g_[id_].type != dtype::i32) return rule::arg_sort_2;
    for (int k = 0; k < keys; ++k)
      if (!(shape(k) == g_.shape(id_))) return rule::arg_sort_2;
    return rule::unbroken;
  }

private:
  constexpr extents const& shape(int k) const { return g_.shape(g_.operand(id_, k)); }
  constexpr static bool is_one_of(extent axis, int rank) { return 0 <= axis && axis < rank; }

  // The lists are as long as the attributes say, name axes that there are, each once.
  constexpr bool has_lists(int indices) const {
    view<extent> const a = g_.attributes_of(id_);
    int const x = shape(0).rank, i = shape(indices).rank;
    if (a[0] < 0 || a[0] > 1 || !is_one_of(a[1], scatter_combine_count)) return false;
    if (a[2] < 0 || !is_one_of(a[3], 1 << x) || !is_one_of(a[4], i + 1)) return false;
    if (!is_one_of(a[5], x + 1) || !is_one_of(a[6], x + 1)) return false;
    if (a.size() != gather_head + 2 * a[5] + a[6] + x) return false;
    gather_dims const d = gather_of(a);
    return names_axes(d, i);
  }
  constexpr bool names_axes(gather_dims const& d, int index_rank) const {
    extent operand = d.collapsed, starts = 0, index = extent{1} << d.index_axis;
    for (int i = 0; i < d.batches; ++i)
      if (!adds(operand, d.operand_batch[i], d.rank) || !adds(index, d.index_batch[i], index_rank))
        return false;
    for (int i = 0; i < d.batches; ++i) starts |= extent{1} << d.operand_batch[i];
    for (int i = 0; i < d.mapped; ++i)
      if (!adds(starts, d.map[i], d.rank)) return false;
    return true;
  }
  static constexpr bool adds(extent& set, extent axis, int rank) {
    if (!is_one_of(axis, rank) || has_axis(set, static_cast<int>(axis))) return false;
    set |= extent{1} << axis;
    return true;
  }
  constexpr rule windows(int indices, extents const& result) const {
    if (!has_lists(indices)) return rule::gather_1;
    gather_dims const d = gather_of(g_, id_);
    extents const& at = shape(indices);
    extent const components = d.index_axis < at.rank ? at[d.index_axis] : 1;
    if (g_[g_.operand(id_, indices)].type != dtype::i32 || components != d.mapped)
      return rule::gather_2;
    if (!windows_fit(d)) return rule::gather_3;
    extents const window = window_shape(d);
    int const rank = window.rank + window_counts(d, at).rank;
    int bits = 0;
    for (int i = 0; i < max_rank; ++i) bits += has_axis(d.window_axes, i);
    if (rank > max_rank || bits != window.rank || d.window_axes >> rank != 0 ||
        !(result == gather_shape(d, at)))
      return rule::gather_4;
    for (int i = 0; i < d.batches; ++i)
      if (shape(0)[static_cast<int>(d.operand_batch[i])] != at[static_cast<int>(d.index_batch[i])])
        return rule::gather_5;
    return rule::unbroken;
  }
  constexpr bool windows_fit(gather_dims const& d) const {
    for (int i = 0; i < d.rank; ++i) {
      extent const window = d.window[i], whole = shape(0)[i];
      if (!d.in_window(i)) {
        bool const none = whole == 0 && !d.is_batch(i) && !d.drop;
        if (window != 1 || none) return false;
      } else if (is_named(window) ? window != whole
                                  : window < 0 || (!is_named(whole) && window > whole))
        return false;
    }
    return true;
  }

  graph_view g_;
  int id_;
};

} // namespace detail
} // namespace weft::inline v0
