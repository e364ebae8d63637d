// SPDX-License-Identifier: BSL-1.0
// Where the values of a graph are on a device, and how they are read.
// Needs: a bound graph, its accesses. Leaves: nothing owned.
#pragma once

#include <weft/opencl/step_text.hpp>
#include <weft/pass/access.hpp>
#include <weft/pass/product.hpp>

namespace weft::inline v0 {
namespace detail {

inline opencl::buffer_use memory_of(graph_view g, accesses const& reads, int id) {
  return {reads.of[id].root, reads.of[id].offset, size_of(g[id].type)};
}
inline extents strides_of(graph_view g, accesses const& reads, int id) {
  extents s = g.shape(id);
  for (int i = 0; i < s.rank; ++i) s[i] = reads.of[id].stride[i];
  return s;
}
inline strided_shape strided_of(graph_view g, accesses const& reads, int id) {
  return {g.shape(id), strides_of(g, reads, id)};
}

} // namespace detail
} // namespace weft::inline v0
