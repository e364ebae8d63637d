// SPDX-License-Identifier: BSL-1.0
// Products in lanes order of K elements, K known to the compiler and at most 64: a lane has one
// product or none, and an element of out is a tree of them.
//   short_lanes<Target, float, 32>::columns<3>(a, x, finish)   a: K lines of three packs of columns
//   short_lanes<Target, float, 32>::row(a, x)                  a: K elements; one element of out
// Needs: Sum float, double or an unsigned integer. Leaves: the bits of lanes.hpp. Lanes without an
// element are +0 there, which shows only as -0 becoming +0: it is added at the end.
#pragma once

#include <weft/cpu/lane_sums.hpp>
#include <weft/cpu/micro_kernel.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

inline constexpr int most_short_lanes = 64;

template <class Target, class Sum, int K> class short_lanes {
  static_assert(1 <= K && K <= most_short_lanes);

public:
  using pack = cpu::pack_for<Target, Sum>;
  static constexpr int lanes = Target::lanes;
  // Packs of columns side by side: a sum per level of the tree is alive of each.
  static constexpr int abreast = sizeof(Sum) == 8 ? 1 : lanes < 16 ? 2 : 3;

  // Packs are given to finish(pack, number of the pack).
  template <int Packs, class Finish>
  WEFT_INLINE static void columns(Sum const* a, Sum const* x, Finish const& finish) {
    column_packs<Packs> s = tree<1, 0, Packs>(a, x);
#pragma GCC unroll 4
    for (int v = 0; v < Packs; ++v) finish(closed(s.of[v]), v);
  }

  WEFT_INLINE static Sum row(Sum const* a, Sum const* x) {
    pack s[packs];
    [&]<int... V>(std::integer_sequence<int, V...>) WEFT_LAMBDA {
      ((s[V] = product(piece<V>(a), piece<V>(x))), ...);
    }(std::make_integer_sequence<int, packs>{});
#pragma GCC unroll 8
    for (int stride = packs / 2; stride > 0; stride /= 2)
#pragma GCC unroll 8
      for (int v = 0; v < stride; ++v) s[v] = s[v] + s[v + stride];
    pack const one[1] = {closed(s[0])};
    return lane_sums<Target>(one)[0];
  }

private:
  static constexpr int power_from(int n) {
    while (n < K) n *= 2;
    return n;
  }
  static constexpr int used = power_from(1);              // lanes: those beyond are +0, all of them
  static constexpr int packs = power_from(lanes) / lanes; // of a row

  // Added to +0, as lanes are, unless the +0 at the end makes that the same.
  WEFT_INLINE static pack product(pack const& a, pack const& b) {
    if constexpr (K < most_short_lanes) return a * b;
    else return multiply_add_packs(a, b, pack(Sum{}));
  }
  WEFT_INLINE static pack closed(pack const& s) {
    if constexpr (K < most_short_lanes) return s + pack(Sum{});
    else return s;
  }
  // The count is a constant: g++ 12 sees reads behind the end in branches that are not taken.
  template <int V> WEFT_INLINE static pack piece(Sum const* x) {
    constexpr int left = K - V * lanes;
    if constexpr (left >= lanes) return cpu::load<Target>(x + V * lanes);
    else if constexpr (left > 0) return cpu::load_first<Target>(x + V * lanes, left);
    else return pack(Sum{});
  }

  template <int Packs> struct column_packs {
    pack of[Packs];
  };
  // Lanes Lane, Lane + Stride ... of each column.
  template <int Stride, int Lane, int Packs>
  WEFT_INLINE static column_packs<Packs> tree(Sum const* a, Sum const*& x) {
    column_packs<Packs> s;
    if constexpr (Stride == used) {
      pack const right(x[Lane]);
      Sum const* const line = a + Lane * (Packs * lanes);
#pragma GCC unroll 4
      for (int v = 0; v < Packs; ++v) s.of[v] = product(cpu::load<Target>(line + v * lanes), right);
    } else {
      s = tree<2 * Stride, Lane, Packs>(a, x);
      if constexpr (Lane + Stride < K) {
        column_packs<Packs> const other = tree<2 * Stride, Lane + Stride, Packs>(a, x);
#pragma GCC unroll 4
        for (int v = 0; v < Packs; ++v) s.of[v] = s.of[v] + other.of[v];
        if constexpr (4 * Stride <= used) finish_first(s.of[0], x);
      }
    }
    return s;
  }
  // What reads x afterwards comes after this sum: g++ 12 would compute all products first, and spill
  // them.
  WEFT_INLINE static void finish_first([[maybe_unused]] pack& s, [[maybe_unused]] Sum const*& x) {
#if defined(__x86_64__)
    if constexpr (requires { s.low; }) asm("" : "+r"(x), "+v"(s.low));
    else asm("" : "+r"(x), "+v"(s.value));
#endif
  }
};

} // namespace detail
} // namespace weft::inline v0
