// SPDX-License-Identifier: BSL-1.0
// dense: an array as the interpreter sees it. Row-major, one 32-bit word per element whatever its
// type: the bits of a float, int or unsigned; 0 or 1 for bool; a bf16's 16 bits in the low half.
// Leaves: positions (one index per axis) and offsets (row-major) convert into each other.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/core/extents.hpp>
#include <weft/core/growing.hpp>

namespace weft::inline v0 {

using word = std::uint32_t;

struct dense {
  dtype type{};
  extents shape; // numbers
  growing<word> words;

  constexpr dense() = default;
  constexpr dense(dtype t, extents const& s, word fill = 0)
      : type(t), shape(s), words(static_cast<int>(count_of(s)), fill) {}
  constexpr int size() const { return words.size(); }
  constexpr word& operator[](int i) { return words[i]; }
  constexpr word operator[](int i) const { return words[i]; }
  // Type, shape and bits: NaNs are equal only with equal payloads.
  friend constexpr bool operator==(dense const& a, dense const& b) {
    return a.type == b.type && a.shape == b.shape && view<word>(a.words) == view<word>(b.words);
  }
};

namespace detail {

using position = extents;

constexpr position position_of(int offset, extents const& shape) {
  position p;
  p.rank = shape.rank;
  extent rest = offset;
  for (int i = shape.rank - 1; i >= 0; --i) {
    p[i] = rest % shape[i];
    rest /= shape[i];
  }
  return p;
}
constexpr int offset_of(position const& p, extents const& shape) {
  extent offset = 0;
  for (int i = 0; i < shape.rank; ++i) offset = offset * shape[i] + p[i];
  return static_cast<int>(offset);
}

// Calls f.operator()<D>() for the dtype D that is d.
template <class Function> constexpr auto with_dtype(dtype d, Function const& f) {
  switch (d) {
    case dtype::f32: return f.template operator()<dtype::f32>();
    case dtype::i32: return f.template operator()<dtype::i32>();
    case dtype::u32: return f.template operator()<dtype::u32>();
    case dtype::boolean: return f.template operator()<dtype::boolean>();
    default: return f.template operator()<dtype::bf16>();
  }
}

} // namespace detail
} // namespace weft::inline v0
