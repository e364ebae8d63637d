// SPDX-License-Identifier: BSL-1.0
// Moves of elements between arrays of any strides, whatever the type: a type is its size here.
//   copy(bytes, shape, src, src_strides, dst, dst_strides)     dst[i] = src[i] for every index i
//   fill(bytes, shape, value, dst, dst_strides)                dst[i] = *value
// Needs: bytes 1, 2, 4 or 8; strides in elements, negative or zero allowed (dst: no two indices at one
// place); no overlap. Leaves: only the elements of dst written. What is contiguous in both is one
// memcpy per run; what is contiguous once on each side is transposed in blocks.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/extents.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace weft::inline v0 {
namespace detail {

struct move_axis {
  extent size, from, to; // strides in src and dst
};
struct move_plan {
  int rank = 0;
  move_axis d[max_rank]{};
};

constexpr extent magnitude(extent n) { return n < 0 ? -n : n; }

// The order of axes is free: dst's, largest stride first, so that neighbours merge.
constexpr move_plan plan_move(extents const& shape, extents const& from, extents const& to) {
  move_plan sorted, merged;
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i] == 1) continue;
    int at = sorted.rank++;
    for (; at > 0 && magnitude(sorted.d[at - 1].to) < magnitude(to[i]); --at)
      sorted.d[at] = sorted.d[at - 1];
    sorted.d[at] = {shape[i], from[i], to[i]};
  }
  for (int i = 0; i < sorted.rank; ++i) {
    move_axis const next = sorted.d[i];
    move_axis* const last = merged.rank > 0 ? &merged.d[merged.rank - 1] : nullptr;
    if (last && last->from == next.from * next.size && last->to == next.to * next.size)
      *last = {last->size * next.size, next.from, next.to};
    else merged.d[merged.rank++] = next;
  }
  return merged;
}

// If src is contiguous along another axis than dst is, that axis becomes the last but one.
constexpr bool choose_transpose(move_plan& p) {
  if (p.rank < 2 || magnitude(p.d[p.rank - 1].from) <= 1) return false;
  for (int i = p.rank - 2; i >= 0; --i) {
    if (p.d[i].from != 1) continue;
    move_axis const chosen = p.d[i];
    for (; i < p.rank - 2; ++i) p.d[i] = p.d[i + 1];
    p.d[p.rank - 2] = chosen;
    return true;
  }
  return false;
}

template <int Bytes> WEFT_INLINE void move_one(std::byte const* src, std::byte* dst) {
  __builtin_memcpy(dst, src, Bytes);
}

// One element, count times; a register at a time.
template <int Bytes> WEFT_INLINE void repeat(std::byte const* src, extent count, std::byte* dst) {
  constexpr int lanes = 16 / Bytes;
  std::byte line[16];
  for (int i = 0; i < lanes; ++i) move_one<Bytes>(src, line + i * Bytes);
  extent i = 0;
  for (; i + lanes <= count; i += lanes) std::memcpy(dst + i * Bytes, line, 16);
  for (; i < count; ++i) move_one<Bytes>(src, dst + i * Bytes);
}

template <int Bytes>
WEFT_NOINLINE WEFT_FAST void move_run(move_axis const& x, std::byte const* src, std::byte* dst) {
  if (x.from == 1 && x.to == 1) {
    std::memcpy(dst, src, static_cast<std::size_t>(x.size * Bytes));
  } else if (x.from == 0 && x.to == 1) {
    repeat<Bytes>(src, x.size, dst);
  } else if (x.to == 1) {
    for (extent i = 0; i < x.size; ++i) move_one<Bytes>(src + i * x.from * Bytes, dst + i * Bytes);
  } else {
    for (extent i = 0; i < x.size; ++i)
      move_one<Bytes>(src + i * x.from * Bytes, dst + i * x.to * Bytes);
  }
}

// The elements of a register of 16 bytes.
template <int Bytes> struct move_vector;
template <> struct move_vector<1> {
  typedef std::uint8_t type __attribute__((vector_size(16)));
};
template <> struct move_vector<2> {
  typedef std::uint16_t type __attribute__((vector_size(16)));
};
template <> struct move_vector<4> {
  typedef std::uint32_t type __attribute__((vector_size(16)));
};
template <> struct move_vector<8> {
  typedef std::uint64_t type __attribute__((vector_size(16)));
};

// Rows i and i + L / 2 become 2 i and 2 i + 1, their elements by turns: after log2 L rounds rows are
// columns.
template <int Rounds, class V, int L> WEFT_INLINE void interleave_rows(V (&row)[L]) {
  V next[L];
  [&]<int... J>(std::integer_sequence<int, J...>) WEFT_LAMBDA {
#pragma GCC unroll 8
    for (int i = 0; i < L / 2; ++i) {
      next[2 * i] = __builtin_shufflevector(row[i], row[i + L / 2], (J / 2 + J % 2 * L)...);
      next[2 * i + 1] = __builtin_shufflevector(row[i], row[i + L / 2],
                                                (L / 2 + J / 2 + J % 2 * L)...);
    }
  }(std::make_integer_sequence<int, L>{});
#pragma GCC unroll 16
  for (int i = 0; i < L; ++i) row[i] = next[i];
  if constexpr (Rounds > 1) interleave_rows<Rounds - 1>(row);
}

// A square of as many elements each way as fill a register: steps between its lines in bytes.
template <int Bytes>
WEFT_INLINE void move_square(std::byte const* src, extent from, std::byte* dst, extent to) {
  constexpr int lanes = 16 / Bytes;
  typename move_vector<Bytes>::type row[lanes];
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i) std::memcpy(&row[i], src + i * from, 16);
  interleave_rows<__builtin_ctz(lanes)>(row);
#pragma GCC unroll 16
  for (int i = 0; i < lanes; ++i) std::memcpy(dst + i * to, &row[i], 16);
}

// Columns from `first` to `last` of so many rows.
template <int Bytes>
WEFT_INLINE void move_rows(move_axis const& x, move_axis const& y, std::byte const* src,
                           std::byte* dst, extent rows, extent first, extent last) {
  for (extent r = 0; r < rows; ++r, src += Bytes, dst += x.to * Bytes)
    for (extent c = first; c < last; ++c)
      move_one<Bytes>(src + c * y.from * Bytes, dst + c * y.to * Bytes);
}

// x: contiguous in src; y: contiguous in dst. A block's lines of both sides stay in L1.
template <int Bytes>
WEFT_NOINLINE WEFT_FAST void move_transposed(move_axis const& x, move_axis const& y,
                                             std::byte const* src, std::byte* dst) {
  constexpr extent block = 64 / Bytes, lanes = 16 / Bytes;
  for (extent i = 0; i < x.size; i += block)
    for (extent j = 0; j < y.size; j += block) {
      extent const rows = x.size - i < block ? x.size - i : block;
      extent const end = y.size - j < block ? y.size : j + block;
      extent const whole = y.to == 1 ? j + (end - j) / lanes * lanes : j;
      std::byte const* from = src + i * Bytes;
      std::byte* to = dst + i * x.to * Bytes;
      extent r = 0;
      for (; whole > j && r + lanes <= rows; r += lanes, from += 16, to += lanes * x.to * Bytes) {
        for (extent c = j; c < whole; c += lanes)
          move_square<Bytes>(from + c * y.from * Bytes, y.from * Bytes, to + c * Bytes,
                             x.to * Bytes);
        if (whole < end) move_rows<Bytes>(x, y, from, to, lanes, whole, end);
      }
      move_rows<Bytes>(x, y, from, to, rows - r, j, end);
    }
}

template <int Bytes>
void move_elements(move_plan const& p, bool transposed, int axis, std::byte const* src,
                   std::byte* dst) {
  int const left = p.rank - axis;
  if (left == 0) return move_one<Bytes>(src, dst);
  if (left == 1) return move_run<Bytes>(p.d[axis], src, dst);
  if (left == 2 && transposed) return move_transposed<Bytes>(p.d[axis], p.d[axis + 1], src, dst);
  move_axis const& x = p.d[axis];
  for (extent i = 0; i < x.size; ++i)
    move_elements<Bytes>(p, transposed, axis + 1, src + i * x.from * Bytes, dst + i * x.to * Bytes);
}

} // namespace detail

namespace cpu {

// A plan carried out (detail::plan_move, detail::choose_transpose).
inline void run_plan(int bytes, detail::move_plan const& plan, bool transposed,
                     std::byte const* from, std::byte* to) {
  if (bytes == 8) detail::move_elements<8>(plan, transposed, 0, from, to);
  else if (bytes == 4) detail::move_elements<4>(plan, transposed, 0, from, to);
  else if (bytes == 2) detail::move_elements<2>(plan, transposed, 0, from, to);
  else detail::move_elements<1>(plan, transposed, 0, from, to);
}

inline void copy(int bytes, extents const& shape, void const* src, extents const& src_strides,
                 void* dst, extents const& dst_strides) {
  if (count_of(shape) == 0) return;
  detail::move_plan plan = detail::plan_move(shape, src_strides, dst_strides);
  bool const transposed = detail::choose_transpose(plan);
  run_plan(bytes, plan, transposed, static_cast<std::byte const*>(src),
           static_cast<std::byte*>(dst));
}

inline void fill(int bytes, extents const& shape, void const* value, void* dst,
                 extents const& dst_strides) {
  copy(bytes, shape, value, extents{shape.rank, {}}, dst, dst_strides);
}

} // namespace cpu
} // namespace weft::inline v0
