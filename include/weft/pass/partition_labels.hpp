// SPDX-License-Identifier: BSL-1.0
// op_labels: what partitioning must know of an op, as an einsum says it: axes of operands and of the
// result that have one label are split alike, and each rank computes the op on its parts; an axis
// without a label must be whole on every rank. A label that only operands have is combined away: what
// ranks compute then are partial results, to be combined over the mesh axes that split the label.
//   elementwise              i, i -> i                   contract, convolve   their own labels; windows whole
//   broadcast, transpose     as they map axes            reduce_*             reduced axes are combined
//   slice, pad, reverse, window, overlap_add, concat, arg_sort, arg_reduce, dynamic_slice and _update_slice
//                            axes that they leave alone  gather, scatter      batches, whole windows, counts
// Everything else, and what is not said here: no labels, so whole operands and results: right, if slow.
// Needs: a verified graph. Leaves: labels 0 to 7 are axes of the result, 8 to 30 combined away.
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/graph/convolution.hpp>
#include <weft/graph/gather_dims.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/window_list.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace detail {

struct op_labels {
  static constexpr int listed = 4; // operands with labels of their own
  bool alike = false;              // all operands have the labels of the first
  bool combines = false;           // labels that the result lacks may be split
  collective_combine how = collective_combine::add;
  unsigned once = 0;  // of combined results: operands that count once, not once per rank
  bool makes = false; // the result's axes may be split whatever operands are
  signed char label[listed][max_rank];

  constexpr op_labels() {
    for (auto& operand : label)
      for (signed char& l : operand) l = -1;
  }
  constexpr int of(int operand, int axis) const {
    int const k = alike ? 0 : operand;
    return k < listed && axis < max_rank ? label[k][axis] : -1;
  }
  constexpr int axis_of(int operand, int l) const {
    int const k = alike ? 0 : operand;
    for (int i = 0; k < listed && i < max_rank; ++i)
      if (label[k][i] == l) return i;
    return -1;
  }
  // May the result be split along this axis of its own?
  constexpr bool splits(int axis) const {
    return makes || axis_of(0, axis) >= 0 || (!alike && axis_of(1, axis) >= 0);
  }
};
// Is a label one of the result's axes?
constexpr bool stays(int label) { return label >= 0 && label < max_rank; }

class label_reader {
public:
  op_labels r;

  constexpr label_reader(graph_view g, int id) : g_(g), id_(id) {}

  constexpr void read() {
    if (is_elementwise(g_[id_].code)) return all_alike();
    switch (g_[id_].code) {
      case op::broadcast: return broadcast();
      case op::transpose:
        for (int i = 0; i < rank(); ++i) set(0, static_cast<int>(attribute(i)), i);
        return;
      case op::slice:
        for (int i = 0; i < rank(); ++i)
          if (takes_whole(in(0), g_.attributes_of(id_), i)) set(0, i, i);
        return;
      case op::reverse: return all_but(attribute(0));
      case op::window:
      case op::overlap_add: return windows();
      case op::pad:
        for (int i = 0; i < rank(); ++i)
          if (attribute(i) == 0 && attribute(rank() + i) == 0 && attribute(2 * rank() + i) == 0)
            set(0, i, i);
        return;
      case op::concat:
      case op::arg_sort: return all_but(extent{1} << attribute(0));
      case op::observe:
        if (attribute(0) != static_cast<extent>(observation::print)) all_alike();
        return;
      case op::dynamic_slice: return moved_window(0, out(), 1);
      case op::dynamic_update_slice: return moved_window(0, in(1), 2);
      case op::gather: return gather();
      case op::scatter: return scatter();
      case op::reduce_sum: return reduce(collective_combine::add);
      case op::reduce_prod: return reduce(collective_combine::mul);
      case op::reduce_max: return reduce(collective_combine::max);
      case op::reduce_min: return reduce(collective_combine::min);
      case op::arg_reduce: return kept_axes(attribute(0), false);
      case op::contract: return contract();
      case op::convolve: return convolve();
      default: return;
    }
  }

private:
  constexpr extents const& in(int k) const { return g_.shape(g_.operand(id_, k)); }
  constexpr extents const& out() const { return g_.shape(id_); }
  constexpr int rank() const { return out().rank; }
  constexpr extent attribute(int i) const { return g_.attribute(id_, i); }
  constexpr void set(int operand, int axis, int label) {
    r.label[operand][axis] = static_cast<signed char>(label);
  }

  constexpr void all_alike() { all_but(0); }
  constexpr void all_but(extent axes) {
    r.alike = true;
    for (int i = 0; i < rank(); ++i)
      if (!has_axis(axes, i)) set(0, i, i);
  }
  constexpr void broadcast() {
    r.makes = true;
    for (int i = 0; i < in(0).rank; ++i)
      if (int const to = static_cast<int>(attribute(i)); in(0)[i] == out()[to]) set(0, i, to);
  }
  // Windowed axes are whole, and so are those of the sizes, which stand behind.
  constexpr void windows() {
    window_list const list(g_.attributes_of(id_));
    int const axes = g_[id_].code == op::window ? in(0).rank : rank();
    for (int i = 0; i < axes; ++i)
      if (list.at(i) < 0) set(0, i, i);
  }
  // A window that starts anywhere; axes of which it has all are left alone.
  constexpr void moved_window(int whole, extents const& window, int operands) {
    for (int i = 0; i < rank(); ++i)
      if (in(whole)[i] == window[i])
        for (int k = 0; k < operands; ++k) set(k, i, i);
  }
  constexpr void kept_axes(extent reduced, bool combined) {
    for (int i = 0, to = 0; i < in(0).rank; ++i)
      if (!has_axis(reduced, i)) set(0, i, to++);
      else if (combined) set(0, i, max_rank + i);
  }
  constexpr void reduce(collective_combine how) {
    r.combines = true;
    r.how = how;
    kept_axes(attribute(0), true);
  }
  // Axes of the windows of x (operand 0), and of those that count windows; `values`: what has both,
  // the result or the operand of updates; indices stand last.
  constexpr void gather_axes(int values, bool combined) {
    gather_dims const d = gather_of(g_, id_);
    int const indices = g_[id_].operand_count - 1;
    extents const& shape = values < 0 ? out() : in(values);
    int window_axis[max_rank]{}, count_axis[max_rank]{}, windows = 0, counts = 0;
    for (int i = 0; i < shape.rank; ++i)
      if (has_axis(d.window_axes, i)) window_axis[windows++] = i;
      else count_axis[counts++] = i;
    for (int i = 0, w = 0; i < d.rank; ++i) {
      if (!d.in_window(i)) continue;
      int const at = window_axis[w++];
      bool moved = d.window[i] != in(0)[i];
      for (int k = 0; k < d.mapped; ++k) moved |= d.map[k] == i;
      if (moved) continue;
      set(0, i, values < 0 ? at : i);
      if (values > 0) set(values, at, i);
    }
    for (int i = 0, c = 0; i < in(indices).rank; ++i) {
      if (i == d.index_axis) continue;
      int const at = count_axis[c++];
      int walked = -1; // the axis of x that is walked in step
      for (int k = 0; k < d.batches; ++k)
        if (d.index_batch[k] == i) walked = static_cast<int>(d.operand_batch[k]);
      int const label = values < 0 ? at : walked >= 0 ? walked : combined ? max_rank + i : -1;
      if (walked >= 0) set(0, walked, label);
      set(indices, i, label);
      if (values > 0) set(values, at, label);
    }
  }
  constexpr void gather() { gather_axes(-1, false); }
  // Updates that are added up may be any rank's; x counts once. (Of 16-bit floats every update is
  // rounded: their order is the program's.)
  constexpr void scatter() {
    scatter_combine const how = gather_of(g_, id_).combine;
    bool const adds = how == scatter_combine::add && accumulator_of(g_[id_].type) == g_[id_].type;
    r.combines = adds;
    r.once = 1; // x
    gather_axes(1, adds);
  }
  template <class Labels>
  constexpr void products(Labels const& c, extent const* a, int rank_a, extent const* b,
                          int rank_b) {
    r.combines = true;
    r.once = 12; // start, bias
    for (int i = 0; i < c.rank_out; ++i)
      for (int k = 2; k < op_labels::listed; ++k) set(k, i, i); // start, bias
    for (int i = 0; i < rank_a; ++i) {
      int const at = Labels::find(c.out, c.rank_out, a[i]);
      set(0, i, at >= 0 ? at : max_rank + i);
    }
    for (int i = 0; i < rank_b; ++i) {
      int const at = Labels::find(c.out, c.rank_out, b[i]);
      for (int k = 0; at < 0 && k < rank_a; ++k)
        if (a[k] == b[i]) set(1, i, max_rank + k);
      if (at >= 0) set(1, i, at);
    }
  }
  constexpr void contract() {
    contraction const c = contraction_of(g_, id_);
    products(c, c.a, c.rank_a, c.b, c.rank_b);
  }
  constexpr void convolve() {
    convolution const c = convolution_of(g_, id_);
    products(c, c.x, c.rank_x, c.w, c.rank_w);
    for (int i = 0; i < c.windows; ++i) {
      set(0, c.in_x(c.window[i].x), -1);
      set(1, c.in_w(c.window[i].w), -1);
      for (int k = 2; k < op_labels::listed; ++k) set(k, c.in_out(c.window[i].out), -1);
    }
  }

  graph_view g_;
  int id_;
};
constexpr op_labels labels_of(graph_view g, int id) {
  label_reader l(g, id);
  l.read();
  return l.r;
}

// What stands in a node's attributes as it is on one rank: limits of slices, sizes of whole windows.
constexpr growing<extent> local_attributes(graph_view g, int id, extents const& whole,
                                           extents const& part) {
  growing<extent> a(g.attributes_of(id));
  op const code = g[id].code;
  if (code == op::slice) {
    for (int i = 0; i < whole.rank; ++i)
      if (whole[i] != part[i]) a[whole.rank + i] = part[i];
  } else if (code == op::gather || code == op::scatter) {
    gather_dims const d = gather_of(g, id);
    for (int i = 0; i < d.rank; ++i)
      if (whole[i] != part[i] && d.in_window(i)) a[a.size() - d.rank + i] = part[i];
  }
  return a;
}

} // namespace detail
} // namespace weft::inline v0
