// SPDX-License-Identifier: BSL-1.0
// array_part: which part of an array a rank has, and copying it out of the whole and back.
//   array_part const p = part_of({2, {8, 6}}, sharding_of("[data, model]", m), m, rank);
//   // p.shape (4, 3), p.start (4, 0): rows 4 to 7, columns 0 to 2
//   copy_out(p, {2, {8, 6}}, sizeof(float), whole, mine);   copy_back: the other way
// Needs: extents that divide (fault_of), row-major arrays. Leaves: nothing owned.
#pragma once

#include <weft/graph/sharding.hpp>

#include <cstring>

namespace weft::inline v0 {

struct array_part {
  extents start, shape;
};
constexpr array_part part_of(extents const& whole, sharding s, mesh_axes const& mesh, extent rank) {
  array_part p{whole, local_shape(whole, s, mesh)};
  for (int axis = 0; axis < whole.rank; ++axis)
    p.start[axis] = detail::place_of_rank(axes_along(s, axis, mesh), rank) * p.shape[axis];
  return p;
}

namespace detail {

// f(byte of the whole, byte of the part, bytes) for every piece that is whole along the last axis.
template <class F>
void each_piece(array_part const& p, extents const& whole, extent size, F const& f) {
  int const last = whole.rank - 1;
  extent const length = last < 0 ? size : p.shape[last] * size;
  extent pieces = 1;
  for (int i = 0; i < last; ++i) pieces *= p.shape[i];
  for (extent k = 0; length > 0 && k < pieces; ++k) {
    extent at = 0, rest = k, step = last < 0 ? 1 : whole[last];
    for (int i = last - 1; i >= 0; --i) {
      at += (p.start[i] + rest % p.shape[i]) * step;
      rest /= p.shape[i];
      step *= whole[i];
    }
    f((last < 0 ? 0 : at + p.start[last]) * size, k * length, static_cast<std::size_t>(length));
  }
}

} // namespace detail

inline void copy_out(array_part const& p, extents const& whole, extent size, void const* from,
                     void* to) {
  detail::each_piece(p, whole, size, [&](extent there, extent here, std::size_t bytes) {
    std::memcpy(static_cast<char*>(to) + here, static_cast<char const*>(from) + there, bytes);
  });
}
inline void copy_back(array_part const& p, extents const& whole, extent size, void const* from,
                      void* to) {
  detail::each_piece(p, whole, size, [&](extent there, extent here, std::size_t bytes) {
    std::memcpy(static_cast<char*>(to) + there, static_cast<char const*>(from) + here, bytes);
  });
}

} // namespace weft::inline v0
