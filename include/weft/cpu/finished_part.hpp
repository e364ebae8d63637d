// SPDX-License-Identifier: BSL-1.0
// What a product tells as it goes: which elements of out have their last value now, so that
// elementwise work follows while they are in a cache.
//   epilogue_ref after(f);  after(part)     // f(part); of a default-made one: nothing
//   tell_finished(after, product, first_row, rows, first_column, columns);
// Needs: f outlives the reference, may be called by several threads at once, and does not throw.
// Leaves: every element of out told once, by the worker that wrote it.
#pragma once

#include <weft/core/config.hpp>
#include <weft/pass/product.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace cpu {

// Elements [first + l * step, first + l * step + length) of out, for every l below `lines`.
struct finished_part {
  extent first = 0, length = 0, lines = 1, step = 0;
};

class epilogue_ref {
public:
  epilogue_ref() = default;
  template <class Function>
    requires(!std::is_same_v<std::remove_cv_t<Function>, epilogue_ref>)
  explicit epilogue_ref(Function& f)
      : object_(const_cast<void*>(static_cast<void const*>(__builtin_addressof(f)))),
        call_([](void* object, finished_part const& part) {
          (*static_cast<Function*>(object))(part);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  void operator()(finished_part part) const {
    part.first += first_;
    call_(object_, part);
  }
  // Of a product that begins at element `by` of this one's.
  epilogue_ref moved(extent by) const {
    epilogue_ref r = *this;
    r.first_ += by;
    return r;
  }

private:
  void* object_ = nullptr;
  extent first_ = 0;
  void (*call_)(void*, finished_part const&) = nullptr;
};

} // namespace cpu

namespace detail {

// The next index of `axes` in [at, end) whose element in out does not follow in steps of `step`.
constexpr extent end_of_steps(product_axes const& axes, extent at, extent end, extent step) {
  extent const first = axes.at(at).out;
  extent next = at;
  do next += axes.run(next, end - next);
  while (next < end && axes.at(next).out == first + (next - at) * step);
  return next;
}
// Of axes along which parts lie: the end of the neighbours in out that begin at `at`.
constexpr extent end_of_line(product_axes const& along, extent at, extent end) {
  bool const neighbours = along.rank == 0 || along.inner().stride.out == 1;
  return neighbours ? end_of_steps(along, at, end, 1) : at + 1;
}
// Tells of indices [j, j + n) of the axes `along`, neighbours in out where possible, for each of
// [i, i + m) of `across`: in as few parts as out's strides allow.
WEFT_NOINLINE inline void tell_parts(cpu::epilogue_ref const& after, product_axes const& along,
                                     product_axes const& across, extent j, extent n, extent i,
                                     extent m) {
  extent const step = across.inner().stride.out;
  for (extent y = j, y_end; y < j + n; y = y_end) {
    y_end = end_of_line(along, y, j + n);
    for (extent x = i, x_end; x < i + m; x = x_end) {
      x_end = end_of_steps(across, x, i + m, step);
      after({along.at(y).out + across.at(x).out, y_end - y, x_end - x, step});
    }
  }
}

// Rows or columns of a product lie side by side in out: these, the others.
struct part_axes {
  product_axes const *along, *across;
  bool columns; // along: n
};
constexpr part_axes part_axes_of(product_form const& p) {
  bool const rows = p.m.rank > 0 && p.m.inner().stride.out == 1;
  bool const columns = p.n.rank > 0 && (p.n.inner().stride.out == 1 || !rows);
  return columns || p.m.rank == 0 ? part_axes{&p.n, &p.m, true} : part_axes{&p.m, &p.n, false};
}
// Rows [i, i + m) and columns [j, j + n).
WEFT_NOINLINE inline void tell_finished(cpu::epilogue_ref const& after, product_form const& p,
                                        extent i, extent m, extent j, extent n) {
  part_axes const axes = part_axes_of(p);
  if (axes.columns) tell_parts(after, *axes.along, *axes.across, j, n, i, m);
  else tell_parts(after, *axes.along, *axes.across, i, m, j, n);
}

// Fewer elements are still in the nearest cache after the whole product, and a call costs more.
inline constexpr extent least_part = 4096;
// Shorter lines are not worth a call each.
inline constexpr extent worth_a_call = 64;
// Is each line worth a call, or do lines follow each other?
WEFT_NOINLINE inline bool are_long(product_axes const& along, product_axes const& across) {
  extent const line = end_of_line(along, 0, along.count());
  return line >= worth_a_call || (across.rank > 0 && across.inner().stride.out == line);
}

} // namespace detail
} // namespace weft::inline v0
