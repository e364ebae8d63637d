// SPDX-License-Identifier: BSL-1.0
// sharding: over which axes of a mesh each axis of an array is split. Per array axis a list of mesh
// axes, the first of which counts slowest; every mesh axis at most once. Along mesh axes that split
// nothing all ranks have the same. Of a (8, 6, 3) over "data=2, model=3",
//   [data, model, -]      the rank at (d, k) has rows 4 d to 4 d + 3, columns 2 k and 2 k + 1: (4, 2, 3)
//   [-, model*data, -]    columns in 6 parts, part 2 k + d
//   sharding const s = sharding_of("[data, -, -]", m);  local_shape({3, {8, 6, 3}}, s, m)
// Also the attributes of a `shard` node, which names axes of whatever mesh partitions it later.
// Leaves: a plain word: equal shardings are equal numbers. Mesh axes of size 1 split nothing and are
// left out. Errors: sharding_fault, or usage_error with the same words.
#pragma once

#include <weft/graph/mesh_axes.hpp>

namespace weft::inline v0 {

// Byte k is about axis k of the mesh: 0 if it splits nothing; else the place that it splits plus one,
// and in the upper three bits its number in the list there. Places are axes of an array, or, in
// pass/partition_labels.hpp, labels that axes of several arrays share.
struct sharding {
  std::uint64_t word = 0;

  static constexpr int places = 31;
  friend constexpr bool operator==(sharding const&, sharding const&) = default;

  constexpr bool whole() const { return word == 0; }
  // The place that mesh axis m splits, or -1; its number in the list of that place.
  constexpr int place(int m) const { return static_cast<int>((word >> (8 * m)) & 31) - 1; }
  constexpr int order(int m) const { return static_cast<int>((word >> (8 * m + 5)) & 7); }
  constexpr bool uses(int m) const { return place(m) >= 0; }
  // How many mesh axes split a place.
  constexpr int depth(int at) const {
    int n = 0;
    for (std::uint64_t w = word; w != 0; w >>= 8) n += static_cast<int>(w & 31) == at + 1 ? 1 : 0;
    return n;
  }
  // Number k of its list, or -1.
  constexpr int split_by(int at, int k) const {
    int m = 0;
    for (std::uint64_t w = word; w != 0; w >>= 8, ++m)
      if ((w & 255) == static_cast<std::uint64_t>((at + 1) | k << 5)) return m;
    return -1;
  }
  constexpr sharding with(int m, int at) const {
    std::uint64_t const entry = static_cast<std::uint64_t>((at + 1) | depth(at) << 5);
    return {word | entry << (8 * m)};
  }
  // Without the last of a list.
  constexpr sharding without(int m) const { return {word & ~(std::uint64_t{255} << (8 * m))}; }
};

// Into how many parts an axis is split.
constexpr extent parts_of(sharding s, int axis, mesh_axes const& mesh) {
  extent n = 1;
  int m = 0;
  for (std::uint64_t w = s.word; w != 0; w >>= 8, ++m)
    if (static_cast<int>(w & 31) == axis + 1) n *= mesh.d[m].size;
  return n;
}
// What each rank has. Needs: extents that divide.
constexpr extents local_shape(extents shape, sharding s, mesh_axes const& mesh) {
  int m = 0;
  for (std::uint64_t w = s.word; w != 0; w >>= 8, ++m)
    if ((w & 31) != 0) shape[static_cast<int>(w & 31) - 1] /= mesh.d[m].size;
  return shape;
}
// The axes that split one of an array, in their order: who differs along it.
constexpr mesh_axes axes_along(sharding s, int axis, mesh_axes const& mesh) {
  mesh_axes along{.ranks = mesh.ranks};
  for (int k = 0, m = 0; (m = s.split_by(axis, k)) >= 0; ++k) along.push(mesh.d[m]);
  return along;
}

// ---- attributes of a `shard` node: per array axis a number of names, then each in two words.
enum class sharding_error : std::uint8_t {
  sound,
  unknown_axis, // the mesh has no axis of this name
  axis_twice,
  rank,   // names for more axes than the array has
  uneven, // an extent that is no multiple
  named,  // an extent that only the run knows
  syntax
};
struct sharding_fault {
  sharding_error code = sharding_error::sound;
  mesh_axis name{}; // which
  int axis = -1;    // of the array
  extents shape{};
  extent parts = 1;

  constexpr explicit operator bool() const { return code != sharding_error::sound; }
};

namespace detail {

constexpr void push_axis_name(growing<extent>& to, text name) {
  extent packed[2]{};
  for (int i = 0; i < name.size() && i < max_axis_name; ++i)
    packed[i / 10] |= static_cast<extent>(name_code(name[i])) << (6 * (i % 10));
  to.push(packed[0]);
  to.push(packed[1]);
}
constexpr mesh_axis axis_name_of(extent low, extent high) {
  mesh_axis a;
  for (extent packed : {low, high})
    for (; packed != 0 && a.length < max_axis_name; packed >>= 6)
      a.name[a.length++] = name_alphabet[packed & 63];
  return a;
}

// f(array axis, name) for every name, as they stand.
template <class F> constexpr void each_axis_name(view<extent> attributes, F const& f) {
  int at = 0;
  for (int axis = 0; at < attributes.size(); ++axis)
    for (extent n = attributes[at++]; n > 0 && at + 1 < attributes.size(); --n, at += 2)
      f(axis, axis_name_of(attributes[at], attributes[at + 1]));
}
// One list per axis, of names that are written as this writes them, each once.
constexpr bool is_shard_list(view<extent> attributes, int rank) {
  mesh_axes seen;
  int at = 0;
  for (int axis = 0; axis < rank; ++axis) {
    if (at >= attributes.size() || attributes[at] < 0 || attributes[at] > max_mesh_axes)
      return false;
    for (extent n = attributes[at++]; n > 0; --n, at += 2) {
      if (at + 1 >= attributes.size()) return false;
      mesh_axis const a = axis_name_of(attributes[at], attributes[at + 1]);
      growing<extent> again;
      push_axis_name(again, a.called());
      if (!is_axis_name(a.called()) || again[0] != attributes[at] ||
          again[1] != attributes[at + 1] || seen.place_of(a.called()) >= 0 ||
          seen.count == max_mesh_axes)
        return false;
      seen.push(a);
    }
  }
  return at == attributes.size();
}
struct read_sharding {
  sharding of{};
  sharding_fault fault{};

  constexpr void add(int axis, mesh_axis const& name, mesh_axes const& mesh) {
    if (fault) return;
    int const m = mesh.place_of(name.called());
    if (m < 0) fault = {.code = sharding_error::unknown_axis, .name = name, .axis = axis};
    else if (of.uses(m) || ((seen >> m) & 1) != 0)
      fault = {.code = sharding_error::axis_twice, .name = name, .axis = axis};
    else if (mesh.d[m].size > 1) of = of.with(m, axis);
    if (m >= 0) seen |= 1u << m;
  }

private:
  unsigned seen = 0;
};

} // namespace detail

// Does every rank get equal parts of an array of this shape?
constexpr sharding_fault fault_of(sharding s, extents const& shape, mesh_axes const& mesh) {
  for (int m = 0; m < mesh.count; ++m) {
    int const axis = s.place(m);
    if (axis < 0) continue;
    if (axis >= shape.rank)
      return {.code = sharding_error::rank, .name = mesh.d[m], .axis = axis, .shape = shape};
    extent const parts = parts_of(s, axis, mesh);
    if (is_named(shape[axis]) || shape[axis] % parts != 0)
      return {is_named(shape[axis]) ? sharding_error::named : sharding_error::uneven, mesh.d[m],
              axis, shape, parts};
  }
  return {};
}

// Of a `shard` node over this mesh.
constexpr detail::read_sharding sharding_of(view<extent> attributes, mesh_axes const& mesh) {
  detail::read_sharding r;
  detail::each_axis_name(attributes,
                         [&](int axis, mesh_axis const& name) { r.add(axis, name, mesh); });
  return r;
}

namespace detail {

constexpr message fault_text(sharding_fault const& f) {
  message t("weft: sharding: ");
  switch (f.code) {
    case sharding_error::unknown_axis:
      return t.add("the mesh has no axis \"").add(f.name.name).add("\"");
    case sharding_error::axis_twice:
      return t.add("mesh axis \"")
          .add(f.name.name)
          .add("\" is named twice; an axis splits one axis of an array");
    case sharding_error::rank:
      return t.add("an axis ")
          .add(f.axis)
          .add(" is split over \"")
          .add(f.name.name)
          .add("\", and the array is ")
          .add(f.shape);
    case sharding_error::named:
      return t.add("axis ")
          .add(f.axis)
          .add(" of ")
          .add(f.shape)
          .add(" is split over \"")
          .add(f.name.name)
          .add("\", and its extent is a name; give it a number");
    case sharding_error::uneven:
      return t.add("axis ")
          .add(f.axis)
          .add(" of ")
          .add(f.shape)
          .add(" is no multiple of ")
          .add(f.parts)
          .add(" parts along \"")
          .add(f.name.name)
          .add("\"; pad the array, or choose other axes");
    default:
      return t.add("write \"[data, model*host, -]\": names of mesh axes per array axis, or -");
  }
}
[[noreturn]] WEFT_NOINLINE inline void raise_sharding(sharding_fault const& f) {
  raise<usage_error>(fault_text(f));
}

constexpr read_sharding parse_sharding(char const* words, mesh_axes const& mesh) {
  read_sharding r;
  auto const skip = [&] {
    while (is_gap(*words)) ++words;
  };
  auto const wrong = [&r] {
    if (!r.fault) r.fault.code = sharding_error::syntax;
    return r;
  };
  skip();
  bool const bracket = *words == '[';
  if (bracket) ++words;
  for (int axis = 0; axis < max_rank; ++axis) {
    skip();
    if (*words == ']' || *words == '\0') break;
    if (*words == '-') ++words;
    else
      for (bool more = true; more;) {
        skip();
        char const* const first = words;
        while (name_code(*words) != 0) ++words;
        text const name{first, static_cast<int>(words - first)};
        if (!is_axis_name(name)) return wrong();
        r.add(axis, axis_of_mesh(name, 1), mesh);
        skip();
        more = *words == '*';
        words += more ? 1 : 0;
      }
    skip();
    if (*words != ',') break;
    ++words;
  }
  skip();
  if (bracket && *words++ != ']') return wrong();
  skip();
  return *words == '\0' ? r : wrong();
}

} // namespace detail

constexpr sharding sharding_of(char const* words, mesh_axes const& mesh) {
  detail::read_sharding const r = detail::parse_sharding(words, mesh);
  if (r.fault) detail::raise_sharding(r.fault);
  return r.of;
}

// [data, model*host, -]
constexpr message print_sharding(sharding s, int rank, mesh_axes const& mesh) {
  message t;
  t.add("[");
  for (int axis = 0; axis < rank; ++axis) {
    if (axis > 0) t.add(", ");
    if (s.split_by(axis, 0) < 0) t.add("-");
    for (int k = 0, m = 0; (m = s.split_by(axis, k)) >= 0; ++k)
      t.add(k == 0 ? "" : "*").add(mesh.d[m].name);
  }
  return t.add("]");
}
// The same of a `shard` node.
constexpr message print_sharding(view<extent> attributes) {
  message t;
  t.add("[");
  for (int at = 0; at < attributes.size();) {
    if (at > 0) t.add(", ");
    extent n = attributes[at++];
    if (n == 0) t.add("-");
    for (bool first = true; n > 0 && at + 1 < attributes.size(); --n, at += 2, first = false)
      t.add(first ? "" : "*").add(detail::axis_name_of(attributes[at], attributes[at + 1]).name);
  }
  return t.add("]");
}

} // namespace weft::inline v0
