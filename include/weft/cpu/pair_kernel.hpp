// SPDX-License-Identifier: BSL-1.0
// Products of bf16 by the instruction that adds two of them: steps p and p + 1 of k lie in one word,
// p in its high half, which the instruction takes first. Each half is a fused multiply-add rounded
// to float, so a run of pairs is the chain that graph/attributes.hpp states, except that subnormal
// operands and sums count as zero. `pair_range` says when there can be none.
// Needs: a target whose instructions have add_pairs; words as `pack_pairs` writes them.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, VDPBF16PS.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/dtype.hpp>
#include <weft/core/extents.hpp>
#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/pack.hpp>
#include <weft/cpu/panel.hpp>
#include <weft/pass/product.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace weft::inline v0 {
namespace detail {

template <class Target>
concept has_pairs = requires(vectors<Target::lanes>::u const& x,
                             vectors<Target::lanes>::f const& y) {
  instructions<Target>::add_pairs(x, x, y);
};

// The smallest magnitude of numbers, but zeros: less one, so that zero is the largest.
struct smallest_bf16 {
  std::uint32_t bits = ~std::uint32_t{};

  constexpr void note(smallest_bf16 const& x) { bits = x.bits < bits ? x.bits : bits; }
  WEFT_INLINE constexpr void note(bf16 const& x) {
    std::uint32_t const n = (x.bits & 0x7fffu) - 1u;
    bits = n < bits ? n : bits;
  }
  constexpr int exponent() const {
    return bits > 0x7f80 ? 0xff : static_cast<int>((bits + 1) >> 7);
  }
};

// A bf16 of biased exponent e > 0 is a multiple of 2^(e - 134), so every product, and every sum of
// products, of numbers from e and f on is one of 2^(e + f - 268). From 2^-126 on it is zero or
// normal, and adds to multiples of 2^-126 without becoming anything else.
struct pair_range {
  smallest_bf16 a, b;

  constexpr bool is_exact() const {
    int const e = a.exponent(), f = b.exponent();
    return e > 0 && f > 0 && e + f >= 268 - 126;
  }
};
// The same of a sum that a chain goes on from, of 24 bits.
constexpr bool is_coarse(float x) {
  std::uint32_t const magnitude = std::bit_cast<std::uint32_t>(x) & 0x7fffffff;
  return magnitude == 0 || magnitude >> 23 >= 24;
}

// Packs `lines` lines of an operand, at most Width, as words: pair p of line x at dst[p * Width + x],
// 0 beyond the lines. Places are relative to a line.
template <class Target, int Width> class pair_packer {
public:
  pair_packer(bf16 const* src, extent const (&line)[Width], int lines)
      : src_(src), line_(line), lines_(lines),
        straight_(lines == Width && are_neighbours(line, lines)) {}

  smallest_bf16 smallest() const {
    smallest_bf16 least = least_;
    for (int x = 0; x < 2 * lanes; ++x) least.note(smallest_bf16{least_of_packs_[x]});
    return least;
  }
  void pair(extent first, extent second, std::uint32_t* dst) {
    if (straight_)
      return straight_pair(src_ + line_[0] + first, src_ + line_[0] + second, dst, least_of_packs_);
    for (int x = 0; x < lines_; ++x)
      dst[x] = noted(src_[line_[x] + first], src_[line_[x] + second]);
    for (int x = lines_; x < Width; ++x) dst[x] = 0;
  }
  // Half a pair. -0 * -0 would change a sum of -0, -0 * 0 changes none: `zero` of one operand is -0.
  void half(extent first, bf16 zero, std::uint32_t* dst) {
    for (int x = 0; x < lines_; ++x) dst[x] = noted(src_[line_[x] + first], zero);
    for (int x = lines_; x < Width; ++x) dst[x] = 0;
  }
  WEFT_NOINLINE WEFT_FAST void run(extent first, extent step, extent pairs, std::uint32_t* dst) {
    extent p = 0;
    halves least = least_of_packs_; // in a register
    if (straight_) {
      bf16 const* from = src_ + line_[0] + first;
      for (; p < pairs; ++p, from += 2 * step)
        straight_pair(from, from + step, dst + p * Width, least);
    } else if (step == 1) {
      p = pairs / lanes * lanes;
      columns(first, p, dst, least);
    }
    least_of_packs_ = least;
    for (; p < pairs; ++p) pair(first + 2 * p * step, first + (2 * p + 1) * step, dst + p * Width);
  }

private:
  static constexpr int lanes = Target::lanes;
  using words = typename vectors<lanes>::u;
  using halves = typename vectors<2 * lanes>::halves;

  std::uint32_t noted(bf16 const& high, bf16 const& low) {
    least_.note(high);
    least_.note(low);
    return std::uint32_t{high.bits} << 16 | low.bits;
  }
  WEFT_INLINE static void note(halves const& x, halves& least) {
    halves const n = (x & 0x7fff) - 1;
    least = n < least ? n : least;
  }
  WEFT_INLINE void straight_pair(bf16 const* first, bf16 const* second, std::uint32_t* dst,
                                 halves& least) {
    constexpr int whole = Width / (2 * lanes) * (2 * lanes);
    for (int x = 0; x < whole; x += 2 * lanes) {
      halves high, low;
      std::memcpy(&high, first + x, sizeof high);
      std::memcpy(&low, second + x, sizeof low);
      note(high, least);
      note(low, least);
      [&]<int... J>(std::integer_sequence<int, J...>) WEFT_LAMBDA {
        constexpr int other = 2 * lanes;
        halves const left = __builtin_shufflevector(low, high, (J / 2 + J % 2 * other)...);
        halves const right = __builtin_shufflevector(low, high, (lanes + J / 2 + J % 2 * other)...);
        std::memcpy(dst + x, &left, sizeof left);
        std::memcpy(dst + x + lanes, &right, sizeof right);
      }(std::make_integer_sequence<int, 2 * lanes>{});
    }
    for (int x = whole; x < Width; ++x) dst[x] = noted(first[x], second[x]);
  }
  // Lines contiguous along k: a transpose of words, by squares in registers.
  WEFT_INLINE void columns(extent first, extent pairs, std::uint32_t* dst, halves& least) {
    for (int x = 0; x < Width; x += lanes) {
      int const high = lines_ - x;
      constexpr int whole = Width / lanes * lanes, rest = Width - whole;
      for (extent p = 0; p < pairs; p += lanes) {
        words row[lanes];
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
          row[i] = words{};
          if (i < high && x + i < Width) {
            std::memcpy(&row[i], src_ + line_[x + i] + first + 2 * p, sizeof(words));
            note(halves(row[i]), least);
            row[i] = row[i] << 16 | row[i] >> 16; // the first in the high half
          }
        }
        transpose_square<lanes / 2>(row);
        std::uint32_t* const to = dst + p * Width + x;
#pragma GCC unroll 16
        for (int q = 0; q < lanes; ++q) {
          if (x < whole) std::memcpy(to + q * Width, &row[q], sizeof(words));
          else std::memcpy(to + q * Width, &row[q], rest * sizeof(std::uint32_t));
        }
      }
    }
  }

  bf16 const* src_;
  extent const* line_;
  int lines_;
  bool straight_;
  smallest_bf16 least_;
  halves least_of_packs_ = halves{} - 1; // each as smallest_bf16's
};

// Steps [first, first + count) of k. zero: what makes the last pair whole (pair_packer::half).
template <class Target, int Width>
smallest_bf16 pack_pairs(bf16 const* src, product_axes const& k, extent places::*side,
                         extent const (&line)[Width], int lines, extent first, extent count,
                         bf16 zero, float* dst) {
  auto* words = reinterpret_cast<std::uint32_t*>(dst);
  pair_packer<Target, Width> packer(src, line, lines);
  extent const pairs = count / 2;
  auto const place = [&](extent q) { return k.at(first + q).*side; };
  if (k.rank <= 1) packer.run(place(0), k.inner().stride.*side, pairs, words);
  else
    for (extent p = 0; p < pairs; ++p)
      packer.pair(place(2 * p), place(2 * p + 1), words + p * Width);
  if (count % 2 != 0) packer.half(place(count - 1), zero, words + pairs * Width);
  return packer.smallest();
}

// As micro_kernel's packed form; depth counts words.
template <class Target, int Rows>
WEFT_NOINLINE WEFT_FAST void pair_kernel(tile_step<float> const& s) {
  using pack = cpu::pack_for<Target, float>;
  using words = cpu::pack_u32<Target>;
  using shape = tile_shape<Target, float>;
  constexpr int lanes = Target::lanes, packs = shape::packs;
  pack sum[Rows][packs];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 2
    for (int j = 0; j < packs; ++j)
      sum[i][j] = s.from ? cpu::load<Target>(s.from[i] + j * lanes) : pack(0.0f);
  auto const* a = reinterpret_cast<std::uint32_t const*>(s.a);
  auto const* b = reinterpret_cast<std::uint32_t const*>(s.b);
  for (extent p = 0; p < s.depth; ++p, a += shape::rows, b += shape::columns) {
    words row[packs];
#pragma GCC unroll 2
    for (int j = 0; j < packs; ++j) row[j] = cpu::load<Target>(b + j * lanes);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      words const left(a[i]);
#pragma GCC unroll 2
      for (int j = 0; j < packs; ++j)
        sum[i][j] = pack(
            instructions<Target>::add_pairs(left.value, row[j].value, sum[i][j].value));
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 2
    for (int j = 0; j < packs; ++j) cpu::store(s.to[i] + j * lanes, sum[i][j]);
}

template <class Target>
inline constexpr auto pair_kernels = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<micro_kernel_of<float>, sizeof...(I)>{&pair_kernel<Target, I + 1>...};
}(std::make_integer_sequence<int, tile_shape<Target, float>::rows>{});

} // namespace detail
} // namespace weft::inline v0
