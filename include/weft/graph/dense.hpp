// SPDX-License-Identifier: BSL-1.0
// dense: an array as the interpreter sees it. Row-major, one 64-bit word per element whatever its
// type (core/dtype.hpp, `word_of`).
// Leaves: positions (one index per axis) and offsets (row-major) convert into each other;
// shape_error above 2^30 elements.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/core/error.hpp>
#include <weft/core/extents.hpp>
#include <weft/core/growing.hpp>

namespace weft::inline v0 {

namespace detail {
[[noreturn]] WEFT_NOINLINE inline void raise_too_large(extents const& s) {
  raise<shape_error>(message("weft: interpret: shape ")
                         .add(s)
                         .add(" has more than 2^30 elements; run it compiled or with cpu::block"));
}
// Offsets are ints.
constexpr int interpreted_count(extents const& s) {
  extent const n = count_of(s);
  if (n < 0 || n > (extent{1} << 30)) raise_too_large(s);
  return static_cast<int>(n);
}
} // namespace detail

struct dense {
  dtype type{};
  extents shape; // numbers
  growing<word> words;

  constexpr dense() = default;
  constexpr dense(dtype t, extents const& s, word fill = 0)
      : type(t), shape(s), words(detail::interpreted_count(s), fill) {}
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

constexpr position position_of(extent offset, extents const& shape) {
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

} // namespace detail
} // namespace weft::inline v0
