// SPDX-License-Identifier: BSL-1.0
// quick_maxima: the largest or smallest of many floats by one instruction each, where maximum and
// minimum (op/meaning.hpp) take three to five: all that they know more is which zero is larger, and
// NaN. Whether a NaN came is noted beside; a result after one, or of zero, is to be found by the op.
//   quick_maxima<Target, op::reduce_max> seen;   seen.clear();
//   a = seen.combined(a, x);  b = seen.combined(b, y);
//   seen.note(x, y);   if (!seen.is_sure(a)) ...
// Needs: clear() first, and every element noted. Leaves: where is_sure(), the bits of the op.
#pragma once

#include <weft/cpu/pack.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace cpu {

template <class Target, op Reduction> class quick_maxima {
  using pack = pack_f32<Target>;

public:
  // Nothing seen yet.
  WEFT_INLINE void clear() { nans_.clear(); }
  static constexpr auto combined = [](pack const& a, pack const& b) WEFT_LAMBDA {
    if constexpr (Reduction == op::reduce_max) return max(a, b);
    else return min(a, b);
  };
  // Elements that were or will be combined.
  WEFT_INLINE void note(pack const& a, pack const& b) { nans_.note(a.value, b.value); }
  WEFT_INLINE bool is_sure(pack const& result) const {
    return !nans_.any() && !any(result == pack(0.0f));
  }

private:
  typename detail::instructions<Target>::nan_watch nans_;
};

} // namespace cpu
} // namespace weft::inline v0
