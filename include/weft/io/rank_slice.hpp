// SPDX-License-Identifier: BSL-1.0
// rank_slice: what a rank of a mesh has of an array that is split by a sharding, for files that ranks write
// and read together (io/safetensors_slices.hpp).
//   mesh_axes const m = mesh_of("data=2, model=3");
//   rank_slice({2, {8, 6}}, sharding_of("[data, model]", m), m, 4)    // rows 4 to 7, columns 2 and 3
// Needs: extents that divide (graph/sharding.hpp has fault_of).
#pragma once

#include <weft/graph/sharding.hpp>
#include <weft/io/array_slice.hpp>

namespace weft::inline v0 {

constexpr array_slice rank_slice(extents const& whole, sharding s, mesh_axes const& mesh,
                                 extent rank) {
  array_slice r{whole, local_shape(whole, s, mesh)};
  for (int i = 0; i < whole.rank; ++i)
    r.first[i] = detail::place_of_rank(axes_along(s, i, mesh), rank) * r.shape[i];
  return r;
}

} // namespace weft::inline v0
