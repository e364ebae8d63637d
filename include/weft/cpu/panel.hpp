// SPDX-License-Identifier: BSL-1.0
// Packing: `Width` lines of an operand become a panel, step by step, widened to the type in which
// the product is computed, so that the micro-kernel reads both operands forwards.
// Needs: dst with room for count * Width. Leaves: dst[p * Width + x] = src[line[x] + p * step],
// zero for x >= lines.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/dtype.hpp>
#include <weft/core/extents.hpp>
#include <weft/cpu/vector.hpp>

#include <cstring>
#include <type_traits>

namespace weft::inline v0 {
namespace detail {

template <class Wide, class T> WEFT_INLINE Wide widened(T const& x) {
  if constexpr (std::is_same_v<T, f16>) return half_to_float(x);
  else return static_cast<Wide>(x);
}

template <int Width> WEFT_INLINE bool are_neighbours(extent const (&line)[Width], int lines) {
  for (int x = 1; x < lines; ++x)
    if (line[x] != line[0] + x) return false;
  return true;
}

// (g++ 12 at -O2 copies one element at a time where it has to ask whether the arrays overlap.)
template <int Width, class Wide, class T> WEFT_INLINE void widen_all(T const* src, Wide* dst) {
  if constexpr (std::is_same_v<Wide, T>) std::memcpy(dst, src, Width * sizeof(T));
  else
    for (int x = 0; x < Width; ++x) dst[x] = widened<Wide>(src[x]);
}

// Lines that are neighbours: each step is one contiguous read.
template <int Width, class Wide, class T>
void pack_rows(T const* src, int lines, extent step, extent count, Wide* dst) {
  if (lines == Width) {
    for (extent p = 0; p < count; ++p, src += step, dst += Width) widen_all<Width>(src, dst);
    return;
  }
  for (extent p = 0; p < count; ++p, src += step, dst += Width) {
    for (int x = 0; x < lines; ++x) dst[x] = widened<Wide>(src[x]);
    for (int x = lines; x < Width; ++x) dst[x] = Wide{};
  }
}

// Lines contiguous along k: a transpose, by blocks of 16 steps so that reads use whole cache lines.
template <int Width, class Wide, class T>
void pack_columns(T const* src, extent const (&line)[Width], int lines, extent count, Wide* dst) {
  constexpr int block = 16;
  for (int x = 0; x < lines; ++x) {
    T const* from = src + line[x];
    Wide* to = dst + x;
    extent p = 0;
    for (; p + block <= count; p += block, from += block, to += block * Width)
#pragma GCC unroll 16
      for (int q = 0; q < block; ++q) to[q * Width] = widened<Wide>(from[q]);
    for (; p < count; ++p, ++from, to += Width) *to = widened<Wide>(*from);
  }
}

template <int Width, class Wide> void pad_panel(int lines, extent count, Wide* dst) {
  for (extent p = 0; p < count; ++p)
    for (int x = lines; x < Width; ++x) dst[p * Width + x] = Wide{};
}

template <int Width, class Wide, class T>
WEFT_NOINLINE void pack_panel(T const* src, extent const (&line)[Width], int lines, extent step,
                              extent count, Wide* dst) {
  if (are_neighbours(line, lines)) return pack_rows<Width>(src + line[0], lines, step, count, dst);
  if (lines < Width) pad_panel<Width>(lines, count, dst);
  if (step == 1) return pack_columns<Width>(src, line, lines, count, dst);
  for (extent p = 0; p < count; ++p)
    for (int x = 0; x < lines; ++x) dst[p * Width + x] = widened<Wide>(src[line[x] + p * step]);
}

} // namespace detail
} // namespace weft::inline v0
