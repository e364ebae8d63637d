// SPDX-License-Identifier: BSL-1.0
// What partitioning is compared with: every rank's part of whole arrays.
#pragma once

#include <weft/graph/interpret_movement.hpp>
#include <weft/graph/sharding.hpp>

#include <string>
#include <vector>

namespace test {

// Of a rank, by the places of all elements: no step of any pass.
inline weft::dense part_of_rank(weft::dense const& whole, weft::sharding s,
                                weft::mesh_axes const& mesh, weft::extent rank) {
  weft::dense part(whole.type, weft::local_shape(whole.shape, s, mesh));
  weft::extents const strides = weft::row_major_strides(whole.shape);
  for (int i = 0; i < part.size(); ++i) {
    weft::extents at = weft::detail::position_of(i, part.shape);
    weft::extent from = 0;
    for (int axis = 0; axis < at.rank; ++axis) {
      weft::extent place = 0;
      for (int k = 0, m = 0; (m = s.split_by(axis, k)) >= 0; ++k)
        place = place * mesh.d[m].size + rank / mesh.d[m].divisor % mesh.d[m].size;
      from += (place * part.shape[axis] + at[axis]) * strides[axis];
    }
    part[i] = whole[static_cast<int>(from)];
  }
  return part;
}
inline std::vector<weft::growing<weft::dense>> parts_of_ranks(weft::view<weft::dense> whole,
                                                              weft::view<weft::sharding> s,
                                                              weft::mesh_axes const& mesh) {
  std::vector<weft::growing<weft::dense>> of(static_cast<unsigned>(mesh.ranks));
  for (weft::extent r = 0; r < mesh.ranks; ++r)
    for (int k = 0; k < whole.size(); ++k)
      of[static_cast<unsigned>(r)].push(part_of_rank(whole[k], s[k], mesh, r));
  return of;
}

} // namespace test
