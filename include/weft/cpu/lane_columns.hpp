// SPDX-License-Identifier: BSL-1.0
// Products in lanes order of columns that are neighbours in memory, their 64 chains in registers, or,
// of more than `abreast` packs, in some KiB of the stack.
//   using columns = lane_columns<Target, A, Sum>;
//   columns::sums<4, 0>({a, x, step, k, 4 * lanes}, to);    to: four packs
// Chains that meet in one of 16 lanes are added as soon as two are there. These lanes follow each
// other as their rows do in memory; the rest of the tree is read from a table in L1.
// Needs: at least 64 elements of k. Leaves: the bits of cpu/lanes.hpp, before a bias.
#pragma once

#include <weft/cpu/micro_kernel.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr int lane_count = 64;

template <class Target, class A, class Sum> class lane_columns {
  using pack = cpu::pack_for<Target, Sum>;
  static constexpr int lanes = Target::lanes;

public:
  // Packs of columns whose sums registers hold: 3 of each are alive.
  static constexpr int abreast = 4;
  struct chains {
    A const* a; // the first column, `step` elements from one row to the next
    Sum const* x;
    extent step, k;
    int width; // where Packs is 1: the columns of it that there are
  };

  // Turns: elements of k in every lane, or 0 if the compiler does not know how many.
  template <int Packs, int Turns> WEFT_INLINE static void sums(chains const& from, Sum* to) {
    packs<Packs> met[roots];
    for (int lane = 0; lane < roots; ++lane) met[lane] = halved<roots, Packs, Turns>(from, lane);
#pragma GCC unroll 16
    for (int v = 0; v < Packs; ++v) cpu::store(to + v * lanes, root_of<1>(met, 0, v));
  }

private:
  static constexpr int roots = 16;

  template <int Packs> struct packs {
    pack of[Packs];

    WEFT_INLINE void add(packs const& other) {
#pragma GCC unroll 16
      for (int v = 0; v < Packs; ++v) of[v] = of[v] + other.of[v];
    }
    WEFT_INLINE void add_row(A const* row, Sum factor, [[maybe_unused]] int width) {
      pack const right(factor);
      if constexpr (Packs == 1)
        of[0] = multiply_add_packs(cpu::load_first<Target>(row, width), right, of[0]);
      else
#pragma GCC unroll 16
        for (int v = 0; v < Packs; ++v)
          of[v] = multiply_add_packs(cpu::load<Target>(row + v * lanes), right, of[v]);
    }
  };

  // A lane below `Stride` of the tree there.
  template <int Stride, int Packs, int Turns>
  WEFT_INLINE static packs<Packs> halved(chains const& from, int lane) {
    if constexpr (Stride == lane_count) return chain<Packs, Turns>(from, lane);
    else {
      packs<Packs> r = halved<2 * Stride, Packs, Turns>(from, lane);
      r.add(halved<2 * Stride, Packs, Turns>(from, lane + Stride));
      return r;
    }
  }
  template <int Packs, int Turns>
  WEFT_INLINE static packs<Packs> chain(chains const& from, int lane) {
    packs<Packs> s;
#pragma GCC unroll 16
    for (pack& x : s.of) x = pack(Sum{});
    A const* row = from.a + lane * from.step;
    if constexpr (Turns > 0)
#pragma GCC unroll 2
      for (int t = 0; t < Turns; ++t)
        s.add_row(row + t * lane_count * from.step, from.x[lane + t * lane_count], from.width);
    else
      for (extent q = lane; q < from.k; q += lane_count, row += lane_count * from.step)
        s.add_row(row, from.x[q], from.width);
    return s;
  }
  // The tree of pack v above the table, as deep as registers hold.
  template <int Stride, int Packs>
  WEFT_INLINE static pack root_of(packs<Packs> const (&met)[roots], int lane, int v) {
    if constexpr (Stride == roots) return met[lane].of[v];
    else return root_of<2 * Stride>(met, lane, v) + root_of<2 * Stride>(met, lane + Stride, v);
  }
};

} // namespace detail
} // namespace weft::inline v0
