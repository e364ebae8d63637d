// SPDX-License-Identifier: BSL-1.0
// Where the values of a graph are on a device, and how they are read.
// Needs: a bound graph, its accesses. Leaves: nothing owned.
#pragma once

#include <weft/opencl/step_text.hpp>
#include <weft/pass/access.hpp>
#include <weft/pass/product.hpp>

#include <numeric>

namespace weft::inline v0 {
namespace detail {

// A stored value begins at a multiple of 1, 2 or 4 of its elements: which? What is computed lies in
// aligned memory, or in its step's part of a y, which begins at a multiple of its own count. What a
// body reads of its surroundings lies wherever the loop's operand does (run_loop.hpp).
inline opencl::buffer_use memory_of(graph_view g, accesses const& reads, int id);
inline int unit_of(graph_view g, accesses const& reads, int root) {
  node const& n = g[root];
  int const own = static_cast<int>(std::gcd(count_of(g.shape(root)), extent{4}));
  int const owner = g.regions[n.region].owner;
  if (n.code != op::parameter || owner < 0) return own;
  loop const l = loop_of(g, owner);
  int const k = static_cast<int>(g.attribute(root, 0));
  if (k < l.carries) return own;
  int const operand = memory_of(g, reads, g.operand(owner, k)).first_unit();
  return k < l.carries + l.xs ? std::gcd(operand, own) : operand;
}
inline opencl::buffer_use memory_of(graph_view g, accesses const& reads, int id) {
  int const root = reads.of[id].root;
  return {root, reads.of[id].offset, size_of(g[id].type), unit_of(g, reads, root)};
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
