// SPDX-License-Identifier: BSL-1.0
// Extents: int64 numbers of which a negative one is a name (a run-time extent), packed six bits a
// character; `sym` is that name as a template argument; `shape<E...>` is a shape as a type.
// Leaves: equal names are equal numbers, so one comparison serves static and named extents.
#pragma once

#include <weft/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {

using extent = std::int64_t;
inline constexpr int max_rank = 8;
inline constexpr int max_name = 10; // 60 bits

// A run-time extent's name: `constexpr sym rows{"rows"};`. Letters, digits and '_'.
template <unsigned long N> struct sym {
  char name[N]{};

  constexpr sym(char const (&literal)[N]) {
    static_assert(N - 1 >= 1 && N - 1 <= max_name, "weft: a sym has 1 to 10 characters");
    for (unsigned long i = 0; i < N; ++i) name[i] = literal[i];
  }
};

constexpr bool is_named(extent e) { return e < 0; }

// What is negative but no user's name: the product of several extents, which equal shapes share
// (product_extent of graph/attributes.hpp), and places counted from the end of an axis, in
// attributes of slices and pads of named axes.
inline constexpr extent first_product = -(extent{1} << 60), first_place = -(extent{1} << 61);
constexpr extent before_end(extent distance) { return first_place - distance; }
constexpr bool is_before_end(extent e) { return e <= first_place; }
constexpr extent distance_to_end(extent e) { return first_place - e; }

namespace detail {
constexpr char const* name_alphabet =
    "\0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr int name_code(char c) {
  for (int i = 1; i < 64; ++i)
    if (name_alphabet[i] == c) return i;
  return 0;
}
template <class E> inline constexpr bool is_sym = false;
template <unsigned long N> inline constexpr bool is_sym<sym<N>> = true;
} // namespace detail

// The number of a name: minus the packed characters, first character lowest.
constexpr extent pack_name(char const* name) {
  extent packed = 0;
  for (int i = 0; name[i] != '\0' && i < max_name; ++i)
    packed |= static_cast<extent>(detail::name_code(name[i])) << (6 * i);
  return -packed;
}
// Writes the characters of a named extent, ends with '\0', returns the length.
constexpr int unpack_name(extent e, char (&out)[max_name + 1]) {
  if (e <= first_product) e = pack_name("product");
  extent packed = -e;
  int length = 0;
  for (; packed != 0; packed >>= 6) out[length++] = detail::name_alphabet[packed & 63];
  out[length] = '\0';
  return length;
}

// Extents are int or sym; anything else is refused where arrays are declared.
template <auto E>
concept extent_argument = std::is_same_v<std::remove_cv_t<decltype(E)>, int> ||
                          detail::is_sym<std::remove_cv_t<decltype(E)>>;

template <auto E>
concept non_negative = !std::is_same_v<std::remove_cv_t<decltype(E)>, int> || E >= 0;

template <auto E> constexpr extent extent_value() {
  if constexpr (detail::is_sym<std::remove_cv_t<decltype(E)>>) return pack_name(E.name);
  else return static_cast<extent>(E);
}

namespace detail {
template <extent V> constexpr auto unpack_argument() {
  if constexpr (V >= 0) return static_cast<int>(V);
  else {
    constexpr int length = [] {
      char buffer[max_name + 1]{};
      return unpack_name(V, buffer);
    }();
    char exact[length + 1]{};
    char buffer[max_name + 1]{};
    unpack_name(V, buffer);
    for (int i = 0; i <= length; ++i) exact[i] = buffer[i];
    return sym(exact);
  }
}
} // namespace detail
// The template argument of an extent's number: the inverse of extent_value.
template <extent V> inline constexpr auto extent_argument_of = detail::unpack_argument<V>();

namespace detail {
// Doors check ranks before they push. Not constexpr: a ninth axis is no constant, and stops a run.
[[noreturn]] WEFT_NOINLINE inline void more_than_8_axes() { __builtin_trap(); }
} // namespace detail

// A shape as a value.
struct extents {
  int rank = 0;
  extent d[max_rank]{};

  constexpr extent operator[](int i) const { return d[i]; }
  constexpr extent& operator[](int i) { return d[i]; }
  constexpr void push(extent e) {
    if (rank == max_rank) detail::more_than_8_axes();
    d[rank++] = e;
  }
  friend constexpr bool operator==(extents const& a, extents const& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i)
      if (a.d[i] != b.d[i]) return false;
    return true;
  }
};

namespace detail {
// How many parts of this size hold them all: the quotient, rounded up.
constexpr extent share_count(extent count, extent part) { return (count + part - 1) / part; }
} // namespace detail

// Number of elements; every extent must be a number.
constexpr extent count_of(extents const& s) {
  extent n = 1;
  WEFT_SHORT_LOOP
  for (int i = 0; i < s.rank; ++i) n *= s[i];
  return n;
}
// Of a shape of numbers, in elements.
constexpr extents row_major_strides(extents const& s) {
  extents r = s;
  extent step = 1;
  for (int i = s.rank - 1; i >= 0; --i) {
    r[i] = step;
    step *= s[i];
  }
  return r;
}
constexpr bool is_static(extents const& s) {
  for (int i = 0; i < s.rank; ++i)
    if (is_named(s[i])) return false;
  return true;
}

// A shape as a type: what diagnostics print.
template <auto... E> struct shape {
  static_assert((extent_argument<E> && ...),
                "weft: an extent is an int or a sym; write 3, or constexpr sym rows{\"rows\"}");
  static constexpr bool counted = (non_negative<E> && ...);
  static_assert(counted, "weft: an extent is at least 0");
  static_assert(sizeof...(E) <= max_rank, "weft: an array has at most 8 axes");
  static constexpr int rank = sizeof...(E);
  static constexpr extents value = [] {
    extents s;
    (s.push(extent_value<E>()), ...);
    return s;
  }();
};

// An axis counted from the end made plain: -1 is rank - 1.
constexpr int plain_axis(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

} // namespace weft::inline v0
