// SPDX-License-Identifier: BSL-1.0
// The graph: a program as a value. Flat arrays of nodes, operands, attributes, interned shapes,
// constants, regions and inputs; `graph` grows, `frozen` is the exact-size copy that a constexpr
// variable holds, `graph_view` is what every reader takes.
// Invariants (verify.hpp checks them): operands are earlier nodes of the same region; a body's
// nodes are recorded after its owner's operands and before its owner, so every pass is one sweep.
// Leaves: no policy, no pass, no type parameter.
#pragma once

#include <weft/core/extents.hpp>
#include <weft/core/growing.hpp>
#include <weft/op/info.hpp>

namespace weft::inline v0 {

// What autocast (transform/autocast.hpp) does with a node: what its op's policy says, or what a
// function made of ops asks for its parts: computed in float; left as it is; a sum as a product is;
// a sum or product within a larger one, whose result is not rounded.
enum class cast_rule : std::uint8_t { by_policy, full, recorded, low, within_low };

struct node {
  op code{};
  dtype type{};
  cast_rule casting{};
  bool back = false; // recorded on the way back of a reverse derivative
  int shape = 0;     // index into shapes
  int region = 0;    // where it lives
  int body = -1;     // the region it owns
  int first_operand = 0, operand_count = 0;
  int first_attribute = 0, attribute_count = 0;
};

// Region 0 is the program. Parameters and outputs are node lists in `operands`.
struct region {
  int parent = -1;
  int owner = -1; // the node whose body this is
  int first_parameter = 0, parameter_count = 0;
  int first_output = 0, output_count = 0;
};

// A parameter of region 0: which leaf of which argument it is, and whether it is a random key.
struct input_info {
  int argument = 0;
  int leaf = 0;
  bool key = false;
};

// What a custom_call calls: graph/host_function.hpp.
struct host_function;

// What a trace got wrong and types cannot see; the first one is asserted once, in `program`.
enum class trace_error : std::uint8_t {
  clean,
  escaping_value,
  key_used_twice,
  key_shared_by_steps,
  while_reversed,
  not_elementwise,
  number_beyond_type,
  bernoulli_probability,
  dropout_rate,
  mapped_nine_axes,
  no_argument_picked,
  custom_forward,
  host_reverse,
  host_forward,
  two_meshes,
  shard_axis,
  shard_extent,
  partitioned_collective,
  partitioned_rule
};

struct graph_view {
  view<node> nodes;
  view<int> operands;
  view<extent> attributes;
  view<extents> shapes;
  view<region> regions;
  view<word> constants;
  view<input_info> inputs;
  view<host_function const*> hosts;

  constexpr int size() const { return nodes.size(); }
  constexpr node const& operator[](int id) const { return nodes[id]; }
  constexpr int operand(int id, int k) const { return operands[nodes[id].first_operand + k]; }
  constexpr view<int> operands_of(int id) const {
    return operands.part(nodes[id].first_operand, nodes[id].operand_count);
  }
  constexpr extent attribute(int id, int k) const {
    return attributes[nodes[id].first_attribute + k];
  }
  constexpr view<extent> attributes_of(int id) const {
    return attributes.part(nodes[id].first_attribute, nodes[id].attribute_count);
  }
  constexpr extents const& shape(int id) const { return shapes[nodes[id].shape]; }
  constexpr view<int> parameters_of(int r) const {
    return operands.part(regions[r].first_parameter, regions[r].parameter_count);
  }
  constexpr view<int> outputs_of(int r) const {
    return operands.part(regions[r].first_output, regions[r].output_count);
  }
};

namespace detail {
constexpr std::uint32_t mix(std::uint32_t h, std::uint64_t v) {
  h = (h ^ static_cast<std::uint32_t>(v) ^ static_cast<std::uint32_t>(v >> 32)) * 0x9e3779b1u;
  return h ^ (h >> 15);
}
constexpr std::uint32_t hash_of(extents const& s) {
  std::uint32_t h = static_cast<std::uint32_t>(s.rank);
  for (int i = 0; i < s.rank; ++i) h = mix(h, static_cast<std::uint64_t>(s[i]));
  return h;
}
} // namespace detail

class graph {
public:
  growing<node> nodes;
  growing<int> operands;
  growing<extent> attributes;
  growing<extents> shapes;
  growing<region> regions;
  growing<word> constants;
  growing<input_info> inputs;
  growing<host_function const*> hosts; // what custom_call nodes call
  trace_error error = trace_error::clean;
  int error_node = -1;

  constexpr operator graph_view() const {
    return {nodes, operands, attributes, shapes, regions, constants, inputs, hosts};
  }
  constexpr int size() const { return nodes.size(); }
  constexpr node const& operator[](int id) const { return nodes[id]; }
  constexpr extents const& shape(int id) const { return shapes[nodes[id].shape]; }

  constexpr int add_region(int parent) {
    regions.push({.parent = parent});
    return regions.size() - 1;
  }
  // The index of a shape, the same for equal shapes (open addressing over `index_`).
  constexpr int intern(extents const& s) {
    if (!shapes.empty() && shapes[latest_] == s) return latest_;
    if (2 * (shapes.size() + 1) > index_.size()) grow_index();
    int mask = index_.size() - 1;
    int at = static_cast<int>(detail::hash_of(s)) & mask;
    for (; index_[at] >= 0; at = (at + 1) & mask)
      if (shapes[index_[at]] == s) return latest_ = index_[at];
    shapes.push(s);
    return latest_ = index_[at] = shapes.size() - 1;
  }
  // The number of a host function, the same for the same one. (No overload of intern: intern({}) is a
  // shape.)
  constexpr int add_host(host_function const* f) {
    for (int i = 0; i < hosts.size(); ++i)
      if (hosts[i] == f) return i;
    hosts.push(f);
    return hosts.size() - 1;
  }
  // What g's nodes name by number: copies of them mean the same here.
  constexpr void copy_tables(graph_view g) {
    constants = growing<word>(g.constants);
    hosts = growing<host_function const*>(g.hosts);
  }
  // Appends a node as it stands; operands and attributes are copied behind the existing ones.
  constexpr int add(node n, view<int> its_operands, view<extent> its_attributes) {
    n.first_operand = operands.size();
    n.operand_count = its_operands.size();
    operands.append(its_operands);
    return add(n, its_attributes);
  }
  // The same for a node whose operands are in place.
  constexpr int add(node n, view<extent> its_attributes) {
    n.first_attribute = attributes.size();
    n.attribute_count = its_attributes.size();
    attributes.append(its_attributes);
    nodes.push(n);
    return nodes.size() - 1;
  }
  constexpr void set_parameters(int r, view<int> ids) {
    int first = operands.size();
    operands.append(ids);
    regions[r].first_parameter = first;
    regions[r].parameter_count = ids.size();
  }
  constexpr void set_outputs(int r, view<int> ids) {
    int first = operands.size();
    operands.append(ids);
    regions[r].first_output = first;
    regions[r].output_count = ids.size();
  }
  constexpr void fail(trace_error e, int at) {
    if (error != trace_error::clean) return;
    error = e;
    error_node = at;
  }

private:
  constexpr void grow_index() {
    int wanted = index_.empty() ? 16 : 2 * index_.size();
    while (wanted < 2 * (shapes.size() + 1)) wanted *= 2;
    index_.assign(wanted, -1);
    for (int i = 0; i < shapes.size(); ++i) {
      int at = static_cast<int>(detail::hash_of(shapes[i])) & (wanted - 1);
      while (index_[at] >= 0) at = (at + 1) & (wanted - 1);
      index_[at] = i;
    }
  }
  growing<int> index_;
  int latest_ = 0; // neighbours share shapes
};

// A growing copy of any graph.
constexpr graph thaw(graph_view g) {
  graph r;
  r.nodes = growing<node>(g.nodes);
  r.operands = growing<int>(g.operands);
  r.attributes = growing<extent>(g.attributes);
  r.shapes = growing<extents>(g.shapes);
  r.regions = growing<region>(g.regions);
  r.inputs = growing<input_info>(g.inputs);
  r.copy_tables(g);
  return r;
}

// Node ids of every region, ascending.
constexpr growing<growing<int>> nodes_by_region(graph_view g) {
  growing<growing<int>> ids(g.regions.size());
  for (int id = 0; id < g.size(); ++id) ids[g[id].region].push(id);
  return ids;
}

struct graph_sizes {
  int nodes, operands, attributes, shapes, regions, constants, inputs, hosts;
};
constexpr graph_sizes sizes_of(graph_view g) {
  return {g.nodes.size(),   g.operands.size(),  g.attributes.size(), g.shapes.size(),
          g.regions.size(), g.constants.size(), g.inputs.size(),     g.hosts.size()};
}

namespace detail {
// An array that may be empty.
template <class T, int N> struct exact {
  T items[static_cast<unsigned>(N > 0 ? N : 1)]{};

  constexpr operator view<T>() const { return {items, N}; }
  constexpr void fill(view<T> from) {
    for (int i = 0; i < N; ++i) items[i] = from[i];
  }
};
} // namespace detail

template <graph_sizes Z> struct frozen {
  detail::exact<node, Z.nodes> nodes;
  detail::exact<int, Z.operands> operands;
  detail::exact<extent, Z.attributes> attributes;
  detail::exact<extents, Z.shapes> shapes;
  detail::exact<region, Z.regions> regions;
  detail::exact<word, Z.constants> constants;
  detail::exact<input_info, Z.inputs> inputs;
  detail::exact<host_function const*, Z.hosts> hosts;

  constexpr operator graph_view() const {
    return {nodes, operands, attributes, shapes, regions, constants, inputs, hosts};
  }
};
template <graph_sizes Z> constexpr frozen<Z> freeze(graph_view g) {
  frozen<Z> f;
  f.nodes.fill(g.nodes);
  f.operands.fill(g.operands);
  f.attributes.fill(g.attributes);
  f.shapes.fill(g.shapes);
  f.regions.fill(g.regions);
  f.constants.fill(g.constants);
  f.inputs.fill(g.inputs);
  f.hosts.fill(g.hosts);
  return f;
}

} // namespace weft::inline v0
