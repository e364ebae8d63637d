// SPDX-License-Identifier: BSL-1.0
// lift_constants: large tables of a graph's constants become inputs, behind the others, so that a
// module's text does not hold them; their elements are given back under names. Small ones and
// single numbers stay. A table that several nodes read is one input.
// Needs: a graph that verify accepts. Leaves: a graph of the same meaning when it is given what it
// had and then the constants in their order; the words of lifted tables are not in it.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/graph/graph.hpp>

namespace weft::inline v0::stablehlo {

struct lifted_constant {
  message name; // "constant.0"
  dense data;
};
struct lifted_graph {
  graph program;
  growing<lifted_constant> constants;
};

namespace detail {

class constant_lifter {
public:
  constexpr constant_lifter(graph_view g, extent threshold)
      : g_(g), threshold_(threshold), input_of_(g.size(), -1), moved_(g.size(), -1) {}

  constexpr lifted_graph lifted() {
    lifted_graph r;
    find_tables(r);
    graph& to = r.program;
    for (region const& x : g_.regions) to.regions.push({x.parent, -1});
    to.inputs = growing<input_info>(g_.inputs);
    to.hosts = growing<host_function const*>(g_.hosts);
    add_inputs(to, r.constants);
    for (int id = 0; id < g_.size(); ++id)
      if (moved_[id] < 0 && !is_argument(id)) moved_[id] = copied(to, id);
    set_lists(to);
    return r;
  }

private:
  constexpr bool is_argument(int id) const {
    return g_[id].code == op::parameter && g_[id].region == 0;
  }
  constexpr bool is_large(int id) const {
    return g_[id].code == op::constant && g_[id].attribute_count == 2 &&
           count_of(g_.shape(id)) >= threshold_;
  }
  // input_of_[id]: which lifted constant node id is.
  constexpr void find_tables(lifted_graph& r) {
    growing<int> firsts; // the first node of each
    for (int id = 0; id < g_.size(); ++id) {
      if (!is_large(id)) continue;
      int at = 0;
      while (at < firsts.size() && !is_same(firsts[at], id)) ++at;
      input_of_[id] = at;
      if (at < firsts.size()) continue;
      firsts.push(id);
      lifted_constant c{message(), dense(g_[id].type, g_.shape(id))};
      c.name.add("constant.").add(at);
      for (int i = 0; i < c.data.size(); ++i)
        c.data[i] = g_.constants[static_cast<int>(g_.attribute(id, 0)) + i];
      r.constants.push(c);
    }
  }
  constexpr bool is_same(int a, int b) const {
    return g_[a].type == g_[b].type && g_.shape(a) == g_.shape(b) &&
           g_.attribute(a, 0) == g_.attribute(b, 0);
  }
  // All arguments stand first, so that every body can capture those that are new.
  constexpr void add_inputs(graph& to, growing<lifted_constant> const& constants) {
    for (int id : g_.parameters_of(0)) moved_[id] = copied(to, id);
    for (int i = 0; i < constants.size(); ++i) {
      extent const number = g_.inputs.size() + i;
      node n{.code = op::parameter, .type = constants[i].data.type};
      n.shape = to.intern(constants[i].data.shape);
      inputs_.push(to.add(n, {}, {&number, 1}));
      to.inputs.push({-1, i, false});
    }
    for (int id = 0; id < g_.size(); ++id)
      if (input_of_[id] >= 0 && g_[id].region == 0) moved_[id] = inputs_[input_of_[id]];
  }
  constexpr int copied(graph& to, int id) {
    node n = g_[id];
    n.shape = to.intern(g_.shape(id));
    growing<extent> attributes(g_.attributes_of(id));
    if (input_of_[id] >= 0) return captured(to, input_of_[id], n.region);
    if (n.code == op::constant && n.attribute_count == 2) {
      attributes[0] = to.constants.size();
      to.constants.append(g_.constants.part(static_cast<int>(g_.attribute(id, 0)),
                                            static_cast<int>(count_of(g_.shape(id)))));
    }
    growing<int> operands;
    for (int x : g_.operands_of(id)) operands.push(moved_[x]);
    for (int i = 0; n.body >= 0 && i < captures_.size(); ++i)
      if (captures_[i].region == n.body) operands.push(captured(to, captures_[i].input, n.region));
    int const made = to.add(n, operands, attributes);
    if (n.body >= 0) to.regions[n.body].owner = made;
    return made;
  }
  // An input inside a region: a parameter behind the body's own, once, of it and of every region
  // around it, the outer ones first.
  constexpr int captured(graph& to, int input, int r) {
    if (r == 0) return inputs_[input];
    int own = g_.parameters_of(r).size();
    for (capture const& c : captures_) {
      if (c.region != r) continue;
      if (c.input == input) return c.node;
      ++own;
    }
    captured(to, input, g_.regions[r].parent);
    node n = to.nodes[inputs_[input]];
    n.region = r;
    extent const number = own;
    int const made = to.add(n, {}, {&number, 1});
    captures_.push({r, input, made});
    return made;
  }
  constexpr void set_lists(graph& to) {
    for (int r = 0; r < g_.regions.size(); ++r) {
      growing<int> parameters, outputs;
      for (int id : g_.parameters_of(r)) parameters.push(moved_[id]);
      if (r == 0) parameters.append(inputs_);
      for (capture const& c : captures_)
        if (c.region == r) parameters.push(c.node);
      for (int id : g_.outputs_of(r)) outputs.push(moved_[id]);
      to.set_outputs(r, outputs);
      to.set_parameters(r, parameters);
    }
  }

  struct capture {
    int region = 0, input = 0, node = 0;
  };
  graph_view g_;
  extent threshold_;
  growing<int> input_of_, moved_, inputs_;
  growing<capture> captures_;
};

} // namespace detail

// `threshold`: the number of elements from which on a table is lifted.
constexpr lifted_graph lift_constants(graph_view g, extent threshold) {
  return detail::constant_lifter(g, threshold).lifted();
}

} // namespace weft::inline v0::stablehlo
