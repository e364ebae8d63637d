// SPDX-License-Identifier: BSL-1.0
// lane_sums: the halving tree (strides lanes/2 … 1) of each of up to `lanes` packs at once: two packs
// of unfinished trees become one by two shuffles and one addition.
//   auto const sums = lane_sums<Target>(packs);   // lane r: the sum of packs[r]
// Needs: 1 to lane_sum_rows<Target, T> packs. Leaves: one vector, its lanes in the packs' order; those
// beyond them are not meaningful.
#pragma once

#include <weft/cpu/pack.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

template <class Target, class T>
inline constexpr int lane_sum_rows = sizeof(T) == 8 ? Target::lanes / 2 : Target::lanes;

// Folds Count trees, one in each of x; combine(a, b) is of two vectors.
template <int Lanes, class V, int Count, class Combine> class folded_trees {
  // Within 16 bytes both shuffles are single instructions, and so are those of whole blocks of 16.
  static constexpr int in_block = 16 / static_cast<int>(sizeof(V) / Lanes);
  static constexpr int blocks = Lanes / in_block;

public:
  WEFT_INLINE static V of(V const (&x)[Count], Combine const& combine) {
    return in_blocks<in_block, 0>(x, combine);
  }

private:
  // Of blocks that are cut into segments: the lower or upper halves of a's segments, then of b's.
  template <int Block, int Segment, int Upper> WEFT_INLINE static V halves(V const& a, V const& b) {
    auto const lane = [](int k) {
      constexpr int half = Segment / 2, segments = Block / Segment;
      int const start = k / Block * Block, part = k % Block / half;
      int const from = start + part % segments * Segment + Upper * half + k % half;
      return part < segments ? from : Lanes + from;
    };
    return [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
      return __builtin_shufflevector(a, b, lane(K)...);
    }(std::make_integer_sequence<int, Lanes>{});
  }
  template <int Block, int Segment>
  WEFT_INLINE static V step(V const& a, V const& b, Combine const& combine) {
    return combine(halves<Block, Segment, 0>(a, b), halves<Block, Segment, 1>(a, b));
  }
  // Trees Row, Row + in_block, ..., of which the vector holds Trees, each down to a run of its own.
  template <int Trees, int Row>
  WEFT_INLINE static V over_blocks(V const (&x)[Count], Combine const& combine) {
    if constexpr (Trees == 1) return x[Row];
    else {
      constexpr int next = Row + in_block * Trees / 2;
      V const a = over_blocks<Trees / 2, Row>(x, combine);
      if constexpr (next >= Count) return step<Lanes, 2 * Lanes / Trees>(a, a, combine);
      else
        return step<Lanes, 2 * Lanes / Trees>(a, over_blocks<Trees / 2, next>(x, combine), combine);
    }
  }
  // Of each block Trees neighbours, from Row on.
  template <int Trees, int Row>
  WEFT_INLINE static V in_blocks(V const (&x)[Count], Combine const& combine) {
    if constexpr (Trees == 1) return over_blocks<blocks, Row>(x, combine);
    else {
      constexpr int next = Row + Trees / 2;
      V const a = in_blocks<Trees / 2, Row>(x, combine);
      if constexpr (next >= Count) return step<in_block, 2 * in_block / Trees>(a, a, combine);
      else
        return step<in_block, 2 * in_block / Trees>(a, in_blocks<Trees / 2, next>(x, combine),
                                                    combine);
    }
  }
};

// A pack of 64-bit numbers is two registers: the tree's first step.
template <class Pack> WEFT_INLINE auto one_register(Pack const& x) {
  if constexpr (requires { x.low; }) return x.low + x.high;
  else return x.value;
}
// combine(a, b): of two vectors.
template <class Target, int Count, class Pack, class Combine>
WEFT_INLINE auto lane_trees(Pack const (&packs)[Count], Combine const& combine) {
  using vector = decltype(one_register(packs[0]));
  constexpr int lanes = requires { packs[0].low; } ? Target::lanes / 2 : Target::lanes;
  static_assert(Count <= lanes);
  vector x[Count];
#pragma GCC unroll 16
  for (int k = 0; k < Count; ++k) x[k] = one_register(packs[k]);
  return folded_trees<lanes, vector, Count, Combine>::of(x, combine);
}
template <class Target, int Count, class Pack>
WEFT_INLINE auto lane_sums(Pack const (&packs)[Count]) {
  return lane_trees<Target>(packs, [](auto const& a, auto const& b) WEFT_LAMBDA { return a + b; });
}

} // namespace detail
} // namespace weft::inline v0
