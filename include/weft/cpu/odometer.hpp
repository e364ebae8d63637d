// SPDX-License-Identifier: BSL-1.0
// odometer: a position in the loops around a kernel (pass/loop_nest.hpp), as addresses of all places;
// each_position, each_line: loops over positions whose addresses are in registers.
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

// Adds to every address, one by one: a load of several of them would wait for all the kernel's stores
// before it.
template <class Count>
WEFT_INLINE void add_to_addresses(std::intptr_t* at, extent const* steps, extent by, Count places) {
  WEFT_SHORT_LOOP
  for (int p = 0; p < places; ++p) {
    std::intptr_t next = at[p] + static_cast<std::intptr_t>(steps[p] * by);
#if defined(__GNUC__) && !defined(__clang__)
    asm("" : "+r"(next));
#endif
    at[p] = next;
  }
}

// A position in a nest of loops: addresses of every place, moved one step at a time. Per target, as
// the kernels are that it is compiled with.
template <class Target> class odometer {
public:
  // So many of the last axes stay where they are.
  odometer(loop_nest const& l, growing<loop_axis> const& axes, std::intptr_t* at, int kept_axes = 0)
      : nest_(l), axes_(axes), at_(at), last_(axes.size() - 1 - kept_axes) {}

  WEFT_NOINLINE WEFT_FAST void seek(extent linear) {
    for (int a = last_; a > 0 && linear > 0; --a) { // 0: also where an axis is empty
      index_[a] = linear % axes_[a].length;
      linear /= axes_[a].length;
      move(axes_[a], index_[a]);
    }
    if (linear == 0 || last_ < 0) return;
    index_[0] = linear; // below its length
    move(axes_[0], linear);
  }
  // To the next index; after the last one, back to the first.
  WEFT_INLINE void next() { step(nest_.places()); }
  // The same of a nest with so many places.
  template <int Places> WEFT_INLINE void next() { step(std::integral_constant<int, Places>{}); }

  // How many positions there are from here to the end of the last axis, `most` at most. Who walks them
  // without the odometer calls skip() then.
  WEFT_INLINE extent run(extent most) const {
    extent const left = last_ < 0 ? 1 : axes_[last_].length - index_[last_];
    return left < most ? left : most;
  }
  // From one of them to the next; only of runs of more than one.
  WEFT_INLINE extent const* run_step() const {
    return last_ < 0 ? nullptr : nest_.steps(axes_[last_]);
  }
  WEFT_INLINE void skip(extent count) {
    if (last_ >= 0) skip_some(count);
  }

private:
  WEFT_NOINLINE WEFT_FAST void skip_some(extent count) {
    index_[last_] += count - 1;
    move(axes_[last_], count - 1);
    next();
  }
  WEFT_NOINLINE WEFT_FAST void carry(int a) {
    do {
      move(axes_[a], 1 - axes_[a].length);
      index_[a] = 0;
      if (--a < 0) return;
    } while (++index_[a] == axes_[a].length);
    move(axes_[a], 1);
  }
  template <class Count> WEFT_INLINE void step(Count places) {
    if (last_ < 0) return;
    if (++index_[last_] < axes_[last_].length) return move(axes_[last_], 1, places);
    carry(last_);
  }
  WEFT_INLINE void move(loop_axis const& a, extent by) { move(a, by, nest_.places()); }
  template <class Count> WEFT_INLINE void move(loop_axis const& a, extent by, Count places) {
    add_to_addresses(at_, nest_.steps(a), by, places);
  }
  loop_nest const& nest_;
  growing<loop_axis> const& axes_;
  std::intptr_t* at_;
  int last_; // axis
  extent index_[max_rank]{};
};

// f(addresses) at so many positions, from where `outer` stands on; `at`: the addresses that it moves.
// f's are a copy, in registers if f keeps them there.
template <int Places, class Outer, class Function>
WEFT_INLINE void each_position(Outer& outer, std::intptr_t const* at, extent count,
                               Function const& f) {
  while (count > 0) {
    extent const run = outer.run(count);
    extent const* const step = outer.run_step();
    std::intptr_t here[Places];
    for (int p = 0; p < Places; ++p) here[p] = at[p];
    for (extent r = run;;) {
      f(here);
      if (--r == 0) break;
      for (int p = 0; p < Places; ++p) here[p] += static_cast<std::intptr_t>(step[p]);
    }
    outer.skip(run);
    count -= run;
  }
}

// Loops whose numbers are the run's, as a kernel walks them (cpu/fixed_nest.hpp has the others).
template <class Target> struct nest_loops {
  static constexpr extent unknown = extent{1} << 62;
  static constexpr extent longest_line = unknown, most_reduced = unknown;
  static constexpr extent positions_per_fetch = 4;
  loop_nest const& nest;
  extent const* moves = nullptr;   // of a window, or null (reduced_moves)
  extent const* offsets = nullptr; // and where its positions are

  WEFT_INLINE extent inner_length() const { return nest.inner.length; }
  WEFT_INLINE extent const* inner_steps() const { return nest.steps(nest.inner); }
  WEFT_INLINE extent reduced_count() const { return nest.reduced_count; }
  WEFT_INLINE bool is_one_line() const { return nest.reduced.empty(); }
  // From one row to the next, where one axis is reduced and rows are columns' elements.
  WEFT_INLINE extent const* row_step() const {
    return nest.reduced.size() == 1 ? nest.steps(nest.reduced.back()) : nullptr;
  }
  // f() at every position of the reduced axes outside of the line, and before some of them ahead();
  // comes back where it began. The last axis is a plain loop, the others an odometer.
  template <class Function, class Ahead>
  WEFT_INLINE void each_reduced(std::intptr_t* at, Function const& f, Ahead const& ahead) const {
    extent const lines = nest.reduced_count;
    bool const has_axis = !nest.reduced.empty();
    int const places = has_axis ? nest.places() : 0;
    extent const length = !has_axis || moves != nullptr ? lines : nest.reduced.back().length;
    extent const* step = moves != nullptr ? moves
                         : has_axis       ? nest.steps(nest.reduced.back())
                                          : nullptr;
    int const to_next = moves != nullptr ? places : 0;
    odometer<Target> others(nest, nest.reduced, at, 1);
    for (extent n = 0; n < lines; n += length) {
      for (extent k = 0; k < length;) {
        ahead();
        extent const end = length - k < positions_per_fetch ? length : k + positions_per_fetch;
        for (; k < end; ++k, step += to_next) {
          f();
          add_to_addresses(at, step, 1, places);
        }
      }
      if (moves != nullptr || !has_axis) return;
      add_to_addresses(at, step, -length, places);
      others.next();
    }
  }
};

// The way through the reduced axes, a move of every place from each position to the next and from
// the last back to the first: what a window's odometer would find again for every element of out.
template <class Target, int Places> class reduced_moves {
  static constexpr int most = 0 < Places && Places <= 4 ? 64 : 0; // positions
  static constexpr int numbers = most > 0 ? most* Places : 1;
  extent moves_[numbers], offsets_[numbers];

public:
  static constexpr bool are_few(extent positions) { return 1 < positions && positions <= most; }
  WEFT_INLINE void give(nest_loops<Target>& loops) {
    if constexpr (most > 0) {
      loop_nest const& l = loops.nest;
      std::intptr_t at[Places]{}, before[Places]{};
      odometer<Target> reduced(l, l.reduced, at);
      for (extent n = 0; n < l.reduced_count; ++n) {
        for (int p = 0; p < Places; ++p) offsets_[n * Places + p] = at[p];
        reduced.next();
        for (int p = 0; p < Places; ++p) {
          moves_[n * Places + p] = at[p] - before[p];
          before[p] = at[p];
        }
      }
      loops.moves = moves_;
      loops.offsets = offsets_;
    }
  }
};

// f(addresses) on every line of a row's elements, in order; addresses in registers, if f keeps them
// there. At least one element.
template <int Places, class Loops, class Function>
WEFT_INLINE void each_line(Loops const& l, std::intptr_t const* at, Function const& f) {
  std::intptr_t line[Places];
  for (int p = 0; p < Places; ++p) line[p] = at[p];
  l.each_reduced(line, [&]() WEFT_LAMBDA { f(line); });
}
template <int Places, class Target, class Function>
WEFT_INLINE void each_line(nest_loops<Target> const& l, std::intptr_t const* at,
                           Function const& f) {
  std::intptr_t first[Places];
  for (int p = 0; p < Places; ++p) first[p] = at[p];
  odometer<Target> reduced(l.nest, l.nest.reduced, first);
  extent const lines = l.is_one_line() ? 1 : l.reduced_count() / l.inner_length();
  each_position<Places>(reduced, first, lines, f);
}

} // namespace cpu
} // namespace weft::inline v0
