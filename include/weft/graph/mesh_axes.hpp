// SPDX-License-Identifier: BSL-1.0
// mesh_axes: a mesh of ranks as a plain value: names, sizes, and which ranks differ along which axes.
// The typed meshes of lang/mesh.hpp hold one; programs that choose their mesh when they run make one:
//   mesh_axes const m = mesh_of("data=2, model=4");      // 8 ranks, row-major: i is at (i / 4, i % 4)
// Errors (usage_error): a text that is not name=size, ...; more than 8 axes or 65536 ranks; a name
// twice.
#pragma once

#include <weft/core/fixed_string.hpp>
#include <weft/graph/collective.hpp>

namespace weft::inline v0 {

inline constexpr int max_axis_name = 15, max_mesh_axes = 8;

// rank / divisor % size is a rank's place along an axis.
struct mesh_axis {
  char name[max_axis_name + 1]{};
  int length = 0;
  extent size = 1, divisor = 1;

  constexpr bool is_called(text other) const {
    if (other.size() != length) return false;
    for (int i = 0; i < length && i < max_axis_name; ++i)
      if (name[i] != other[i]) return false;
    return true;
  }
  constexpr text called() const { return {name, length}; }
};
struct mesh_axes {
  extent ranks = 1; // of the program
  int count = 0;
  mesh_axis d[max_mesh_axes]{};

  constexpr int place_of(text name) const {
    for (int i = 0; i < count; ++i)
      if (d[i].is_called(name)) return i;
    return -1;
  }
  constexpr void push(mesh_axis const& a) {
    if (count < max_mesh_axes) d[count++] = a;
  }
  // Ranks of a group along all of them.
  constexpr extent group() const {
    extent n = 1;
    for (int i = 0; i < count; ++i) n *= d[i].size;
    return n;
  }
};

namespace detail {

constexpr bool is_axis_name(text name) {
  if (name.size() < 1 || name.size() > max_axis_name) return false;
  for (int i = 0; i < name.size(); ++i)
    if (name_code(name[i]) == 0) return false;
  return true;
}
constexpr mesh_axis axis_of_mesh(text name, extent size) {
  mesh_axis a{.length = name.size(), .size = size};
  for (int i = 0; i < name.size() && i < max_axis_name; ++i) a.name[i] = name[i];
  return a;
}
constexpr bool names_differ(mesh_axes const& m) {
  for (int i = 0; i < m.count; ++i)
    if (m.place_of(m.d[i].called()) != i) return false;
  return true;
}
// Row-major: the last axis counts fastest. At most most_ranks + 1 ranks, whatever the sizes are.
constexpr void lay_out(mesh_axes& m) {
  extent divisor = 1;
  for (int i = m.count - 1; i >= 0; --i) {
    m.d[i].divisor = divisor;
    divisor = divisor * m.d[i].size > most_ranks ? most_ranks + 1 : divisor * m.d[i].size;
  }
  m.ranks = divisor;
}

// The rank at place `place` of the group whose first rank is `first`; the last axis counts fastest.
constexpr extent rank_in_group(mesh_axes const& along, extent first, extent place) {
  for (int k = along.count - 1; k >= 0; --k) {
    first += place % along.d[k].size * along.d[k].divisor;
    place /= along.d[k].size;
  }
  return first;
}
// A rank's place in its group.
constexpr extent place_of_rank(mesh_axes const& along, extent rank) {
  extent place = 0;
  for (int k = 0; k < along.count; ++k)
    place = place * along.d[k].size + rank / along.d[k].divisor % along.d[k].size;
  return place;
}
constexpr bool is_first_of_group(mesh_axes const& along, extent rank) {
  for (int k = 0; k < along.count; ++k)
    if (rank / along.d[k].divisor % along.d[k].size != 0) return false;
  return true;
}
// Group after group; p(put) puts the places of a group that are wanted, in its order.
template <class Places> constexpr growing<extent> ranks_by_group(mesh_axes const& along, Places p) {
  growing<extent> r;
  for (extent rank = 0; rank < along.ranks; ++rank)
    if (is_first_of_group(along, rank))
      p([&](extent place) { r.push(rank_in_group(along, rank, place)); });
  return r;
}
constexpr growing<extent> groups_of(mesh_axes const& along) {
  extent const n = along.group();
  return ranks_by_group(along, [n](auto put) {
    for (extent i = 0; i < n; ++i) put(i);
  });
}

[[noreturn]] WEFT_NOINLINE inline void raise_mesh(char const* what) {
  raise<usage_error>(
      message("weft: mesh_of: ").add(what).add("; write mesh_of(\"data=2, model=4\")"));
}
constexpr bool is_gap(char c) { return c == ' '; }

} // namespace detail

constexpr mesh_axes mesh_of(char const* literal) {
  text words{literal, 0};
  while (literal[words.length] != '\0') ++words.length;
  mesh_axes m;
  int at = 0;
  auto const gaps = [&] {
    while (detail::is_gap(words.peek(at))) ++at;
  };
  for (gaps(); at < words.size(); gaps()) {
    int const first = at;
    while (at < words.size() && words[at] != '=' && !detail::is_gap(words[at])) ++at;
    text const name{words.first + first, at - first};
    if (!detail::is_axis_name(name))
      detail::raise_mesh("a name is 1 to 15 letters, digits and '_'");
    gaps();
    if (words.peek(at) != '=') detail::raise_mesh("an axis is name=size");
    ++at;
    gaps();
    extent size = 0;
    for (; words.peek(at) >= '0' && words.peek(at) <= '9'; ++at)
      if (size <= most_ranks) size = 10 * size + (words[at] - '0');
    if (size < 1) detail::raise_mesh("a size is a number of at least 1");
    if (m.place_of(name) >= 0) detail::raise_mesh("two axes have one name");
    if (m.count == max_mesh_axes) detail::raise_mesh("there are more than 8 axes");
    m.push(detail::axis_of_mesh(name, size));
    gaps();
    if (words.peek(at) == ',' && at + 1 < words.size()) ++at;
    else if (at < words.size()) detail::raise_mesh("an axis is name=size");
  }
  detail::lay_out(m);
  if (m.ranks > most_ranks) detail::raise_mesh("there are more than 65536 ranks");
  return m;
}

} // namespace weft::inline v0
