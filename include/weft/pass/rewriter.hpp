// SPDX-License-Identifier: BSL-1.0
// rewriter: the sweep that every pass shares. It rebuilds a graph node by node in recorded order
// and keeps the map from old ids to new ones; a pass says only what differs.
// Needs: a verified graph (operands precede their users, a body precedes its owner).
// Leaves: same regions, shapes, constants and inputs. Every parameter stays declared: its copy is
// entered in its region's list whatever `map` says, so a pass may send the users elsewhere.
// Output lists are mapped by `finish`.
#pragma once

#include <weft/graph/attributes.hpp>

namespace weft::inline v0 {
namespace detail {

struct rewriter {
  graph_view from;
  graph result;
  growing<int> map; // old id -> new id; -1: dropped, or not yet seen

  constexpr explicit rewriter(graph_view g) : from(g), map(g.size(), -1) {
    result.nodes.reserve(g.size());
    result.operands.reserve(g.operands.size());
    result.attributes.reserve(g.attributes.size());
    result.shapes = growing<extents>(g.shapes);
    result.regions = growing<region>(g.regions);
    result.copy_tables(g);
    result.inputs = growing<input_info>(g.inputs);
    for (region& r : result.regions) {
      r.first_parameter = result.operands.size();
      result.operands.resize(r.first_parameter + r.parameter_count);
    }
  }

  // Node i as it stands, over the new operands.
  constexpr int copy(int i) { return copy(i, from.nodes.first[i].type); }
  // The same with another element type.
  constexpr int copy(int i, dtype type) {
    node n = from.nodes.first[i];
    n.type = type;
    int const* old_operands = from.operands.first + n.first_operand;
    extent const* old_attributes = from.attributes.first + n.first_attribute;
    n.first_operand = result.operands.size();
    for (int k = 0; k < n.operand_count; ++k) result.operands.push(map.data()[old_operands[k]]);
    n.first_attribute = result.attributes.size();
    for (int k = 0; k < n.attribute_count; ++k) result.attributes.push(old_attributes[k]);
    int id = result.nodes.size();
    if (n.code == op::parameter) declare(n.region, static_cast<int>(old_attributes[0]), id);
    result.nodes.push(n);
    return id;
  }
  // A node of its own beside node `of`: in its region, under its autocast.
  constexpr int add_beside(node const& of, op code, dtype type, int shape, view<int> operands,
                           view<extent> attributes = {}) {
    node n{.code = code, .type = type, .casting = of.casting, .back = of.back, .region = of.region};
    n.shape = shape;
    return result.add(n, operands, attributes);
  }
  // `id` is parameter k of region r.
  constexpr void declare(int r, int k, int id) {
    result.operands[result.regions[r].first_parameter + k] = id;
  }
  constexpr growing<int> mapped(view<int> ids) const {
    growing<int> r;
    r.reserve(ids.size());
    for (int id : ids) r.push(map[id]);
    return r;
  }
  // Region r has these outputs, and its owner is known.
  constexpr void close(int r, view<int> outputs) {
    result.set_outputs(r, outputs);
    int owner = from.regions[r].owner;
    result.regions[r].owner = owner < 0 ? owner : map[owner];
  }
  constexpr graph finish() {
    for (int r = 0; r < from.regions.size(); ++r) close(r, mapped(from.outputs_of(r)));
    return std::move(result);
  }
};

} // namespace detail
} // namespace weft::inline v0
