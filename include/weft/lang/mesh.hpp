// SPDX-License-Identifier: BSL-1.0
// Meshes: the ranks that run a program, laid out along named axes, as a value that functions take as
// template argument (result extents depend on it).
//   constexpr auto m = mesh<axis<"data", 2>, axis<"model", 4>>;     // 8 ranks
//   constexpr auto rows = sub_mesh<m, "model">;                     // each rank with its 3 others
//   constexpr auto deep = split_axis<m, "model", axis<"host", 2>, axis<"local", 2>>;   // the same 8
// Ranks count row-major: rank i is at data = i / 4, model = i % 4. A sub-mesh has some of the axes,
// in its own order; the program's ranks stay those of the whole mesh.
// Leaves: `m.ranks`, axis_size<m, "model"> (of several: their product; of none: all axes).
// Errors: names, sizes and numbers of axes; a name that a mesh does not have, or twice.
#pragma once

#include <weft/graph/mesh_axes.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {

template <fixed_string Name, int Size> struct axis {
  static constexpr text name = Name;
  static constexpr int size = Size;
};

namespace detail {

// At most most_ranks + 1, whatever the sizes are.
template <class... Axes> constexpr extent count_ranks() {
  extent n = 1;
  ((n = n * Axes::size > most_ranks ? most_ranks + 1 : n * Axes::size), ...);
  return n;
}

template <class A> inline constexpr bool is_mesh_axis = false;
template <fixed_string Name, int Size> inline constexpr bool is_mesh_axis<axis<Name, Size>> = true;
template <class A> concept proper_axis = is_mesh_axis<A> && is_axis_name(A::name) && (A::size >= 1);

template <class... Axes> consteval mesh_axes axes_of_mesh() {
  mesh_axes r;
  (r.push(axis_of_mesh(Axes::name, Axes::size)), ...);
  lay_out(r);
  return r;
}
template <class... Axes>
concept mesh_of_a_size = sizeof...(Axes) <= max_mesh_axes && count_ranks<Axes...>() <= most_ranks;

// What every mesh has. A base: mistakes are told where a mesh is first named.
template <auto Axes> struct laid_out {
  static constexpr mesh_axes axes = Axes;
  static constexpr int ranks = static_cast<int>(Axes.ranks);
};

// The axes, or after an error none.
template <class... Axes> consteval mesh_axes checked_axes() {
  constexpr bool proper = (proper_axis<Axes> && ...);
  static_assert(proper,
                "weft: mesh: an axis is axis<\"data\", 2>: a name of 1 to 15 letters, digits "
                "and '_', a size of at least 1");
  if constexpr (!proper) return {};
  else {
    constexpr bool sized = mesh_of_a_size<Axes...>;
    static_assert(sized, "weft: mesh: more than 8 axes, or more than 65536 ranks");
    if constexpr (!sized) return {};
    else {
      constexpr bool distinct = names_differ(axes_of_mesh<Axes...>());
      static_assert(distinct, "weft: mesh: two axes have one name");
      if constexpr (distinct) return axes_of_mesh<Axes...>();
      else return {};
    }
  }
}

} // namespace detail

template <class... Axes> struct mesh_type : detail::laid_out<detail::checked_axes<Axes...>()> {};
template <class... Axes> inline constexpr mesh_type<Axes...> mesh{};

// Axes of another mesh, in this order.
template <class Whole, fixed_string... Names> struct sub_mesh_type;
// A mesh with one axis taken apart into several.
template <class Whole, fixed_string Name, class... Axes> struct split_mesh_type;

namespace detail {

template <class M> inline constexpr bool is_mesh = false;
template <class... A> inline constexpr bool is_mesh<mesh_type<A...>> = true;
template <class W, fixed_string... N> inline constexpr bool is_mesh<sub_mesh_type<W, N...>> = true;
template <class W, fixed_string N, class... A>
inline constexpr bool is_mesh<split_mesh_type<W, N, A...>> = true;

} // namespace detail

template <class M> concept mesh_like = detail::is_mesh<std::remove_cv_t<M>>;

namespace detail {

template <class M, fixed_string Name> concept has_mesh_axis = M::axes.place_of(Name) >= 0;
template <fixed_string... Names> consteval bool are_different() {
  mesh_axes all;
  (all.push(axis_of_mesh(Names, 1)), ...);
  return sizeof...(Names) <= max_mesh_axes && names_differ(all);
}

// False after an error.
template <class M> consteval bool check_mesh() {
  constexpr bool is = mesh_like<M>;
  static_assert(
      is, "weft: not a mesh; write constexpr auto m = mesh<axis<\"data\", 4>>; and name m first");
  return is;
}
template <class M, fixed_string... Names> consteval bool check_mesh_axes() {
  constexpr bool known = (has_mesh_axis<M, Names> && ...);
  static_assert(known, "weft: the mesh has no axis of this name");
  if constexpr (!(has_mesh_axis<M, Names> && ...)) return false;
  else {
    constexpr bool once = are_different<Names...>();
    static_assert(once, "weft: an axis of the mesh is named twice");
    return once;
  }
}
// The axes of these names, in their order; without names all.
template <class M, fixed_string... Names> consteval mesh_axes picked_axes() {
  if constexpr (sizeof...(Names) == 0 || !(has_mesh_axis<M, Names> && ...)) return M::axes;
  else {
    mesh_axes r{.ranks = M::axes.ranks};
    (r.push(M::axes.d[M::axes.place_of(Names)]), ...);
    return r;
  }
}
template <class M, fixed_string... Names> consteval mesh_axes checked_sub_mesh() {
  if constexpr (!check_mesh<M>()) return {};
  else if constexpr (!check_mesh_axes<M, Names...>()) return {.ranks = M::axes.ranks};
  else if constexpr (sizeof...(Names) == 0) return {.ranks = M::axes.ranks}; // each rank alone
  else return picked_axes<M, Names...>();
}

template <class M, fixed_string Name>
inline constexpr extent size_of_axis = M::axes.d[M::axes.place_of(Name)].size;
template <extent Size, class... Axes>
concept sizes_multiply_to = count_ranks<Axes...>() == Size && sizeof...(Axes) >= 1;

template <class M, fixed_string Name, class... Axes> consteval mesh_axes with_axis_split() {
  constexpr int at = M::axes.place_of(Name);
  constexpr mesh_axes parts = axes_of_mesh<Axes...>();
  mesh_axes r{.ranks = M::axes.ranks};
  for (int i = 0; i < M::axes.count; ++i)
    if (i != at) r.push(M::axes.d[i]);
    else
      for (int k = 0; k < parts.count; ++k) {
        mesh_axis part = parts.d[k];
        part.divisor *= M::axes.d[at].divisor;
        r.push(part);
      }
  return r;
}
template <class M, fixed_string Name, class... Axes>
concept names_stay_different = M::axes.count + int{sizeof...(Axes)} - 1 <= max_mesh_axes &&
                               names_differ(with_axis_split<M, Name, Axes...>());

template <class M, fixed_string Name, class... Axes> consteval mesh_axes checked_split() {
  if constexpr (!check_mesh<M>()) return {};
  else if constexpr (!check_mesh_axes<M, Name>()) return M::axes;
  else if constexpr (checked_axes<Axes...>().count != int{sizeof...(Axes)}) return M::axes;
  else {
    constexpr bool whole = sizes_multiply_to<size_of_axis<M, Name>, Axes...>;
    static_assert(whole, "weft: split_axis: the sizes do not multiply to that of the axis");
    if constexpr (!whole) return M::axes;
    else {
      constexpr bool distinct = names_stay_different<M, Name, Axes...>;
      static_assert(distinct, "weft: split_axis: two axes have one name, or there are more than 8");
      if constexpr (distinct) return with_axis_split<M, Name, Axes...>();
      else return M::axes;
    }
  }
}

} // namespace detail

template <class Whole, fixed_string... Names>
struct sub_mesh_type : detail::laid_out<detail::checked_sub_mesh<Whole, Names...>()> {};
template <auto Mesh, fixed_string... Names>
inline constexpr sub_mesh_type<std::remove_cv_t<decltype(Mesh)>, Names...> sub_mesh{};

template <class Whole, fixed_string Name, class... Axes>
struct split_mesh_type : detail::laid_out<detail::checked_split<Whole, Name, Axes...>()> {};
template <auto Mesh, fixed_string Name, class... Axes>
inline constexpr split_mesh_type<std::remove_cv_t<decltype(Mesh)>, Name, Axes...> split_axis{};

namespace detail {
template <class M, fixed_string... Names> consteval int checked_size() {
  if constexpr (!check_mesh<M>()) return 1;
  else if constexpr (!check_mesh_axes<M, Names...>()) return 1;
  else return static_cast<int>(picked_axes<M, Names...>().group());
}
} // namespace detail

// How many ranks a group along these axes has: an extent of arrays, a divisor.
template <auto Mesh, fixed_string... Names>
inline constexpr int axis_size = detail::checked_size<std::remove_cv_t<decltype(Mesh)>, Names...>();

} // namespace weft::inline v0
