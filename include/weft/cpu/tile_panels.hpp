// SPDX-License-Identifier: BSL-1.0
// packer: one operand of a product of bf16 as tiles, in the words that cpu/tile_instructions.hpp
// multiplies.
// Needs: memory of 256 words for every 16 lines by 32 steps of k. Leaves: every word of it written.
#pragma once

#include <weft/cpu/panel.hpp>
#include <weft/cpu/tile_instructions.hpp>
#include <weft/pass/product.hpp>

#include <cstring>

namespace weft::inline v0 {
namespace detail {
namespace tile {

// One operand's lines as tiles of words: a word is steps 2 p and 2 p + 1 of k, the first in its low
// half; zero beyond the lines and beyond k. ByLine: word p of line x at [x][p] (a), else at [p][x] (b).
template <bool ByLine> class packer {
  using v = vectors<16>;
  using u = typename v::u;

public:
  packer(bf16 const* from, product_axes const& k, extent places::*side)
      : from_(from), k_(k), side_(side), count_(k.count()),
        step_(k.rank <= 1 ? k.inner().stride.*side : 0) {}

  // Lines first ... first + 15 of `axes`, all of k, one tile behind the other.
  void panel(product_axes const& axes, extent first, extent total, std::uint32_t* to) const {
    int const here = static_cast<int>(total - first < lines ? total - first : lines);
    extent line[lines]{};
    for (int x = 0; x < here; ++x) line[x] = axes.at(first + x).*side_;
    bool const neighbours = here == lines && are_neighbours(line, here);
    for (extent q = 0; q < count_; q += steps, to += words) {
      bool const whole = q + steps <= count_ && here == lines && k_.rank <= 1;
      if (whole && step_ == 1) along_k(line, q, to);
      else if (whole && neighbours) across_k(line[0], q, to);
      else one_by_one(line, here, q, to);
    }
  }

private:
  void along_k(extent const (&line)[lines], extent q, std::uint32_t* to) const {
    u row[lines];
#pragma GCC unroll 16
    for (int x = 0; x < lines; ++x) std::memcpy(&row[x], from_ + line[x] + q, sizeof(u));
    if constexpr (!ByLine) transpose_square<8>(row);
    put(row, to);
  }
  void across_k(extent first, extent q, std::uint32_t* to) const {
    u row[pairs];
#pragma GCC unroll 16
    for (int p = 0; p < pairs; ++p) {
      typename v::halves even, odd;
      std::memcpy(&even, from_ + first + (q + 2 * p) * step_, sizeof even);
      std::memcpy(&odd, from_ + first + (q + 2 * p + 1) * step_, sizeof odd);
      row[p] = __builtin_convertvector(even, u) | __builtin_convertvector(odd, u) << 16;
    }
    if constexpr (ByLine) transpose_square<8>(row);
    put(row, to);
  }
  static void put(u const (&row)[16], std::uint32_t* to) {
    for (int r = 0; r < 16; ++r) std::memcpy(to + 16 * r, &row[r], sizeof(u));
  }
  void one_by_one(extent const (&line)[lines], int here, extent q, std::uint32_t* to) const {
    std::memset(to, 0, words * sizeof *to);
    for (int s = 0; s < steps && q + s < count_; ++s) {
      bf16 const* const at = from_ + k_.at(q + s).*side_;
      int const p = s / 2, shift = s % 2 * 16;
      for (int x = 0; x < here; ++x)
        to[ByLine ? x * pairs + p : p * lines + x] |= std::uint32_t{at[line[x]].bits} << shift;
    }
  }

  bf16 const* from_;
  product_axes const& k_;
  extent places::*side_;
  extent count_, step_;
};

} // namespace tile
} // namespace detail
} // namespace weft::inline v0
