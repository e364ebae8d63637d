// SPDX-License-Identifier: BSL-1.0
// hoist: out of loops.
//   what depends on constants of the loop alone is computed before it (casts of weights above all)
//   and becomes a constant; so does a carry that never changes;
//   a product of a per-step value with a constant, x_t W, is computed for all steps at once: one
//   contraction with a leading label, whose result the loop reads as one of its xs. The order of
//   its additions is kept as recorded, so no bit changes.
// hoist_survey.hpp says what pays. Nothing that leaves traps, so a loop of length 0 may be hoisted from.
// Needs: a verified graph in which operand k of a loop precedes parameter k of its body.
// Leaves: constants of loops bound anew (splats and broadcasts are made inside, not passed);
// unused parameters and ys (dce takes them). One linear round per level of nesting, each of which
// moves per-step products out by one loop. Stands before cse, which merges what left two loops.
#pragma once

#include <weft/pass/hoist_survey.hpp>
#include <weft/pass/leading_axis.hpp>

namespace weft::inline v0 {
namespace detail {

class hoister {
public:
  constexpr hoister(graph_view g, hoist_survey const& facts)
      : g_(g), facts_(facts), map_(g.size(), -1), place_(g.size(), -1), stacked_(g.size(), -1),
        elsewhere_(g.size(), -1), numbers_(g.operands.size(), 0), loops_(g.regions.size()) {
    result_.shapes = growing<extents>(g.shapes);
    result_.regions = growing<region>(g.regions);
    result_.copy_tables(g);
    result_.inputs = growing<input_info>(g.inputs);
    result_.nodes.reserve(g.size());
    for (int i = 0; i < g.size(); ++i)
      if (facts.same.data()[i] == i) emit(i);
    growing<int> parameters, outputs;
    for (int id : g.parameters_of(0)) parameters.push(map_[id]);
    for (int id : g.outputs_of(0)) outputs.push(use(id, 0));
    result_.set_parameters(0, parameters);
    result_.set_outputs(0, outputs);
  }
  constexpr graph take() { return std::move(result_); }

private:
  // What a body gains: new constants and new xs, as (value in the parent, parameter).
  struct bound_value {
    int value, parameter;
  };
  struct gained {
    growing<bound_value> constants, xs;
  };
  struct copy_of {
    int region, id, next;
  };

  constexpr void emit(int i) {
    node const& n = g_.nodes.first[i];
    if (n.body >= 0) return emit_loop(i);
    if (facts_.wanted.data()[i]) {
      stacked_[i] = emit_stacked(i);
      if (n.code == op::contract) return read_as_x(i);
    }
    if (n.code == op::parameter) declare_operand(i);
    int r = facts_.cheap.data()[i] ? n.region : facts_.home.data()[i];
    place_.data()[i] = r;
    map_.data()[i] = emit_in(i, r);
  }
  // What a carry or an x is bound to is known in the parent before the parameter appears.
  constexpr void declare_operand(int i) {
    int r = g_[i].region, owner = g_.regions[r].owner;
    if (owner < 0) return;
    use(g_.operand(owner, static_cast<int>(g_.attribute(i, 0))), g_.regions[r].parent);
  }
  // Node i in region r, over its operands as they are known there.
  constexpr int emit_in(int i, int r) {
    node n = g_.nodes.first[i];
    int const* old = g_.operands.first + n.first_operand;
    int operands[4]{};
    if (n.operand_count > 4) return put(n, r, used(g_.operands_of(i), r), g_.attributes_of(i));
    for (int k = 0; k < n.operand_count; ++k) operands[k] = use(old[k], r);
    int id = put(n, r, {operands, n.operand_count}, g_.attributes_of(i));
    if (n.code == op::get && g_[old[0]].body >= 0) {
      int place = g_.regions[g_[old[0]].body].first_output + static_cast<int>(g_.attribute(i, 0));
      result_.attributes.back() = numbers_[place];
    }
    return id;
  }
  constexpr int put(node n, int r, view<int> operands, view<extent> attributes) {
    n.region = r;
    return result_.add(n, operands, attributes);
  }
  constexpr growing<int> used(view<int> ids, int r) {
    growing<int> all;
    for (int id : ids) all.push(use(id, r));
    return all;
  }

  // The id by which region r knows old node i: made there if cheap, else handed in from its parent.
  constexpr int use(int i, int r) {
    i = facts_.same.data()[i];
    if (place_.data()[i] == r) return map_.data()[i];
    for (int c = elsewhere_[i]; c >= 0; c = copies_[c].next)
      if (copies_[c].region == r) return copies_[c].id;
    int id = facts_.cheap[i] ? emit_in(i, r) : hand_in(use(i, g_.regions[r].parent), r);
    copies_.push({r, id, elsewhere_[i]});
    elsewhere_[i] = copies_.size() - 1;
    return id;
  }
  constexpr int hand_in(int value, int r) {
    node const& n = result_[value];
    int p = parameter(r, n.type, n.shape);
    loops_[r].constants.push({value, p});
    return p;
  }
  // Numbered when its loop is emitted.
  constexpr int parameter(int r, dtype type, int shape) {
    extent number[] = {0};
    return put({.code = op::parameter, .type = type, .shape = shape}, r, {}, {number, 1});
  }
  constexpr void read_as_x(int i) {
    node const& n = g_[i];
    place_[i] = n.region;
    map_[i] = parameter(n.region, n.type, n.shape);
    loops_[n.region].xs.push({stacked_[i], map_[i]});
  }

  constexpr void emit_loop(int i) {
    node n = g_[i];
    loop l = loop_of(g_, i), after{.ys = l.ys,
                                   .length = l.length,
                                   .reverse = l.reverse,
                                   .unroll = l.unroll,
                                   .save = l.save,
                                   .role = l.role};
    growing<int> operands, parameters, outputs;
    for (int k = 0; k < l.carries + l.xs + l.ys; ++k) {
      if (k < l.carries + l.ys) numbers_[g_.regions[n.body].first_output + k] = outputs.size();
      int p = k < l.carries + l.xs ? g_.parameters_of(n.body)[k] : -1;
      bool unchanging = k < l.carries && facts_.same[p] != p;
      if (k < l.carries + l.ys && !unchanging) outputs.push(use(g_.outputs_of(n.body)[k], n.body));
      if (p < 0 || unchanging) continue;
      operands.push(use(g_.operand(i, k), n.region));
      parameters.push(map_[p]);
      ++(k < l.carries ? after.carries : after.xs);
    }
    after.xs += loops_[n.body].xs.size();
    for (auto const* gains : {&loops_[n.body].xs, &loops_[n.body].constants})
      for (bound_value const& b : *gains) {
        operands.push(b.value);
        parameters.push(b.parameter);
      }
    for (int k = 0; k < parameters.size(); ++k)
      result_.attributes[result_[parameters[k]].first_attribute] = k;
    result_.set_parameters(n.body, parameters);
    result_.set_outputs(n.body, outputs);
    place_[i] = n.region;
    map_[i] = put(n, n.region, operands, encode(after));
    result_.regions[n.body].owner = map_[i];
  }

  // All steps at once: every per-step operand is stacked, an axis in front counts the steps.
  constexpr int emit_stacked(int i) {
    node n = g_[i];
    extent length = loop_of(g_, g_.regions[n.region].owner).length;
    bool product = n.code == op::contract;
    growing<int> operands;
    for (int k = 0; k < n.operand_count; ++k) {
      int o = facts_.same[g_.operand(i, k)];
      bool constant = facts_.constant_in(n.region, o), as_it_is = product && k < 2;
      operands.push(constant ? repeated(o, n.region, as_it_is, length) : stack_of(o));
    }
    n.shape = result_.intern(with_leading(length, g_.shape(i)));
    return put(n, g_.regions[n.region].parent, operands, stacked_attributes(i, length));
  }
  constexpr int stack_of(int o) {
    if (stacked_[o] >= 0) return stacked_[o];
    int r = g_[o].region; // one of the xs
    int x = g_.operand(g_.regions[r].owner, static_cast<int>(g_.attribute(o, 0)));
    return use(x, g_.regions[r].parent);
  }
  // A constant of the loop r: as it is, or once for every step.
  constexpr int repeated(int o, int r, bool as_it_is, extent length) {
    int parent = g_.regions[r].parent, id = use(o, parent);
    if (as_it_is) return id;
    node n = result_[id];
    extents to = with_leading(length, result_.shape(id));
    growing<extent> map;
    for (int k = 1; k < to.rank; ++k) map.push(k);
    n = {.code = op::broadcast, .type = n.type, .shape = result_.intern(to)};
    return put(n, parent, {&id, 1}, map);
  }
  constexpr growing<extent> stacked_attributes(int i, extent length) const {
    if (g_[i].code == op::contract) return stacked_contraction(i);
    return led_attributes(g_[i].code, g_.attributes_of(i), length);
  }
  constexpr growing<extent> stacked_contraction(int i) const {
    auto const differs = [&](int k) {
      return !facts_.constant_in(g_[i].region, facts_.same[g_.operand(i, k)]);
    };
    return encode(with_outer_label(contraction_of(g_, i), differs(0), differs(1)));
  }

  graph_view g_;
  hoist_survey const& facts_;
  graph result_;
  growing<int> map_, place_; // of an old node: its new id, and the region of that
  growing<int> stacked_;     // of a per-step node: all steps, in the parent region
  growing<int> elsewhere_;   // of an old node: first of its copies in other regions
  growing<copy_of> copies_;
  growing<int> numbers_;  // by place in g.operands, of a body's outputs: the result's number
  growing<gained> loops_; // by region
};

} // namespace detail

constexpr graph hoist(graph_view g) {
  if (g.regions.size() == 1) return thaw(g);
  detail::hoist_survey facts(g);
  graph r = detail::hoister(g, facts).take();
  for (int level = facts.deepest(); level > 1; --level)
    r = detail::hoister(r, detail::hoist_survey(r)).take();
  return r;
}

} // namespace weft::inline v0
