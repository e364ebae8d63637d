// SPDX-License-Identifier: BSL-1.0
// The innermost product: a tile of out in registers, one fused multiply-add per element and step,
// in the order of k. Rows come from a by broadcast, columns from b in packs.
// Needs: floats (fused) or unsigned integers (modulo 2^32 or 2^64); see `tile_step` for the operands.
// Leaves: to[i][j] = from[i][j] or 0, then fma(a[i, p], b[p, j], ·) for p = 0 … depth - 1; of thin
// forms the first pack alone.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/extents.hpp>
#include <weft/cpu/pack.hpp>

#include <array>
#include <utility>

namespace weft::inline v0 {
namespace detail {

// Rows and packs of a tile: accumulators, one row of b and a broadcast fill the register file
// (14 * 2 of 32, 6 * 2 of 16; without three-operand instructions, 4 * 2 of 16). T: what is summed;
// a pack of 64-bit numbers is two registers.
template <class Target, class T> struct tile_shape {
  static constexpr int rows = Target::lanes == 16 ? 14 : Target::lanes == 8 ? 6 : 4;
  static constexpr int packs = sizeof(T) == 8 ? 1 : 2;
  static constexpr int columns = packs * Target::lanes;
};

// A run of steps along k: a[i, p] is rows[i][first + p * step].
struct step_run {
  extent first, count, step;
};

// a[i, p] is a[i * a_row + p * a_step], or as `runs` say; b[p, j] is b[p * b_step + j].
template <class T> struct tile_step {
  extent depth;
  T const* a;
  extent a_row, a_step;
  T const* const* rows;
  step_run const* runs;
  int run_count;
  T const* b;
  extent b_step;
  int columns;          // of b that may be read; to has all of the tile's
  T const* const* from; // a pointer per row, or null: start from 0
  T* const* to;
};

template <world_float Pack>
WEFT_INLINE Pack multiply_add_packs(Pack const& a, Pack const& b, Pack const& c) {
  return fma(a, b, c);
}
template <world_uint Pack>
WEFT_INLINE Pack multiply_add_packs(Pack const& a, Pack const& b, Pack const& c) {
  return a * b + c;
}

// Row i of an operand whose rows are `step` apart, as 3 * q + m: an address can add 1, 2, 4 or 8 times
// a register to another, so a pointer for each q reaches all of a tile's rows.
inline constexpr int base_of_row[] = {0, 0, 0, 1, 0, 1, 2, 1, 0, 3, 2, 1, 4, 3};
template <class T, int Rows> struct row_bases {
  static constexpr int count = (Rows + 2) / 3;
  T const* base[count];
  extent step;

  WEFT_INLINE row_bases(T const* first, extent row) : step(row) {
#pragma GCC unroll 8
    for (int q = 0; q < count; ++q) base[q] = first + 3 * q * row;
  }
  WEFT_INLINE T operator[](int i) const {
    int const q = base_of_row[i];
    return base[q][(i - 3 * q) * step];
  }
  WEFT_INLINE void advance(extent by) {
#pragma GCC unroll 8
    for (int q = 0; q < count; ++q) {
      base[q] += by;
      cpu::hold(base[q]);
    }
  }
};

enum class tile_form {
  packed,        // a_row = 1 and a_step = rows, b_step = columns: constant strides
  direct,        // any strides
  narrow,        // any strides, and only the first `columns` of b may be read
  thin,          // the same, and one pack holds them: the others of the tile are left alone
  gathered,      // rows of a anywhere, k in runs
  gathered_thin, // the same, and one pack holds the columns
  gathered_b,    // a_row = 1 and a_step = rows; b in runs
};

constexpr bool is_thin(tile_form f) {
  return f == tile_form::thin || f == tile_form::gathered_thin;
}
// Of a tile with at most one pack of columns.
constexpr tile_form thin_form(tile_form f) {
  return f == tile_form::gathered ? tile_form::gathered_thin : tile_form::thin;
}

template <class Target, class T, int Rows, tile_form Form>
WEFT_NOINLINE WEFT_FAST void micro_kernel(tile_step<T> const& s) {
  using pack = cpu::pack_for<Target, T>;
  using shape = tile_shape<Target, T>;
  constexpr int lanes = Target::lanes, packs = is_thin(Form) ? 1 : shape::packs;
  pack sum[Rows][packs];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 2
    for (int j = 0; j < packs; ++j)
      sum[i][j] = s.from ? cpu::load<Target>(s.from[i] + j * lanes) : pack(T{});

  T const* a = s.a;
  T const* b = s.b;
  constexpr bool a_is_packed = Form == tile_form::packed || Form == tile_form::gathered_b;
  extent const a_step = a_is_packed ? shape::rows : s.a_step;
  extent const b_step = Form == tile_form::packed ? shape::columns : s.b_step;
  int readable[packs];
#pragma GCC unroll 2
  for (int j = 0; j < packs; ++j) {
    int const left = s.columns - j * lanes;
    readable[j] = left < 0 ? 0 : left < lanes ? left : lanes;
  }
  auto const add_step = [&](auto const& element) WEFT_LAMBDA {
    pack row[packs];
#pragma GCC unroll 2
    for (int j = 0; j < packs; ++j) {
      if constexpr (Form == tile_form::narrow || Form == tile_form::thin)
        row[j] = cpu::load_first<Target>(b + j * lanes, readable[j]);
      else row[j] = cpu::load<Target>(b + j * lanes);
      if constexpr (Rows > 1) cpu::hold(row[j]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      pack const left(element(i));
#pragma GCC unroll 2
      for (int j = 0; j < packs; ++j) sum[i][j] = multiply_add_packs(left, row[j], sum[i][j]);
    }
  };
  if constexpr (Form == tile_form::gathered || Form == tile_form::gathered_thin) {
    T const* rows[Rows];
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) rows[i] = s.rows[i];
    for (int r = 0; r < s.run_count; ++r) {
      extent at = s.runs[r].first;
      extent const step = s.runs[r].step;
      for (extent p = 0; p < s.runs[r].count; ++p, at += step, b += b_step)
        add_step([&](int i) WEFT_LAMBDA { return rows[i][at]; });
    }
  } else if constexpr (Form == tile_form::gathered_b) {
    for (int r = 0; r < s.run_count; ++r) {
      b = s.b + s.runs[r].first;
      extent const step = s.runs[r].step;
      for (extent p = 0; p < s.runs[r].count; ++p, a += a_step, b += step)
        add_step([&](int i) WEFT_LAMBDA { return a[i]; });
    }
  } else if constexpr (a_is_packed) {
    for (extent p = 0; p < s.depth; ++p, a += a_step, b += b_step)
      add_step([&](int i) WEFT_LAMBDA { return a[i]; });
  } else {
    row_bases<T, Rows> rows(a, s.depth > 0 ? s.a_row : 0); // of no steps a may be null
    for (extent p = 0; p < s.depth; ++p, rows.advance(a_step), b += b_step)
      add_step([&](int i) WEFT_LAMBDA { return rows[i]; });
  }

#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 2
    for (int j = 0; j < packs; ++j) cpu::store(s.to[i] + j * lanes, sum[i][j]);
}

template <class T> using micro_kernel_of = void (*)(tile_step<T> const&);

// By rows minus one. Constants of a template: one table per target, type and form.
template <class Target, class T, tile_form Form>
inline constexpr auto micro_kernels = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<micro_kernel_of<T>, sizeof...(I)>{&micro_kernel<Target, T, I + 1, Form>...};
}(std::make_integer_sequence<int, tile_shape<Target, T>::rows>{});

// AllPacked: no operand is ever read where it lies. Gathers: rows of a may be anywhere.
template <class Target, class T, bool AllPacked, bool Gathers>
WEFT_INLINE void multiply_tile(tile_form form, int rows, tile_step<T> const& s) {
  auto const row = static_cast<unsigned>(rows - 1);
  if constexpr (Gathers) {
    if (form == tile_form::gathered) return micro_kernels<Target, T, tile_form::gathered>[row](s);
    if constexpr (tile_shape<Target, T>::packs > 1)
      if (form == tile_form::gathered_thin)
        return micro_kernels<Target, T, tile_form::gathered_thin>[row](s);
    if (form == tile_form::gathered_b)
      return micro_kernels<Target, T, tile_form::gathered_b>[row](s);
  }
  if constexpr (AllPacked) return micro_kernels<Target, T, tile_form::packed>[row](s);
  else switch (form) {
      case tile_form::packed: return micro_kernels<Target, T, tile_form::packed>[row](s);
      case tile_form::direct: return micro_kernels<Target, T, tile_form::direct>[row](s);
      case tile_form::narrow: return micro_kernels<Target, T, tile_form::narrow>[row](s);
      case tile_form::thin:
        if constexpr (tile_shape<Target, T>::packs > 1)
          return micro_kernels<Target, T, tile_form::thin>[row](s);
        else return;
      default: return;
    }
}

} // namespace detail
} // namespace weft::inline v0
