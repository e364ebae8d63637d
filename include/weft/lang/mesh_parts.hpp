// SPDX-License-Identifier: BSL-1.0
// part: what one rank of a mesh has of an array that is shared out, in equal shares along an axis.
//   constexpr auto m = mesh<axis<"data", 4>>;
//   auto mine = part<m, "data", 0>(x, job.rank());      // (8, 3): rows 2 r and 2 r + 1
// Shapes: static extents are divided; a named one keeps its name. Errors: the extent is no multiple of
// the ranks along the mesh's axis, at compile time or, of named extents, as shape_error.
#pragma once

#include <weft/array/access.hpp>
#include <weft/array/rebind.hpp>
#include <weft/lang/collective_rules.hpp>

namespace weft::inline v0 {
namespace detail {

// Elements before, along and behind an axis, row-major.
struct axis_places {
  extent before = 1, along = 1, behind = 1;
  axis_places(extents const& s, int axis) {
    for (int i = 0; i < s.rank; ++i) (i < axis ? before : i == axis ? along : behind) *= s[i];
  }
};
// Element i of the part is element whole_index(i) of the whole.
struct part_places {
  axis_places part;
  extent start, whole; // where the part begins, how long the whole is
  extent whole_index(extent i) const {
    extent const inner = i % part.behind, at = i / part.behind % part.along,
                 outer = i / part.behind / part.along;
    return (outer * whole + start + at) * part.behind + inner;
  }
};
template <class S, int Axis, extent Times, extent Parts> consteval extents scaled_axis() {
  constexpr int axis = plain_axis(Axis, S::rank);
  constexpr extent e = S::value[axis];
  return with_extent(S::value, axis, is_named(e) ? e : e * Times / Parts);
}

} // namespace detail

template <auto Mesh, fixed_string Name, int Axis, class T, auto... E>
auto part(tensor<T, E...> const& x, extent rank) {
  using M = std::remove_cv_t<decltype(Mesh)>;
  using S = weft::shape<E...>;
  constexpr extent group = axis_size<Mesh, Name>;
  if constexpr (!detail::check_axes<S, Axis>()) return x;
  else if constexpr (!detail::check_shared<S, Axis, group>()) return x;
  else {
    using part_type = array_of<tensor, T, detail::scaled_axis<S, Axis, 1, group>()>;
    constexpr int axis = plain_axis(Axis, S::rank);
    constexpr mesh_axes along = detail::picked_axes<M, Name>();
    extents shape = x.shape();
    extent const whole = shape[axis];
    if (whole % group != 0) detail::raise_share(shape, group);
    shape[axis] = whole / group;
    detail::part_places const of{
        {shape, axis}, detail::place_of_rank(along, rank) * shape[axis], whole};
    auto mine = part_type::uninitialised(shape);
    T* const to = detail::writable(mine);
    for (extent i = 0; i < mine.size(); ++i) to[i] = x.data()[of.whole_index(i)];
    return mine;
  }
}

} // namespace weft::inline v0
