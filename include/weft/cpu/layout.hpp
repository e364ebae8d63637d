// SPDX-License-Identifier: BSL-1.0
// The loops around a kernel, as numbers: outer (kept) axes, reduced axes outside the inner one, and
// the inner axis, with one stride per place and axis. Neighbouring axes that every place walks
// evenly are merged. Made at run time, once per program and binding.
// Needs: a bound graph, its accesses, the kernel (pass/lower.hpp).
// Leaves: elements are visited in row-major order of the reduced axes, as the sum rule asks.
#pragma once

#include <weft/pass/lower.hpp>

namespace weft::inline v0 {
namespace cpu {

// One loop of a nest: how far, and where its steps begin in layout::strides (one per place).
struct loop_axis {
  extent length = 1;
  int first_stride = 0;
};

// Steps of outer and reduced axes and offsets are bytes (for iotas, whose place is the offset
// itself, plain numbers); steps of the inner axis are elements.
struct layout {
  growing<loop_axis> outer, reduced;
  loop_axis inner;
  growing<extent> strides;
  growing<extent> offsets; // per place, from its root's first element
  growing<int> roots;      // per place: the node whose memory it is
  extent outer_count = 1;
  extent reduced_count = 1; // elements that one reduction takes, the inner axis included in rows

  int places() const { return offsets.size(); }
  extent const* steps(loop_axis const& a) const { return strides.data() + a.first_stride; }
};

} // namespace cpu

namespace detail {

// Strides of a place over the iteration axes: reads through its access, results of reductions over
// the kept axes only.
inline void iteration_strides(graph_view g, accesses const& reads, step const& s, place const& p,
                              bool result, extent (&strides)[max_rank]) {
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
  cpu::layout& l;
  int places;

  cpu::loop_axis axis(extent length, growing<extent> const& all, int column) const {
    cpu::loop_axis a{length, l.strides.size()};
    for (int p = 0; p < places; ++p) l.strides.push(all[p * max_rank + column]);
    return a;
  }
  // May `outside` be merged into the axis just inside it?
  bool merges(cpu::loop_axis const& outside, cpu::loop_axis const& inside) const {
    for (int p = 0; p < places; ++p)
      if (l.strides[outside.first_stride + p] != l.strides[inside.first_stride + p] * inside.length)
        return false;
    return true;
  }
};

inline void to_bytes(graph_view g, cpu::layout& l, view<place> places) {
  for (int p = 0; p < places.size(); ++p) {
    extent size = g[l.roots[p]].code == op::iota ? 1 : size_of(places[p].type);
    l.offsets[p] *= size;
    for (growing<cpu::loop_axis> const* loops : {&l.outer, &l.reduced})
      for (cpu::loop_axis const& a : *loops) l.strides[a.first_stride + p] *= size;
  }
}

} // namespace detail

namespace cpu {

inline layout make_layout(graph_view g, accesses const& reads, schedule_view plan,
                          lowered_view code, kernel const& k) {
  step const& s = plan.steps[k.step];
  extents const& shape = g.shapes[s.shape];
  view<place> places = code.places_of(k);
  layout l;
  growing<extent> all(places.size() * max_rank, 0);
  growing<bool> result(places.size(), false);
  for (output const& o : code.outputs_of(k))
    if (o.reduction != op::stop_gradient) result[o.place] = true;
  for (int p = 0; p < places.size(); ++p) {
    extent strides[max_rank];
    detail::iteration_strides(g, reads, s, places[p], result[p], strides);
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
    detail::to_bytes(g, l, places);
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
    for (int i = 0, j = loops->size() - 1; i < j; ++i, --j) std::swap((*loops)[i], (*loops)[j]);
  detail::to_bytes(g, l, places);
  for (loop_axis const& a : l.outer) l.outer_count *= a.length;
  for (loop_axis const& a : l.reduced) l.reduced_count *= a.length;
  if (inner_reduced) l.reduced_count *= l.inner.length;
  return l;
}

// A position in a nest of loops: addresses of every place, moved one step at a time. Per target, as
// the kernels are that it is compiled with.
template <class Target> class odometer {
public:
  odometer(layout const& l, growing<loop_axis> const& axes, std::intptr_t* at)
      : layout_(l), axes_(axes), at_(at) {}

  WEFT_NOINLINE void seek(extent linear) {
    for (int a = axes_.size() - 1; a >= 0 && linear > 0; --a) { // 0: also where an axis is empty
      index_[a] = linear % axes_[a].length;
      linear /= axes_[a].length;
      move(axes_[a], index_[a]);
    }
  }
  // To the next index; after the last one, back to the first.
  WEFT_INLINE void next() {
    int const last = axes_.size() - 1;
    if (last < 0) return;
    if (++index_[last] < axes_[last].length) return move(axes_[last], 1);
    carry(last);
  }

private:
  WEFT_NOINLINE void carry(int a) {
    do {
      move(axes_[a], 1 - axes_[a].length);
      index_[a] = 0;
      if (--a < 0) return;
    } while (++index_[a] == axes_[a].length);
    move(axes_[a], 1);
  }
  WEFT_INLINE void move(loop_axis const& a, extent by) {
    extent const* steps = layout_.steps(a);
    WEFT_SHORT_LOOP
    for (int p = 0; p < layout_.places(); ++p) at_[p] += static_cast<std::intptr_t>(steps[p] * by);
  }
  layout const& layout_;
  growing<loop_axis> const& axes_;
  std::intptr_t* at_;
  extent index_[max_rank]{};
};

} // namespace cpu
} // namespace weft::inline v0
