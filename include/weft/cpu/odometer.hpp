// SPDX-License-Identifier: BSL-1.0
// odometer: a position in the loops around a kernel (pass/loop_nest.hpp), as addresses of all places.
// Needs: addresses of the first elements. Leaves: they point at the elements of the position.
#pragma once

#include <weft/core/config.hpp>
#include <weft/pass/loop_nest.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

// Steps of outer and reduced axes and offsets as bytes, but of iotas, whose place is the offset
// itself; steps of the inner axis stay elements.
constexpr void count_in_bytes(graph_view g, loop_nest& l, view<place> places) {
  for (int p = 0; p < places.size(); ++p) {
    extent size = g[l.roots[p]].code == op::iota ? 1 : size_of(places[p].type);
    l.offsets[p] *= size;
    for (growing<loop_axis> const* loops : {&l.outer, &l.reduced})
      for (loop_axis const& a : *loops) l.strides[a.first_stride + p] *= size;
  }
}

// A position in a nest of loops: addresses of every place, moved one step at a time. Per target, as
// the kernels are that it is compiled with.
template <class Target> class odometer {
public:
  odometer(loop_nest const& l, growing<loop_axis> const& axes, std::intptr_t* at)
      : nest_(l), axes_(axes), at_(at) {}

  WEFT_NOINLINE WEFT_FAST void seek(extent linear) {
    for (int a = axes_.size() - 1; a > 0 && linear > 0; --a) { // 0: also where an axis is empty
      index_[a] = linear % axes_[a].length;
      linear /= axes_[a].length;
      move(axes_[a], index_[a]);
    }
    if (linear == 0 || axes_.empty()) return;
    index_[0] = linear; // below its length
    move(axes_[0], linear);
  }
  // To the next index; after the last one, back to the first.
  WEFT_INLINE void next() {
    int const last = axes_.size() - 1;
    if (last < 0) return;
    if (++index_[last] < axes_[last].length) return move(axes_[last], 1);
    carry(last);
  }

private:
  WEFT_NOINLINE WEFT_FAST void carry(int a) {
    do {
      move(axes_[a], 1 - axes_[a].length);
      index_[a] = 0;
      if (--a < 0) return;
    } while (++index_[a] == axes_[a].length);
    move(axes_[a], 1);
  }
  WEFT_INLINE void move(loop_axis const& a, extent by) {
    extent const* steps = nest_.steps(a);
    WEFT_SHORT_LOOP
    for (int p = 0; p < nest_.places(); ++p) {
      std::intptr_t next = at_[p] + static_cast<std::intptr_t>(steps[p] * by);
      // One by one: a load of several of them would wait for all the kernel's stores before it.
#if defined(__GNUC__) && !defined(__clang__)
      asm("" : "+r"(next));
#endif
      at_[p] = next;
    }
  }
  loop_nest const& nest_;
  growing<loop_axis> const& axes_;
  std::intptr_t* at_;
  extent index_[max_rank]{};
};

// Loops whose numbers are the run's, as a kernel walks them (cpu/fixed_nest.hpp has the others).
template <class Target> struct nest_loops {
  static constexpr extent unknown = extent{1} << 62;
  static constexpr extent longest_line = unknown, most_reduced = unknown;
  loop_nest const& nest;

  WEFT_INLINE extent inner_length() const { return nest.inner.length; }
  WEFT_INLINE extent const* inner_steps() const { return nest.steps(nest.inner); }
  WEFT_INLINE extent reduced_count() const { return nest.reduced_count; }
  WEFT_INLINE bool is_one_line() const { return nest.reduced.empty(); }
  // f() at every position of the reduced axes that holds `line` elements; comes back where it began.
  template <class Function>
  WEFT_INLINE void each_reduced(std::intptr_t* at, extent line, Function const& f) const {
    odometer<Target> reduced(nest, nest.reduced, at);
    extent const lines = line == 0 ? 0 : nest.reduced_count / line;
    for (extent n = 0; n < lines; ++n, reduced.next()) f();
  }
};

} // namespace cpu
} // namespace weft::inline v0
