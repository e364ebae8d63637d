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
#include <utility>

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
template <class Target, int Width, class Wide, class T>
WEFT_FAST void pack_rows(T const* src, int lines, extent step, extent count, Wide* dst) {
  if (lines == Width) {
    for (extent p = 0; p < count; ++p, src += step, dst += Width) widen_all<Width>(src, dst);
    return;
  }
  for (extent p = 0; p < count; ++p, src += step, dst += Width) {
    for (int x = 0; x < lines; ++x) dst[x] = widened<Wide>(src[x]);
    for (int x = lines; x < Width; ++x) dst[x] = Wide{};
  }
}

// Of a register.
template <class Target, class Wide>
inline constexpr int panel_lanes = sizeof(Wide) == 8 ? Target::lanes / 2 : Target::lanes;

// Exchanges blocks of Step by Step elements of square blocks twice as wide.
template <int Step, class V, int L> WEFT_INLINE void exchange_blocks(V (&row)[L]) {
#pragma GCC unroll 16
  for (int i = 0; i < L; ++i) {
    if ((i & Step) != 0) continue;
    V const above = row[i], below = row[i + Step];
    [&]<int... J>(std::integer_sequence<int, J...>) WEFT_LAMBDA {
      row[i] = __builtin_shufflevector(above, below, ((J & Step) != 0 ? L + J - Step : J)...);
      row[i + Step] = __builtin_shufflevector(above, below,
                                              ((J & Step) != 0 ? L + J : J + Step)...);
    }(std::make_integer_sequence<int, L>{});
  }
}
template <int Step, class V, int L> WEFT_INLINE void transpose_square(V (&row)[L]) {
  exchange_blocks<Step>(row);
  if constexpr (Step > 1) transpose_square<Step / 2>(row);
}

// L elements as one register.
template <class Target, class Wide, int L, class V, class T>
WEFT_INLINE void widen_line(T const* src, V& row) {
  using machine = instructions<Target>;
  if constexpr (std::is_same_v<Wide, T>) std::memcpy(&row, src, sizeof row);
  else if constexpr (is_half(dtype_of<T>)) {
    typename vectors<L>::halves bits;
    std::memcpy(&bits, src, sizeof bits);
    if constexpr (std::is_same_v<T, bf16>)
      row = V(__builtin_convertvector(bits, typename vectors<L>::u) << 16);
    else if constexpr (requires { machine::from_halves(bits); }) row = machine::from_halves(bits);
    else
      for (int q = 0; q < L; ++q) row[q] = widened<Wide>(src[q]);
  } else
    for (int q = 0; q < L; ++q) row[q] = static_cast<Wide>(src[q]);
}

// Lines contiguous along k: a transpose, by squares in registers.
template <class Target, int Width, class Wide, class T>
WEFT_FAST void pack_columns(T const* src, extent const (&line)[Width], int lines, extent count,
                            Wide* dst) {
  constexpr int lanes = panel_lanes<Target, Wide>;
  typedef Wide vector __attribute__((vector_size(lanes * sizeof(Wide))));
  for (int x = 0; x < Width; x += lanes) {
    int const high = lines - x < lanes ? lines - x : lanes;
    constexpr int whole = Width / lanes * lanes, rest = Width - whole;
    extent p = 0;
    for (; p + lanes <= count; p += lanes) {
      vector row[lanes];
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) {
        row[i] = vector{};
        if (i < high && x + i < Width)
          widen_line<Target, Wide, lanes>(src + line[x + i] + p, row[i]);
      }
      transpose_square<lanes / 2>(row);
      Wide* const to = dst + p * Width + x;
#pragma GCC unroll 16
      for (int q = 0; q < lanes; ++q) {
        if (x < whole) std::memcpy(to + q * Width, &row[q], sizeof(vector));
        else std::memcpy(to + q * Width, &row[q], rest * sizeof(Wide));
      }
    }
    for (; p < count; ++p)
      for (int i = 0; i < lanes && x + i < Width; ++i)
        dst[p * Width + x + i] = i < high ? widened<Wide>(src[line[x + i] + p]) : Wide{};
  }
}

template <int Width, class Wide> WEFT_FAST void pad_panel(int lines, extent count, Wide* dst) {
  for (extent p = 0; p < count; ++p)
    for (int x = lines; x < Width; ++x) dst[p * Width + x] = Wide{};
}

template <class Target, int Width, class Wide, class T>
WEFT_NOINLINE WEFT_FAST void pack_panel(T const* src, extent const (&line)[Width], int lines,
                                        extent step, extent count, Wide* dst) {
  if (are_neighbours(line, lines))
    return pack_rows<Target, Width>(src + line[0], lines, step, count, dst);
  if (step == 1) return pack_columns<Target, Width>(src, line, lines, count, dst);
  if (lines < Width) pad_panel<Width>(lines, count, dst);
  for (extent p = 0; p < count; ++p)
    for (int x = 0; x < lines; ++x) dst[p * Width + x] = widened<Wide>(src[line[x] + p * step]);
}

} // namespace detail
} // namespace weft::inline v0
