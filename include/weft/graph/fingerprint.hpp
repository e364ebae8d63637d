// SPDX-License-Identifier: BSL-1.0
// fingerprint: 64 bits of a program, the same in every process that has the same program: ops, types,
// shapes, attributes, how nodes hang together, constants. What `custom_call` calls is not in it.
// Leaves: fnv_hash, word by word.
#pragma once

#include <weft/core/fnv_hash.hpp>
#include <weft/graph/graph.hpp>

namespace weft::inline v0 {

constexpr std::uint64_t fingerprint(graph_view g) {
  detail::fnv_hash h;
  h.add_signed(g.size());
  for (int id = 0; id < g.size(); ++id) {
    node const& n = g[id];
    h.add_signed(static_cast<extent>(n.code));
    h.add_signed(static_cast<extent>(n.type));
    h.add_signed(n.region);
    h.add_signed(n.body);
    extents const& s = g.shape(id);
    h.add_all(view<extent>{s.d, s.rank});
    h.add_all(g.operands_of(id));
    h.add_all(g.attributes_of(id));
  }
  for (int r = 0; r < g.regions.size(); ++r) {
    h.add_signed(g.regions[r].owner);
    h.add_all(g.parameters_of(r));
    h.add_all(g.outputs_of(r));
  }
  h.add_all(g.constants);
  return h.sum();
}

} // namespace weft::inline v0
