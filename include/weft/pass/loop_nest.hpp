// SPDX-License-Identifier: BSL-1.0
// The loops around a kernel, as numbers: outer (kept) axes, reduced axes outside the inner one, and
// the inner axis, with one stride per place and axis. Neighbouring axes that every place walks
// evenly are merged. Made once per program and binding, at run time; by the compiler where a kernel is
// to know its lengths (cpu/fixed_nest.hpp).
// Needs: a bound graph, its accesses, the kernel (pass/lower.hpp).
// Leaves: elements are visited in row-major order of the reduced axes, as the sum rule asks.
#pragma once

#include <weft/core/growing.hpp>
#include <weft/pass/lower.hpp>

namespace weft::inline v0 {

// One loop of a nest: how far, and where its steps begin in loop_nest::strides (one per place).
struct loop_axis {
  extent length = 1;
  int first_stride = 0;
};

// Strides and offsets are elements.
struct loop_nest {
  growing<loop_axis> outer, reduced;
  loop_axis inner;
  growing<extent> strides;
  growing<extent> offsets; // per place, from its root's first element
  growing<int> roots;      // per place: the node whose memory it is
  extent outer_count = 1;
  extent reduced_count = 1; // elements that one reduction takes, the inner axis included in rows

  constexpr int places() const { return offsets.size(); }
  constexpr extent const* steps(loop_axis const& a) const {
    return strides.data() + a.first_stride;
  }
};

namespace detail {

// Is place p of the kernel's a reduction's result?
constexpr bool is_reduced(lowered_view code, kernel const& k, int p) {
  for (output const& o : code.outputs_of(k))
    if (o.place == p && o.reduction != op::stop_gradient) return true;
  return false;
}
// Strides of a place over the iteration axes: reads through its access, results of reductions over
// the kept axes only.
constexpr void iteration_strides(graph_view g, accesses const& reads, schedule_step const& s,
                                 place const& p, bool result, extent (&strides)[max_rank]) {
  for (extent& x : strides) x = 0;
  extents const& shape = g.shapes[s.shape];
  access const& a = reads.of[p.node];
  for (int axis = 0, kept = 0; axis < shape.rank; ++axis) {
    if (!result) strides[axis] = a.stride[axis];
    else if (!has_axis(s.reduced, axis)) strides[axis] = a.stride[kept++];
  }
}

// A named extent of 1 may have any stride; what is merged with it must find the compiled one.
constexpr void as_compiled(inner_stride inner, extent& stride) {
  if (inner != inner_stride::any) stride = inner == inner_stride::unit ? 1 : 0;
}

struct builder {
  loop_nest& l;
  int places;

  constexpr loop_axis axis(extent length, growing<extent> const& all, int column) const {
    loop_axis a{length, l.strides.size()};
    for (int p = 0; p < places; ++p) l.strides.push(all[p * max_rank + column]);
    return a;
  }
  // May `outside` be merged into the axis just inside it?
  constexpr bool merges(loop_axis const& outside, loop_axis const& inside) const {
    for (int p = 0; p < places; ++p)
      if (l.strides[outside.first_stride + p] != l.strides[inside.first_stride + p] * inside.length)
        return false;
    return true;
  }
};

} // namespace detail

// `s`: the kernel's step, perhaps with axes that are reduced in a group beside it: they are walked
// as a row's, too.
constexpr loop_nest make_loop_nest(graph_view g, accesses const& reads, schedule_step const& s,
                                   lowered_view code, kernel const& k) {
  extents const& shape = g.shapes[s.shape];
  view<place> places = code.places_of(k);
  loop_nest l;
  growing<extent> all(places.size() * max_rank, 0);
  for (int p = 0; p < places.size(); ++p) {
    extent strides[max_rank];
    detail::iteration_strides(g, reads, s, places[p], detail::is_reduced(code, k, p), strides);
    for (int axis = 0; axis < max_rank; ++axis) all[p * max_rank + axis] = strides[axis];
    if (k.inner_axis >= 0) detail::as_compiled(places[p].inner, all[p * max_rank + k.inner_axis]);
    l.offsets.push(reads.of[places[p].node].offset);
    l.roots.push(reads.of[places[p].node].root);
  }
  detail::builder b{l, places.size()};
  if (k.inner_axis < 0) {
    growing<extent> ones(places.size() * max_rank, 0);
    for (int p = 0; p < places.size(); ++p) ones[p * max_rank] = 1;
    l.inner = b.axis(1, ones, 0);
    return l;
  }
  l.inner = b.axis(shape[k.inner_axis], all, k.inner_axis);
  bool inner_reduced = has_axis(s.reduced, k.inner_axis);
  bool inner_open = true; // nothing of the other kind came between
  for (int axis = k.inner_axis - 1; axis >= 0; --axis) {
    if (shape[axis] == 1) continue;
    loop_axis a = b.axis(shape[axis], all, axis);
    bool is_reduced = has_axis(s.reduced, axis);
    growing<loop_axis>& loops = is_reduced ? l.reduced : l.outer;
    if (inner_open && is_reduced == inner_reduced && b.merges(a, l.inner))
      l.inner.length *= a.length;
    else if (!loops.empty() && b.merges(a, loops.back())) loops.back().length *= a.length;
    else loops.push(a);
    inner_open &= is_reduced == inner_reduced && loops.empty();
  }
  // Collected from the inside out; loops run from the outside in.
  for (growing<loop_axis>* loops : {&l.outer, &l.reduced})
    for (int i = 0, j = loops->size() - 1; i < j; ++i, --j)
      detail::swap_values((*loops)[i], (*loops)[j]);
  for (loop_axis const& a : l.outer) l.outer_count *= a.length;
  for (loop_axis const& a : l.reduced) l.reduced_count *= a.length;
  if (inner_reduced) l.reduced_count *= l.inner.length;
  return l;
}
constexpr loop_nest make_loop_nest(graph_view g, accesses const& reads, schedule_view plan,
                                   lowered_view code, kernel const& k) {
  return make_loop_nest(g, reads, plan.steps[k.step], code, k);
}

} // namespace weft::inline v0
