// SPDX-License-Identifier: BSL-1.0
// beside: two values that take every operation one beside the other, as one value of the world of
// op/numeric.hpp: two packs, or two such pairs. A chain of operations that wait for each other leaves a
// processor idle: it looks a hundred and some operations ahead, and an elementary function is thirty
// to seventy.
//   beside_from<4>(pack_of)                             of four packs, pack_of(k)
//   each_beside<4>(x, [](Pack const&, int k) { ... })   each of them again
// Needs: packs of 32-bit values of one target; functions without `when`, `widen` and `narrow`.
// Leaves: the bits of each pack alone.
#pragma once

#include <weft/core/config.hpp>

#include <concepts>

namespace weft::inline v0 {
namespace cpu {

template <class Half> struct beside {
  using f = beside<typename Half::f>;
  using i = beside<typename Half::i>;
  using u = beside<typename Half::u>;
  using m = beside<typename Half::m>;
  Half first, second;

  beside() = default;
  WEFT_INLINE beside(Half const& x, Half const& y) : first(x), second(y) {}
  template <class Value>
    requires std::constructible_from<Half, Value const&>
  WEFT_INLINE explicit beside(Value const& x) : first(x), second(x) {}

  WEFT_INLINE friend beside operator+(beside const& a, beside const& b) {
    return {a.first + b.first, a.second + b.second};
  }
  WEFT_INLINE friend beside operator-(beside const& a, beside const& b) {
    return {a.first - b.first, a.second - b.second};
  }
  WEFT_INLINE friend beside operator*(beside const& a, beside const& b) {
    return {a.first * b.first, a.second * b.second};
  }
  WEFT_INLINE friend beside operator/(beside const& a, beside const& b) {
    return {a.first / b.first, a.second / b.second};
  }
  WEFT_INLINE friend beside operator-(beside const& a) { return {-a.first, -a.second}; }
  WEFT_INLINE friend beside operator~(beside const& a) { return {~a.first, ~a.second}; }
  WEFT_INLINE friend beside operator!(beside const& a) { return {!a.first, !a.second}; }
  WEFT_INLINE friend beside operator&(beside const& a, beside const& b) {
    return {a.first & b.first, a.second & b.second};
  }
  WEFT_INLINE friend beside operator|(beside const& a, beside const& b) {
    return {a.first | b.first, a.second | b.second};
  }
  WEFT_INLINE friend beside operator^(beside const& a, beside const& b) {
    return {a.first ^ b.first, a.second ^ b.second};
  }
  WEFT_INLINE friend m operator<(beside const& a, beside const& b) {
    return {a.first < b.first, a.second < b.second};
  }
  WEFT_INLINE friend m operator<=(beside const& a, beside const& b) {
    return {a.first <= b.first, a.second <= b.second};
  }
  WEFT_INLINE friend m operator==(beside const& a, beside const& b) {
    return {a.first == b.first, a.second == b.second};
  }
  WEFT_INLINE friend beside shl(beside const& a, int n) {
    return {shl(a.first, n), shl(a.second, n)};
  }
  WEFT_INLINE friend beside shr(beside const& a, int n) {
    return {shr(a.first, n), shr(a.second, n)};
  }
  WEFT_INLINE friend beside sar(beside const& a, int n) {
    return {sar(a.first, n), sar(a.second, n)};
  }
  WEFT_INLINE friend beside rotl(beside const& a, int n) {
    return {rotl(a.first, n), rotl(a.second, n)};
  }
  WEFT_INLINE friend beside fma(beside const& a, beside const& b, beside const& c) {
    return {fma(a.first, b.first, c.first), fma(a.second, b.second, c.second)};
  }
  WEFT_INLINE friend beside sqrt(beside const& a) { return {sqrt(a.first), sqrt(a.second)}; }
  WEFT_INLINE friend beside abs(beside const& a) { return {abs(a.first), abs(a.second)}; }
  WEFT_INLINE friend beside min(beside const& a, beside const& b) {
    return {min(a.first, b.first), min(a.second, b.second)};
  }
  WEFT_INLINE friend beside max(beside const& a, beside const& b) {
    return {max(a.first, b.first), max(a.second, b.second)};
  }
  WEFT_INLINE friend u bits(beside const& a) { return {bits(a.first), bits(a.second)}; }
  WEFT_INLINE friend f as_float(beside const& a) { return {as_float(a.first), as_float(a.second)}; }
  WEFT_INLINE friend i as_int(beside const& a) { return {as_int(a.first), as_int(a.second)}; }
  WEFT_INLINE friend u as_uint(beside const& a) { return {as_uint(a.first), as_uint(a.second)}; }
  WEFT_INLINE friend i to_int(beside const& a) { return {to_int(a.first), to_int(a.second)}; }
  WEFT_INLINE friend f to_float(beside const& a) { return {to_float(a.first), to_float(a.second)}; }
  WEFT_INLINE friend beside select(m const& c, beside const& x, beside const& y) {
    return {select(c.first, x.first, y.first), select(c.second, x.second, y.second)};
  }
  WEFT_INLINE friend beside times_power_of_two(beside const& x, beside const& n)
    requires requires(Half const& one) { times_power_of_two(one, one); }
  {
    return {times_power_of_two(x.first, n.first), times_power_of_two(x.second, n.second)};
  }
};

template <int Packs, int First = 0, class PackOf>
WEFT_INLINE auto beside_from(PackOf const& pack_of) {
  static_assert(Packs == 1 || Packs % 2 == 0);
  if constexpr (Packs == 1) return pack_of(First);
  else
    return beside(beside_from<Packs / 2, First>(pack_of),
                  beside_from<Packs / 2, First + Packs / 2>(pack_of));
}
template <int Packs, int First = 0, class T, class Function>
WEFT_INLINE void each_beside(T const& x, Function const& function) {
  if constexpr (Packs == 1) function(x, First);
  else {
    each_beside<Packs / 2, First>(x.first, function);
    each_beside<Packs / 2, First + Packs / 2>(x.second, function);
  }
}

} // namespace cpu
} // namespace weft::inline v0
