// SPDX-License-Identifier: BSL-1.0
// gather and scatter on strided arrays: window by window, each window one planned move.
// Needs: windows that fit (windows_fit) or are dropped; a result that is row-major and overlaps
// nothing; scatter_bytes of scratch. Leaves: the interpreter's bits. Windows of a gather are shared
// out among threads; those of a scatter are taken in order by one.
#pragma once

#include <weft/cpu/executor_ref.hpp>
#include <weft/cpu/move.hpp>
#include <weft/cpu/scratch.hpp>
#include <weft/cpu/strided.hpp>
#include <weft/graph/gather_dims.hpp>
#include <weft/graph/interpret_elementwise.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace detail {

// Every window of a gather or scatter: where its indices stand, where it starts in x, and where its
// elements stand in the result (gather) or the updates (scatter), `side`.
class window_walk {
public:
  window_walk(gather_dims const& d, cpu::strided_array const& x, cpu::strided_array const& indices,
              extents const& side_strides)
      : d_(d), x_(x), indices_(indices), counts_(window_counts(d, indices.shape)),
        window(window_shape(d)) {
    extents index_steps, x_steps;
    for (int i = 0; i < indices.shape.rank; ++i) {
      if (i == d.index_axis) continue;
      index_steps.push(indices.strides[i]);
      x_steps.push(batch_stride(i));
    }
    for (int i = 0; i < window.rank + counts_.rank; ++i)
      (has_axis(d.window_axes, i) ? window_side : count_side_).push(side_strides[i]);
    for (int i = 0; i < d.rank; ++i)
      if (d.in_window(i)) window_x.push(x.strides[i]);
    component_ = d.index_axis < indices.shape.rank ? indices.strides[d.index_axis] : 0;
    steps_[0] = index_steps;
    steps_[1] = x_steps;
    steps_[2] = count_side_;
  }
  extent count() const { return count_of(counts_); }

  // f(start per operand axis, offset of it in x, offset in side) for windows [first, last).
  template <class F> void each(extent first, extent last, F const& f) const {
    cpu::walk<3> at(counts_, steps_);
    at.seek(first);
    for (extent w = first; w < last; ++w, at.next()) {
      extent start[max_rank]{}, from = at.offset[1];
      for (int k = 0; k < d_.mapped; ++k) {
        int const axis = static_cast<int>(d_.map[k]);
        std::int32_t wanted = 0;
        std::memcpy(&wanted, indices_.first + (at.offset[0] + k * component_) * 4, 4);
        extent const most = x_.shape[axis] - d_.window[axis];
        start[axis] = d_.drop ? wanted : wanted < 0 ? 0 : wanted > most ? most : wanted;
        from += start[axis] * x_.strides[axis];
      }
      f(start, from, at.offset[2]);
    }
  }
  // Does the window that starts here lie inside?
  bool is_inside(extent const (&start)[max_rank]) const {
    for (int k = 0; d_.drop && k < d_.mapped; ++k) {
      int const axis = static_cast<int>(d_.map[k]);
      if (start[axis] < 0 || start[axis] > x_.shape[axis] - d_.window[axis]) return false;
    }
    return true;
  }
  // f(offset in x, offset in side) for the elements of a window that lie inside, from its first.
  template <class F>
  void each_inside(extent const (&start)[max_rank], extent from, extent side, F const& f) const {
    extents const steps[2] = {window_x, window_side};
    cpu::walk<2> at(window, steps);
    for (extent i = 0, n = count_of(window); i < n; ++i, at.next()) {
      bool inside = true;
      for (int axis = 0, w = 0; axis < d_.rank; ++axis) {
        extent const place = start[axis] + (d_.in_window(axis) ? at.index[w++] : 0);
        inside = inside && (d_.is_batch(axis) || (0 <= place && place < x_.shape[axis]));
      }
      if (inside) f(from + at.offset[0], side + at.offset[1]);
    }
  }

private:
  // How far x moves when the index along axis i of the indices grows.
  extent batch_stride(int i) const {
    for (int k = 0; k < d_.batches; ++k)
      if (d_.index_batch[k] == i) return x_.strides[static_cast<int>(d_.operand_batch[k])];
    return 0;
  }

  gather_dims const& d_;
  cpu::strided_array const& x_;
  cpu::strided_array const& indices_;
  extents counts_, count_side_, steps_[3];
  extent component_ = 0;

public:
  extents window, window_x, window_side; // a window, and how it steps in x and in side
};

// One element, or a window of elements, moved; planned once.
class window_move {
public:
  window_move(extent bytes, extents const& shape, extents const& from, extents const& to)
      : bytes_(bytes), plan_(plan_move(shape, from, to)), transposed_(choose_transpose(plan_)),
        empty_(count_of(shape) == 0) {}
  void operator()(std::byte const* from, std::byte* to) const {
    if (empty_) return;
    if (plan_.rank == 0) std::memcpy(to, from, static_cast<std::size_t>(bytes_));
    else cpu::run_plan(static_cast<int>(bytes_), plan_, transposed_, from, to);
  }

private:
  extent bytes_;
  move_plan plan_;
  bool transposed_, empty_;
};

// Combines 16-bit floats in float.
template <op O, dtype D> void combine_one(std::byte* sum, std::byte const* term) {
  using T = storage_of<D>;
  word a = 0, b = 0;
  std::memcpy(&a, sum, sizeof(T));
  std::memcpy(&b, term, sizeof(T));
  word const r = write_word<D>(row<O>::meaning(read_word<D>(a), read_word<D>(b)));
  std::memcpy(sum, &r, sizeof(T));
}
using combine_function = void (*)(std::byte* sum, std::byte const* term);
template <dtype D> combine_function combining(scatter_combine how) {
  if constexpr (D == dtype::boolean)
    return how == scatter_combine::min ? &combine_one<op::minimum, D>
                                       : &combine_one<op::maximum, D>;
  else switch (how) {
      case scatter_combine::add: return &combine_one<op::add, D>;
      case scatter_combine::mul: return &combine_one<op::mul, D>;
      case scatter_combine::min: return &combine_one<op::minimum, D>;
      default: return &combine_one<op::maximum, D>;
    }
}
// Row-major elements of one type as another.
inline void convert_elements(dtype from, dtype to, extent count, std::byte const* x, std::byte* y) {
  word_function const convert = word_function_of(op::convert, from, to);
  for (extent i = 0; i < count; ++i) {
    word a = 0, b = 0;
    std::memcpy(&a, x + i * size_of(from), static_cast<std::size_t>(size_of(from)));
    convert(&a, &b);
    std::memcpy(y + i * size_of(to), &b, static_cast<std::size_t>(size_of(to)));
  }
}

} // namespace detail

namespace cpu {

inline void gather(gather_dims const& d, strided_array const& x, strided_array const& indices,
                   extents const& shape, std::byte* out, executor_ref on) {
  extent const size = x.element_bytes();
  detail::window_walk const windows(d, x, indices, row_major_strides(shape));
  if (d.drop) std::memset(out, 0, static_cast<std::size_t>(count_of(shape) * size));
  detail::window_move const move(size, windows.window, windows.window_x, windows.window_side);
  auto const some = [&](extent first, extent last) {
    windows.each(first, last, [&](extent const(&start)[max_rank], extent from, extent to) {
      if (windows.is_inside(start)) return move(x.first + from * size, out + to * size);
      windows.each_inside(start, from, to, [&](extent source, extent place) {
        std::memcpy(out + place * size, x.first + source * size, static_cast<std::size_t>(size));
      });
    });
  };
  constexpr extent worth_a_thread = 1 << 15; // elements
  extent const count = windows.count(), parts = 4 * on.threads();
  if (on.threads() == 1 || count < parts || count_of(shape) < worth_a_thread) return some(0, count);
  on.parallel_for(static_cast<int>(parts),
                  [&](int task, int) { some(count * task / parts, count * (task + 1) / parts); });
}

// Bytes of scratch: sums and products of 16-bit floats are kept in float.
inline extent scatter_bytes(gather_dims const& d, dtype type, extents const& shape) {
  bool const sums = d.combine == scatter_combine::add || d.combine == scatter_combine::mul;
  if (!sums || accumulator_of(type) == type) return 0;
  return aligned_bytes(count_of(shape) * size_of(accumulator_of(type))) + scratch_alignment;
}

// `out` holds x already.
inline void scatter(gather_dims const& d, extents const& shape, strided_array const& updates,
                    strided_array const& indices, std::byte* out, scratch memory) {
  bool const wide = scatter_bytes(d, updates.type, shape) > 0;
  dtype const type = wide ? accumulator_of(updates.type) : updates.type;
  strided_array const to{type, wide ? memory.memory : out, shape, row_major_strides(shape)};
  if (wide) detail::convert_elements(updates.type, type, count_of(shape), out, to.first);
  extent const from_size = updates.element_bytes(), to_size = to.element_bytes();
  detail::window_walk const windows(d, to, indices, updates.strides);
  bool const set = d.combine == scatter_combine::set;
  detail::window_move const move(from_size, windows.window, windows.window_side, windows.window_x);
  detail::combine_function const combine = detail::with_dtype(
      type, [&d]<dtype D>() { return detail::combining<D>(d.combine); });
  auto const one = [&](extent place, extent source) {
    std::byte* const sum = to.first + place * to_size;
    std::byte const* term = updates.first + source * from_size;
    alignas(8) std::byte widened[8];
    if (set) return (void)std::memcpy(sum, term, static_cast<std::size_t>(to_size));
    if (wide) {
      detail::convert_elements(updates.type, type, 1, term, widened);
      term = widened;
    }
    combine(sum, term);
  };
  windows.each(0, windows.count(), [&](extent const(&start)[max_rank], extent place, extent from) {
    if (set && windows.is_inside(start))
      return move(updates.first + from * from_size, to.first + place * to_size);
    windows.each_inside(start, place, from, one);
  });
  if (wide) detail::convert_elements(type, updates.type, count_of(shape), to.first, out);
}

} // namespace cpu
} // namespace weft::inline v0
