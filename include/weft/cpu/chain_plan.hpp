// SPDX-License-Identifier: BSL-1.0
// chain_plan: how a product in order chain is cut into blocks for the caches, which of its operands
// are packed, and what that takes.
// Needs: a product of order chain. Leaves: bytes() of scratch for one worker.
#pragma once

#include <weft/core/memory_source.hpp>
#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/product_call.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace detail {

constexpr extent least(extent a, extent b) { return a < b ? a : b; }

// Blocks: a panel of b (depth x columns of a tile) stays in L1, a block of a in L2, one of b in L3.
template <class Target, class T> struct block_shape {
  static constexpr extent depth = Target::lanes == 16 ? (sizeof(T) == 8 ? 384 : 512) : 256;
  static constexpr extent rows = tile_shape<Target, T>::rows * (sizeof(T) == 8 ? 12 : 24);
  static constexpr extent columns = tile_shape<Target, T>::columns * 128;
};

// What one worker needs, and which operands are read where they lie.
// `Gathers`: tiles may read rows of a where they lie, however many axes they have: what a product of
// windows wants, whose rows share most of their elements (pass/convolution_form.hpp).
template <class Target, class A, class B, class Out, bool Gathers = false> struct chain_plan {
  using sum = cpu::sum_type<Out>;
  using tile = tile_shape<Target, sum>;
  using block = block_shape<Target, sum>;
  extent m, n, k;
  bool direct_a, direct_b;   // thin: an operand used by few tiles is not worth packing
  bool gathered, gathered_b; // rows of a, whole tiles' columns of b, are read where they lie
  bool lined_b;   // whole tiles' columns of b, beside gathered rows: all of k is one line of b
  bool by_panels; // what is packed of b, when its tiles' turn comes, for all rows of out
  bool partial;   // sums of a narrow Out wait between blocks of k
  extent rows, columns; // of out, per pass over k
  extent a_count = 0, b_count = 0, partial_count = 0;
  static constexpr extent least_run = 3; // of k, for which a gathered tile is worth it
  // Rows of out that are not worth packing b for; elements of b whose steps of k may all fall on one
  // place of the first cache; elements of a, in the near caches.
  static constexpr extent most_direct_rows = 280, small_matrix = 1 << 15, small_rows = 1 << 14;
  // Elements of out that stay in L2 until somebody who is told has read them.
  static constexpr extent near_elements = 1 << 17;

  // Rows of a that are contiguous along k are read as fast where they lie as packed, and packing them
  // is a transpose: with AVX-512, where a tile has 14 rows for one row of b, a tenth of the time of
  // 256x256x256. Not of arrays beyond the second cache, nor where all rows of a tile fall on one
  // place of the first.
  static constexpr extent most_bytes = 1 << 21, page = 4096;
  static constexpr bool reads_lines_well(product_form const& p) {
    constexpr auto size = static_cast<extent>(sizeof(A));
    return Target::lanes == 16 && p.k.inner().stride.a == 1 &&
           p.m.inner().stride.a * size % page != 0 &&
           p.m.count() * p.k.count() * size <= most_bytes;
  }
  // Steps of k are read where they lie as fast as from a panel, and the panel need not be written:
  // a seventh of the time of 64x512x512 with AVX-512, nothing from 512 rows on. Packs of 8 are read
  // twice as often, and wait where all steps fall on one place of the first cache.
  static constexpr bool reads_steps_well(product_form const& p) {
    extent const m = p.m.count(), bytes = p.k.inner().stride.b * static_cast<extent>(sizeof(B));
    bool const spread = Target::lanes == 16 || bytes % page != 0 ||
                        p.k.count() * p.n.count() <= small_matrix;
    return m <= (spread ? most_direct_rows : 4 * tile::rows);
  }
  // Tiles end where a line of b's columns does: they should not be empty by more than a quarter.
  static constexpr bool fills_tiles(extent line) {
    return 4 * line >= 3 * share_count(line, tile::columns) * tile::columns;
  }

  // `held`: b is packed already, all of it (cpu/held_product.hpp).
  constexpr explicit chain_plan(product_form const& p, bool held = false)
      : m(p.m.count()), n(p.n.count()), k(p.k.count()),
        direct_a(std::is_same_v<A, sum> && p.m.rank <= 1 && p.k.rank <= 1 &&
                 (n <= 4 * tile::columns || m <= tile::rows || m * k <= small_rows ||
                  reads_lines_well(p))),
        direct_b(!held && std::is_same_v<B, sum> && p.k.rank <= 1 && reads_steps_well(p) &&
                 (p.n.rank == 0 || (p.n.rank == 1 && p.n.inner().stride.b == 1))),
        gathered(Gathers && !held && std::is_same_v<A, sum> && !direct_a && !direct_b &&
                 p.k.inner().size >= least_run && !p.swapped),
        gathered_b(Gathers && !held && std::is_same_v<B, sum> && !gathered && !direct_a &&
                   !direct_b && p.n.rank > 0 && p.n.inner().stride.b == 1 &&
                   fills_tiles(p.n.inner().size) && p.k.inner().size >= least_run),
        lined_b(gathered && k > 0 && std::is_same_v<B, sum> && p.k.is_line(&places::b) &&
                reads_steps_well(p) && m <= block::rows && p.n.rank > 0 &&
                p.n.inner().stride.b == 1 && fills_tiles(p.n.inner().size)),
        by_panels(!held && !direct_b && !gathered_b && m <= block::rows &&
                  (lined_b || m <= 2 * tile::rows || m * n <= near_elements)),
        partial(!std::is_same_v<Out, sum> && k > block::depth),
        rows(partial ? least(m, 4 * block::rows) : m),
        columns(least(n, partial ? block::columns / 4 : block::columns)) {
    extent const depth = least(k, block::depth);
    if (!direct_a && !gathered)
      a_count = share_count(least(m, block::rows), tile::rows) * tile::rows * depth;
    if (!direct_b && !held)
      b_count = (gathered_b || by_panels ? 1 : share_count(columns, tile::columns)) *
                tile::columns * depth;
    if (partial) partial_count = rows * columns;
  }
  static constexpr extent bytes_of(extent count) {
    return aligned_bytes(count * static_cast<extent>(sizeof(sum)));
  }
  constexpr extent bytes() const {
    return bytes_of(a_count) + bytes_of(b_count) + bytes_of(partial_count);
  }
};

} // namespace detail
} // namespace weft::inline v0
