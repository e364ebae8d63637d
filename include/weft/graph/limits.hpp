// SPDX-License-Identifier: BSL-1.0
// How large a graph may be: what verify checks of numbers, and bind_inputs of what names hid.
// Leaves: sums and products of extents, sizes in bytes and positions that fit 64 bits everywhere
// behind these checks, also in graphs from untrusted files.
#pragma once

#include <weft/core/error.hpp>
#include <weft/core/growing.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr extent most_extent = 0x7fffffff;        // of a number in a graph: int32 counts it
inline constexpr extent most_elements = extent{1} << 42; // of an array
inline constexpr extent most_together = extent{1} << 56; // of the arrays of all nodes
inline constexpr int most_nested = 64;                   // loops inside each other
inline constexpr extent most_unrolled = 65536;           // steps of a scan in one turn

// The product of the numbers above 1; -1 if it exceeds most_elements.
constexpr extent elements_of(extents const& s) {
  extent n = 1;
  for (int i = 0; i < s.rank; ++i) {
    if (s[i] <= 1) continue;
    if (s[i] > most_elements / n) return -1;
    n *= s[i];
  }
  return n;
}
constexpr bool all_distinct(view<extent> labels) {
  for (int i = 0; i < labels.size(); ++i)
    for (int j = 0; j < i; ++j)
      if (labels[i] == labels[j]) return false;
  return true;
}
constexpr bool is_within(extent e, extent most) { return -most <= e && e <= most; }

[[noreturn]] WEFT_NOINLINE inline void raise_elements(extents const& s) {
  raise<shape_error>(message("weft: arrays: shape ")
                         .add(s)
                         .add(" has more than 2^42 elements; bind smaller extents"));
}
[[noreturn]] WEFT_NOINLINE inline void raise_unbound(extents const& s) {
  raise<shape_error>(
      message("weft: no argument has a name of ").add(s).add("; give one of them the name"));
}
[[noreturn]] WEFT_NOINLINE inline void raise_together() {
  raise<shape_error>(message("weft: arrays: all values of the program together have more than 2^56 "
                             "elements; bind smaller extents"));
}
[[noreturn]] WEFT_NOINLINE inline void raise_padding(extent length, extent interior) {
  raise<shape_error>(message("weft: pad: ")
                         .add(length)
                         .add(" elements with ")
                         .add(interior)
                         .add(" between them are more than 2^42; pad less"));
}
[[noreturn]] WEFT_NOINLINE inline void raise_uncountable(char const* op, extents const& s) {
  raise<shape_error>(message("weft: ")
                         .add(op)
                         .add(": int32 does not count the elements of ")
                         .add(s)
                         .add("; take parts of at most 2^31 - 1"));
}

} // namespace detail
} // namespace weft::inline v0
