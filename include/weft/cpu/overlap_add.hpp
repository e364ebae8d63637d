// SPDX-License-Identifier: BSL-1.0
// overlap_add on strided arrays: row by row of the result, and for each row tap by tap, a line of
// terms at once. A row runs along the last axis of more than one element (channels of NHWC, the
// last spatial axis of NCHW), so neighbours are added side by side.
// Needs: a result that is row-major and overlaps nothing; overlap_add_bytes of scratch. Leaves: the
// interpreter's bits: +0, then the taps in order, whatever the strides. Rows are shared out among
// threads.
#pragma once

#include <weft/cpu/executor_ref.hpp>
#include <weft/cpu/scratch.hpp>
#include <weft/cpu/strided.hpp>
#include <weft/graph/dense.hpp>
#include <weft/graph/window_list.hpp>

#include <cstring>
#include <type_traits>

namespace weft::inline v0 {
namespace detail {

// What elements are summed in: 16-bit floats in float, integers without a sign, so that they wrap.
template <dtype D> consteval auto overlap_sum() {
  using T = storage_of<D>;
  if constexpr (is_half(D)) return float{};
  else if constexpr (is_integer(D)) return std::make_unsigned_t<T>{};
  else return T{};
}

template <class T> WEFT_INLINE T element_at(std::byte const* from) {
  T x;
  __builtin_memcpy(&x, from, sizeof(T));
  return x;
}
// sum[i * sum_step] += term[i * term_step], steps in elements.
template <class Sum, class T>
void add_line(std::byte* sum, extent sum_step, std::byte const* term, extent term_step, extent n) {
  extent i = 0;
  if constexpr (std::is_same_v<Sum, T>) {
    typedef T pack __attribute__((vector_size(16)));
    constexpr extent lanes = 16 / sizeof(T);
    if (sum_step == 1 && term_step == 1)
      for (; i + lanes <= n; i += lanes) {
        pack const both = element_at<pack>(sum + i * extent{sizeof(T)}) +
                          element_at<pack>(term + i * extent{sizeof(T)});
        __builtin_memcpy(sum + i * extent{sizeof(T)}, &both, sizeof both);
      }
  }
  for (; i < n; ++i) {
    std::byte* const at = sum + i * sum_step * extent{sizeof(Sum)};
    auto const x = element_at<T>(term + i * term_step * extent{sizeof(T)});
    Sum const both = static_cast<Sum>(element_at<Sum>(at) + static_cast<Sum>(x));
    __builtin_memcpy(at, &both, sizeof both);
  }
}

class overlap_rows {
public:
  overlap_rows(window_list const& windows, cpu::strided_array const& x, extents const& shape)
      : windows_(windows), x_(x), shape_(shape), taps_(windows.sizes()) {
    inner_ = shape.rank - 1;
    while (inner_ > 0 && shape[inner_] == 1) --inner_;
    inside_ = inner_ < 0 ? -1 : windows.at(inner_);
    for (int i = 0; i < inner_; ++i) outer_.push(shape[i]);
    for (int w = 0; w < windows.count(); ++w) tap_steps_.push(x.strides[shape.rank + w]);
  }
  extent count() const { return count_of(outer_); }
  extent length() const { return inner_ < 0 ? 1 : shape_[inner_]; }

  // Row number `r` of the result into `sums`.
  template <class Sum, class T> void add_row(extent r, std::byte* sums) const {
    std::memset(sums, 0, static_cast<std::size_t>(length()) * sizeof(Sum));
    position const row = position_of(r, outer_);
    extent const base = offset_of_row(row), step = inner_ < 0 ? 0 : x_.strides[inner_];
    extents const steps[1] = {tap_steps_};
    cpu::walk<1> tap(taps_, steps);
    for (extent k = 0, taps = count_of(taps_); k < taps; ++k, tap.next()) {
      extent from = base + tap.offset[0];
      if (!find(row, tap.index, from)) continue;
      std::byte const* const term = x_.first + from * extent{sizeof(T)};
      if (inside_ < 0) add_line<Sum, T>(sums, 1, term, step, length());
      else {
        extent const first = tap.index[inside_] * windows_.dilation(inside_);
        add_line<Sum, T>(sums + first * extent{sizeof(Sum)}, windows_.stride(inside_), term, step,
                         x_.shape[inner_]);
      }
    }
  }

private:
  extent offset_of_row(position const& row) const {
    extent from = 0;
    for (int i = 0; i < inner_; ++i)
      if (windows_.at(i) < 0) from += row[i] * x_.strides[i];
    return from;
  }
  // Moves `from` to the windows that have a row at this tap; false: there are none.
  bool find(position const& row, extent const (&tap)[max_rank], extent& from) const {
    for (int w = 0; w < windows_.count(); ++w) {
      if (w == inside_) continue;
      int const axis = windows_.axis(w);
      extent const stride = windows_.stride(w),
                   start = (axis < inner_ ? row[axis] : 0) - tap[w] * windows_.dilation(w);
      extent const place = stride == 1 ? start : start / stride;
      if (start < 0 || place * stride != start || place >= x_.shape[axis]) return false;
      from += place * x_.strides[axis];
    }
    return true;
  }

  window_list windows_;
  cpu::strided_array const& x_;
  extents shape_, taps_, tap_steps_, outer_;
  int inner_ = -1, inside_ = -1; // the row's axis, and the window along it, if any
};

} // namespace detail

namespace cpu {

// Bytes of scratch of one thread: a row of 16-bit floats is summed in float.
inline extent overlap_add_bytes(dtype type, extents const& shape) {
  if (!is_half(type)) return 0;
  extent longest = 1;
  for (int i = 0; i < shape.rank; ++i) longest = shape[i] > longest ? shape[i] : longest;
  return aligned_bytes(longest * size_of(accumulator_of(type)));
}

template <class = void>
void overlap_add(window_list const& windows, strided_array const& x, extents const& shape,
                 std::byte* out, scratch memory, executor_ref const& on) {
  if (count_of(shape) == 0) return;
  detail::overlap_rows const rows(windows, x, shape);
  extent const bytes = overlap_add_bytes(x.type, shape), length = rows.length();
  share_ranges(rows.count(), 4 * count_of(x.shape), on, [&](extent first, extent last, int worker) {
    detail::with_dtype(x.type, [&]<dtype D>() {
      if constexpr (D != dtype::boolean) {
        using T = storage_of<D>;
        using sum = decltype(detail::overlap_sum<D>());
        using term = std::conditional_t<is_half(D), T, sum>;
        for (extent r = first; r < last; ++r) {
          std::byte* const to = out + r * length * extent{sizeof(T)};
          if constexpr (!is_half(D)) rows.add_row<sum, term>(r, to);
          else {
            std::byte* const sums = memory.part(worker, bytes).memory;
            rows.add_row<sum, term>(r, sums);
            for (extent i = 0; i < length; ++i) {
              T const rounded(detail::element_at<float>(sums + i * 4));
              __builtin_memcpy(to + i * extent{sizeof(T)}, &rounded, sizeof(T));
            }
          }
        }
      }
    });
  });
}

} // namespace cpu
} // namespace weft::inline v0
