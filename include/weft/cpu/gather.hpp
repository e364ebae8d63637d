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
class window_places {
public:
  window_places(gather_dims const& d, cpu::strided_array const& x,
                cpu::strided_array const& indices, extents const& side_strides)
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
    extent start[max_rank]{};
    for (extent w = first; w < last; ++w, at.next()) {
      extent from = at.offset[1];
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
      : bytes_(bytes), plan_(plan_move(shape, from, to)), transposed_(choose_transpose(plan_)) {
    bool const line = plan_.rank == 0 ||
                      (plan_.rank == 1 && plan_.d[0].from == 1 && plan_.d[0].to == 1);
    if (count_of(shape) == 0) line_bytes_ = 0;
    else if (line) line_bytes_ = bytes * count_of(shape);
  }
  void operator()(std::byte const* from, std::byte* to) const {
    if (line_bytes_ == 4) __builtin_memcpy(to, from, 4);
    else if (line_bytes_ >= 0) std::memcpy(to, from, static_cast<std::size_t>(line_bytes_));
    else cpu::run_plan(static_cast<int>(bytes_), plan_, transposed_, from, to);
  }

private:
  extent bytes_, line_bytes_ = -1; // -1: not one line
  move_plan plan_;
  bool transposed_;
};

// Sums and products of 16-bit floats are kept in float.
constexpr bool adds_up(op o) { return o == op::add || o == op::mul; }
constexpr dtype combined_type(op o, dtype d) { return adds_up(o) ? accumulator_of(d) : d; }

struct line {
  std::byte* sum;
  std::byte const* term;
  extent sum_step, term_step, count; // steps in bytes
};
template <dtype D> scalar_of<D> load_scalar(std::byte const* from) {
  word w = 0;
  std::memcpy(&w, from, sizeof(storage_of<D>));
  return read_word<D>(w);
}
// sum[i] = sum[i] op term[i]
template <op O, dtype D> void combine_line(line const& l) {
  constexpr dtype wide = combined_type(O, D);
  for (extent i = 0; i < l.count; ++i) {
    std::byte* const sum = l.sum + i * l.sum_step;
    auto const term = load_scalar<D>(l.term + i * l.term_step);
    word const r = write_word<wide>(row<O>::meaning(load_scalar<wide>(sum), term));
    std::memcpy(sum, &r, sizeof(storage_of<wide>));
  }
}
using combine_function = void (*)(line const&);
template <dtype D> combine_function combining(scatter_combine how) {
  if constexpr (D == dtype::boolean)
    return how == scatter_combine::min ? &combine_line<op::minimum, D>
                                       : &combine_line<op::maximum, D>;
  else switch (how) {
      case scatter_combine::add: return &combine_line<op::add, D>;
      case scatter_combine::mul: return &combine_line<op::mul, D>;
      case scatter_combine::min: return &combine_line<op::minimum, D>;
      default: return &combine_line<op::maximum, D>;
    }
}
// A window of updates into its place, line by line.
class window_combine {
public:
  window_combine(combine_function f, extents const& window, extents const& to, extents const& from,
                 extent to_size, extent from_size)
      : combine_(f), to_size_(to_size), from_size_(from_size) {
    int const inner = window.rank - 1;
    for (int i = 0; i < inner; ++i) outer_.push(window[i]);
    if (inner >= 0)
      line_ = {nullptr, nullptr, to[inner] * to_size, from[inner] * from_size, window[inner]};
    steps_[0] = to;
    steps_[1] = from;
  }
  void operator()(std::byte* to, std::byte const* from) const {
    line l = line_;
    l.sum = to;
    l.term = from;
    if (outer_.rank == 0) return combine_(l);
    cpu::walk<2> at(outer_, steps_);
    for (extent i = 0, n = count_of(outer_); i < n; ++i, at.next()) {
      l.sum = to + at.offset[0] * to_size_;
      l.term = from + at.offset[1] * from_size_;
      combine_(l);
    }
  }

private:
  combine_function combine_;
  extent to_size_, from_size_;
  line line_{nullptr, nullptr, 0, 0, 1};
  extents outer_, steps_[2];
};
// Row-major elements of one type as another.
template <bool Used = true>
void convert_elements(dtype from, dtype to, extent count, std::byte const* x, std::byte* y) {
  word_function const convert = conversion_of<Used>(from, to);
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
                   extents const& shape, std::byte* out, executor_ref const& on) {
  extent const size = x.element_bytes();
  detail::window_places const windows(d, x, indices, row_major_strides(shape));
  if (d.drop) std::memset(out, 0, static_cast<std::size_t>(count_of(shape) * size));
  detail::window_move const move(size, windows.window, windows.window_x, windows.window_side);
  share_ranges(windows.count(), on.by_elements(16 * count_of(shape)), on,
               [&](extent first, extent last, int) {
                 windows.each(
                     first, last, [&](extent const(&start)[max_rank], extent from, extent to) {
                       if (windows.is_inside(start))
                         return move(x.first + from * size, out + to * size);
                       windows.each_inside(start, from, to, [&](extent source, extent place) {
                         std::memcpy(out + place * size, x.first + source * size,
                                     static_cast<std::size_t>(size));
                       });
                     });
               });
}

// Bytes of scratch: sums and products of 16-bit floats are kept in float.
inline extent scatter_bytes(gather_dims const& d, dtype type, extents const& shape) {
  bool const sums = d.combine == scatter_combine::add || d.combine == scatter_combine::mul;
  if (!sums || accumulator_of(type) == type) return 0;
  return aligned_bytes(count_of(shape) * size_of(accumulator_of(type))) + memory_alignment;
}

// `out` holds x already.
template <class = void>
void scatter(gather_dims const& d, extents const& shape, strided_array const& updates,
             strided_array const& indices, std::byte* out, scratch memory) {
  dtype const type = updates.type;
  bool const wide = scatter_bytes(d, type, shape) > 0, set = d.combine == scatter_combine::set;
  strided_array const to{wide ? accumulator_of(type) : type, wide ? memory.memory : out, shape,
                         row_major_strides(shape)};
  if (wide) detail::convert_elements(type, to.type, count_of(shape), out, to.first);
  extent const from_size = updates.element_bytes(), to_size = to.element_bytes();
  detail::window_places const windows(d, to, indices, updates.strides);
  detail::window_move const move(from_size, windows.window, windows.window_side, windows.window_x);
  detail::combine_function const combine = detail::with_dtype(
      type, [&d]<dtype D>() { return detail::combining<D>(d.combine); });
  detail::window_combine const add(combine, windows.window, windows.window_x, windows.window_side,
                                   to_size, from_size);
  auto const one = [&](extent place, extent source) {
    std::byte* const sum = to.first + place * to_size;
    std::byte const* const term = updates.first + source * from_size;
    if (set) std::memcpy(sum, term, static_cast<std::size_t>(to_size));
    else combine({sum, term, 0, 0, 1});
  };
  windows.each(0, windows.count(), [&](extent const(&start)[max_rank], extent place, extent from) {
    if (!windows.is_inside(start)) return windows.each_inside(start, place, from, one);
    std::byte* const sum = to.first + place * to_size;
    if (set) move(updates.first + from * from_size, sum);
    else add(sum, updates.first + from * from_size);
  });
  if (wide) detail::convert_elements(to.type, type, count_of(shape), to.first, out);
}

} // namespace cpu
} // namespace weft::inline v0
