// SPDX-License-Identifier: BSL-1.0
// The normal form of a contraction with known extents and strides: four lists of axes
//   batch  in a, b and out        m  in a and out        n  in b and out        k  in a and b only
// so that   out[batch, m, n] = bias[batch, m, n] + sum over k of a[batch, m, k] * b[batch, k, n],
// where the sum continues start[batch, m, n]; bias and start only if they are declared.
// Needs: extents that are numbers and agree between the operands; strides count elements, and may
// be negative or zero (out's not zero). Labels may repeat within an operand (its diagonal).
// Leaves: no axis of extent 1; neighbours that every array walks as one are one; k in the stated
// order; with order chain, n is the side that out stores contiguously, if any; with order lanes, n
// is empty: what one side has free is m, and the other side's free labels are batch axes. `padding`: of
// a convolution's product, the first and last steps that multiply zeros around x.
#pragma once

#include <weft/core/extents.hpp>
#include <weft/graph/attributes.hpp>
#include <weft/pass/access.hpp>

namespace weft::inline v0 {
// One number per array: strides of an axis, or offsets of an element.
struct places {
  extent a = 0, b = 0, out = 0, bias = 0, start = 0;

  friend constexpr bool operator==(places const&, places const&) = default;
  friend constexpr places operator*(places const& p, extent n) {
    return {p.a * n, p.b * n, p.out * n, p.bias * n, p.start * n};
  }
  friend constexpr places operator+(places const& p, places const& q) {
    return {p.a + q.a, p.b + q.b, p.out + q.out, p.bias + q.bias, p.start + q.start};
  }
};

struct product_axis {
  extent size = 1;
  places stride;
};

// Axes, the first outermost; an index counts their elements row-major.
struct product_axes {
  int rank = 0;
  product_axis d[max_rank]{};

  constexpr extent count() const {
    extent n = 1;
    WEFT_SHORT_LOOP
    for (int i = 0; i < rank; ++i) n *= d[i].size;
    return n;
  }
  constexpr product_axis inner() const { return rank > 0 ? d[rank - 1] : product_axis{}; }
  // Nothing is divided on one axis.
  constexpr places at(extent index) const {
    places p;
    for (int i = rank - 1; i > 0; --i) {
      p = p + d[i].stride * (index % d[i].size);
      index /= d[i].size;
    }
    return rank > 0 ? p + d[0].stride * index : p;
  }
  // Elements from `index` on, at most `most`, that lie on the innermost axis.
  constexpr extent run(extent index, extent most) const {
    if (rank <= 1) return most;
    extent const left = inner().size - index % inner().size;
    return left < most ? left : most;
  }
  // Whether one array walks all axes at one stride.
  constexpr bool is_line(extent places::*side) const {
    for (int i = 1; i < rank; ++i)
      if (d[i - 1].stride.*side != d[i].size * (d[i].stride.*side)) return false;
    return true;
  }
  // Appends, merging with the axis before where all arrays walk both as one.
  constexpr void push(product_axis const& next) {
    if (next.size == 1) return;
    if (rank > 0 && d[rank - 1].stride == next.stride * next.size)
      d[rank - 1] = {d[rank - 1].size * next.size, next.stride};
    else d[rank++] = next;
  }
};

// Steps of k that multiply zeros around an array, of the outermost window of a convolution (as
// window_phase, pass/convolution_form.hpp): row i is at place i / rows_each % places; each tap is
// steps_each steps; tap q reads element first + place * per_place + q * per_tap of an axis of `room`
// elements, and a zero if there is none. No taps: no such steps are known.
struct padding_steps {
  extent rows_each = 1, places = 1, taps = 0, steps_each = 1;
  extent first = 0, per_place = 0, per_tap = 0, room = 0;

  struct range {
    extent first, last;
  };
  // The steps from the first to the last one of a place that read elements.
  constexpr range steps_of(extent place) const {
    extent const at = first + place * per_place;
    auto const reads = [&](extent q) { return 0 <= at + q * per_tap && at + q * per_tap < room; };
    extent from = 0, to = taps;
    while (from < to && !reads(from)) ++from;
    if (from == to) return {0, 0};
    while (!reads(to - 1)) --to;
    return {from * steps_each, to * steps_each};
  }
  // Is any of them among the steps of some rows?
  constexpr bool are_in(extent row, extent rows) const {
    if (taps == 0) return false;
    for (extent at = row / rows_each; at <= (row + rows - 1) / rows_each; ++at) {
      range const reads = steps_of(at % places);
      if (reads.first > 0 || reads.last < taps * steps_each) return true;
    }
    return false;
  }
};

struct product_form {
  contract_order order = contract_order::chain;
  bool swapped = false; // the normal form's a is the caller's b; fma(a, b, c) is symmetric in a, b
  product_axes batch, m, n, k;
  padding_steps padding;

  constexpr extent count() const { return batch.count() * m.count() * n.count(); }
};

// An operand: its extents, and how many elements lie between neighbours along each axis.
struct strided_shape {
  extents shape, strides;
};

namespace detail {

struct label_place {
  bool found = false;
  extent size = 1, stride = 0;
};
constexpr label_place find_label(extent label, extent const (&labels)[max_rank],
                                 strided_shape const& s) {
  label_place p;
  for (int i = 0; i < s.shape.rank; ++i)
    if (labels[i] == label) p = {true, s.shape[i], p.stride + s.strides[i]};
  return p;
}

// Products per element of out.
constexpr extent summed_count(contraction const& c, extents const& a, extents const& b) {
  extent n = 1;
  for (int i = 0; i < c.rank_a; ++i)
    if (!c.in_out(c.a[i]) && contraction::find(c.a, i, c.a[i]) < 0) n *= a[i];
  for (int i = 0; i < c.rank_b; ++i)
    if (!c.in_out(c.b[i]) && !c.in_a(c.b[i]) && contraction::find(c.b, i, c.b[i]) < 0) n *= b[i];
  return n;
}

constexpr void swap_sides(product_form& p) {
  auto exchange = [](product_axes& axes) {
    for (int i = 0; i < axes.rank; ++i) {
      places& s = axes.d[i].stride;
      s = {s.b, s.a, s.out, s.bias, s.start};
    }
  };
  for (product_axes* axes : {&p.batch, &p.m, &p.n, &p.k}) exchange(*axes);
  product_axes const m = p.m;
  p.m = p.n;
  p.n = m;
  p.swapped = !p.swapped;
}

// Rows and columns: n is where neighbours in out are neighbours in memory.
constexpr void choose_columns(product_form& p) {
  bool const columns = p.n.rank > 0 && p.n.inner().stride.out == 1;
  bool const rows = p.m.rank > 0 && p.m.inner().stride.out == 1;
  if (rows && !columns) swap_sides(p);
}
// Rows only: the smaller free side becomes batch axes.
constexpr void choose_rows(product_form& p) {
  if (p.n.count() > p.m.count()) swap_sides(p);
  for (int i = 0; i < p.n.rank; ++i) p.batch.push(p.n.d[i]);
  p.n = {};
}

} // namespace detail

// Strides of bias and start are one per axis of out; leave them out where there is none.
constexpr product_form make_product(contraction const& c, strided_shape const& a,
                                    strided_shape const& b, strided_shape const& out,
                                    extents const& bias_strides = {},
                                    extents const& start_strides = {}) {
  product_form p;
  p.order = c.order;
  for (int i = 0; i < c.rank_out; ++i) {
    auto const in_a = detail::find_label(c.out[i], c.a, a);
    auto const in_b = detail::find_label(c.out[i], c.b, b);
    product_axes& axes = in_a.found && in_b.found ? p.batch : in_a.found ? p.m : p.n;
    extent const bias = bias_strides.rank > 0 ? bias_strides[i] : 0;
    extent const start = start_strides.rank > 0 ? start_strides[i] : 0;
    axes.push({out.shape[i], {in_a.stride, in_b.stride, out.strides[i], bias, start}});
  }
  auto contract_label = [&](extent label, bool seen) {
    auto const in_a = detail::find_label(label, c.a, a), in_b = detail::find_label(label, c.b, b);
    if (!seen && !c.in_out(label))
      p.k.push({in_a.found ? in_a.size : in_b.size, {in_a.stride, in_b.stride}});
  };
  for (int i = 0; i < c.rank_a; ++i) contract_label(c.a[i], contraction::find(c.a, i, c.a[i]) >= 0);
  for (int i = 0; i < c.rank_b; ++i)
    contract_label(c.b[i], c.in_a(c.b[i]) || contraction::find(c.b, i, c.b[i]) >= 0);
  c.order == contract_order::chain ? detail::choose_columns(p) : detail::choose_rows(p);
  return p;
}
// A contract node's, of arrays that lie as its graph's accesses say. Start lies as out does.
constexpr product_form product_of(graph_view g, accesses const& reads, int id) {
  auto const strided = [&](int x) { return strided_shape{g.shape(x), strides_at(g, reads, x)}; };
  contraction const c = contraction_of(g, id);
  extents bias;
  if (c.has_bias) bias = strides_at(g, reads, g.operand(id, c.has_start ? 3 : 2));
  return make_product(c, strided(g.operand(id, 0)), strided(g.operand(id, 1)), strided(id), bias);
}

} // namespace weft::inline v0
