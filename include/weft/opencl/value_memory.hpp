// SPDX-License-Identifier: BSL-1.0
// Where the values of a graph are on a device, and how they are read.
// Needs: a bound graph, its accesses. Leaves: nothing owned.
#pragma once

#include <weft/opencl/step_text.hpp>
#include <weft/pass/access.hpp>
#include <weft/pass/product.hpp>

namespace weft::inline v0 {
namespace detail {

// The root's memory is aligned; but of a loop's operands a step's part is, too, only as far as its
// elements' count is even.
inline opencl::buffer_use memory_of(graph_view g, accesses const& reads, int id) {
  int const root = reads.of[id].root;
  int unit = 8;
  while (count_of(g.shape(root)) % unit != 0) unit /= 2;
  return {root, reads.of[id].offset, size_of(g[id].type), unit};
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
