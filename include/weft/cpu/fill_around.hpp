// SPDX-License-Identifier: BSL-1.0
// What lies around a box in a dense array, set to one value: the other half of a copy into its middle.
//   around_box outside(bytes, shape, first, size, value);
//   outside.fill(dst);                                 // or, along axis k, some indices:
//   outside.fill(dst, k, from, to);
// Needs: bytes 1, 2, 4 or 8; the box, size[i] indices from first[i] on, lies in the array, or is empty;
// axes before k are one; value outlives it. Leaves: the box as it was; ranges along an axis write
// disjoint memory.
#pragma once

#include <weft/cpu/move.hpp>

namespace weft::inline v0 {
namespace cpu {

class around_box {
public:
  around_box(int bytes, extents const& shape, extents const& first, extents const& size,
             void const* value)
      : bytes_(bytes), shape_(shape), first_(first), size_(size), steps_(row_major_strides(shape)),
        value_(static_cast<std::byte const*>(value)) {
    bool const empty = count_of(size) == 0; // then along every axis
    for (int k = 0; k < shape.rank; ++k) {
      if (empty) size_[k] = 0;
      if (size_[k] != shape[k]) last_ = k;
    }
  }
  void fill(void* dst) const { lines(0, static_cast<std::byte*>(dst), -1, 0, 0); }
  void fill(void* dst, int axis, extent from, extent to) const {
    lines(axis, static_cast<std::byte*>(dst), axis, from, to);
  }

private:
  void lines(int at, std::byte* to, int cut, extent from, extent end) const {
    if (at > last_) return;
    extent const low = at == cut ? from : 0, high = at == cut ? end : shape_[at];
    auto const limited = [&](extent i) { return i < low ? low : i < high ? i : high; };
    extent const step = steps_[at], begin = limited(first_[at]),
                 past = limited(first_[at] + size_[at]);
    repeat(to + low * step * bytes_, (begin - low) * step);
    if (at < last_)
      for (extent i = begin; i < past; ++i) lines(at + 1, to + i * step * bytes_, cut, from, end);
    repeat(to + past * step * bytes_, (high - past) * step);
  }
  void repeat(std::byte* to, extent count) const {
    if (bytes_ == 8) detail::repeat<8>(value_, count, to);
    else if (bytes_ == 4) detail::repeat<4>(value_, count, to);
    else if (bytes_ == 2) detail::repeat<2>(value_, count, to);
    else detail::repeat<1>(value_, count, to);
  }

  int bytes_;
  extents shape_, first_, size_, steps_;
  std::byte const* value_;
  int last_ = -1; // the last axis along which there is something outside
};

} // namespace cpu
} // namespace weft::inline v0
