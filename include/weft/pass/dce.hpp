// SPDX-License-Identifier: BSL-1.0
// dce: keeps what the outputs of the program need. Of a loop that stays, the ys nobody gets, the
// xs and constants nobody reads, and the carries that feed only themselves or each other go too;
// results and parameters are numbered anew. The carry that decides about steps stays.
// Needs: a verified graph. Leaves: inputs of the program as declared, used or not; regions, shapes
// and attributes without dead ones; a node that gives a needed name stays. Linear, but for dead nodes
// that give names: each that is kept costs a sweep. Stands last.
#pragma once

#include <weft/graph/derived_names.hpp>
#include <weft/op/table.hpp>
#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

// Which nodes, and which results of loops, somebody needs.
class liveness {
public:
  growing<char> node_lives, output_lives; // by node id; by place in g.operands

  constexpr explicit liveness(graph_view g)
      : node_lives(g.size(), 0), output_lives(g.operands.size(), 0), g_(g) {
    for (int id : g.parameters_of(0)) mark(id);
    for (int id : g.outputs_of(0)) mark(id);
    follow_all();
    if (has_names(g)) keep_names();
  }
  constexpr bool result_lives(int body, int k) const {
    return output_lives[g_.regions[body].first_output + k] != 0;
  }
  constexpr bool parameter_lives(int body, int k) const {
    return node_lives[g_.parameters_of(body)[k]] != 0;
  }

private:
  constexpr void follow_all() {
    while (!pending_.empty()) {
      int id = pending_.back();
      pending_.pop();
      follow(id);
    }
  }
  // A name that is needed and that neither an input nor a live node gives is given by a dead node,
  // which stays for it.
  constexpr void keep_names() {
    growing<int> dead_givers;
    for (int id = 0; id < g_.size(); ++id)
      if (!node_lives[id] && gives_name(g_, id)) dead_givers.push(id);
    if (dead_givers.empty()) return;
    while (keep_one(dead_givers, missing_names())) follow_all();
  }
  constexpr growing<extent> missing_names() const {
    growing<extent> known, missing;
    for (int id : g_.parameters_of(0)) note(known, g_.shape(id));
    for (int id = 0; id < g_.size(); ++id)
      if (node_lives[id] && gives_name(g_, id)) note_given(known, id);
    for (int id = 0; id < g_.size(); ++id) {
      if (!node_lives[id]) continue;
      for (int i = 0; i < g_.shape(id).rank; ++i)
        if (extent const e = g_.shape(id)[i]; is_named(e) && !has(known, e)) missing.push(e);
      if (g_[id].code == op::scan)
        if (extent const e = loop_of(g_, id).length; is_named(e) && !has(known, e)) missing.push(e);
    }
    return missing;
  }
  constexpr bool keep_one(view<int> givers, view<extent> missing) {
    if (missing.empty()) return false;
    for (int id : givers) {
      if (node_lives[id] || !region_lives(g_[id].region)) continue;
      growing<extent> given;
      note_given(given, id);
      for (extent e : given)
        if (has(missing, e)) return mark(id), true;
    }
    return false;
  }
  constexpr bool region_lives(int r) const {
    return r == 0 || node_lives[g_.regions[r].owner] != 0;
  }
  static constexpr bool has(view<extent> names, extent e) {
    for (extent n : names)
      if (n == e) return true;
    return false;
  }
  static constexpr void note(growing<extent>& names, extents const& s) {
    for (int i = 0; i < s.rank; ++i)
      if (is_named(s[i]) && !has(names, s[i])) names.push(s[i]);
  }
  // The names that node `id` has and its operands lack.
  constexpr void note_given(growing<extent>& names, int id) const {
    extents given;
    for (int i = 0; i < g_.shape(id).rank; ++i) {
      extent const e = g_.shape(id)[i];
      bool taken = !is_named(e);
      for (int x : g_.operands_of(id)) taken |= times(g_.shape(x), e) > 0;
      if (!taken) given.push(e);
    }
    note(names, given);
  }
  constexpr void mark(int id) {
    char& lives = node_lives.data()[id];
    if (lives) return;
    lives = 1;
    pending_.push(id);
  }
  constexpr int number_in(int id) const { return static_cast<int>(g_.attribute(id, 0)); }
  constexpr void follow(int id) {
    node const& n = g_.nodes.first[id];
    if (n.code == op::parameter) follow_parameter(n.region, number_in(id));
    else if (n.code == op::get) follow_get(g_.operand(id, 0), number_in(id));
    else if (has_condition(n.code)) mark_result(id, 0);
    else if (n.body < 0) { // a loop's operands are marked by what its body reads
      int const* operands = g_.operands.first + n.first_operand;
      for (int k = 0; k < n.operand_count; ++k) mark(operands[k]);
    }
  }
  constexpr void follow_get(int from, int k) {
    mark(from);
    int body = g_[from].body;
    if (body >= 0) mark_result(from, k);
  }
  constexpr void mark_result(int owner, int k) {
    int body = g_[owner].body;
    char& lives = output_lives[g_.regions[body].first_output + k];
    if (lives) return;
    lives = 1;
    mark(g_.outputs_of(body)[k]);
    if (k < loop_of(g_, owner).carries) mark(g_.parameters_of(body)[k]);
  }
  constexpr void follow_parameter(int r, int k) {
    int owner = g_.regions[r].owner;
    if (owner < 0) return;
    mark(g_.operand(owner, k));
    if (k < loop_of(g_, owner).carries) mark_result(owner, k);
  }
  graph_view g_;
  growing<int> pending_;
};

class eliminator {
public:
  constexpr explicit eliminator(graph_view g) : g_(g), live_(g), map_(g.size(), -1) {
    regions_.assign(g.regions.size(), -1);
    shapes_.assign(g.shapes.size(), -1);
    numbers_.assign(g.operands.size(), 0);
    result_.copy_tables(g);
    result_.inputs = growing<input_info>(g.inputs);
    result_.nodes.reserve(g.size());
    keep_regions();
    for (int i = 0; i < g.size(); ++i)
      if (live_.node_lives.data()[i]) map_.data()[i] = copy(i);
    set_program_lists();
  }
  constexpr graph take() { return std::move(result_); }

private:
  constexpr void keep_regions() {
    for (int r = 0; r < g_.regions.size(); ++r) {
      region const& old = g_.regions[r];
      if (r > 0 && !live_.node_lives[old.owner]) continue;
      regions_[r] = result_.add_region(r > 0 ? regions_[old.parent] : -1);
      int parameters = 0, outputs = 0;
      for (int k = 0; k < old.parameter_count; ++k) {
        numbers_[old.first_parameter + k] = parameters;
        parameters += live_.parameter_lives(r, k);
      }
      for (int k = 0; k < old.output_count; ++k) {
        numbers_[old.first_output + k] = outputs;
        outputs += live_.result_lives(r, k);
      }
    }
  }
  constexpr int copy(int i) {
    node n = g_.nodes.first[i];
    if (n.body >= 0) return copy_loop(i);
    int const* operands = g_.operands.first + n.first_operand;
    extent const* attributes = g_.attributes.first + n.first_attribute;
    n.first_operand = result_.operands.size();
    for (int k = 0; k < n.operand_count; ++k) result_.operands.push(map_.data()[operands[k]]);
    n.first_attribute = result_.attributes.size();
    for (int k = 0; k < n.attribute_count; ++k) result_.attributes.push(attributes[k]);
    if (n.code == op::parameter || n.code == op::get) result_.attributes.back() = number_of(i);
    return put(n);
  }
  constexpr int put(node n) {
    int& shape = shapes_.data()[n.shape];
    if (shape < 0) shape = result_.intern(g_.shapes[n.shape]);
    n.shape = shape;
    n.region = regions_.data()[n.region];
    result_.nodes.push(n);
    return result_.nodes.size() - 1;
  }
  // What a parameter or a get is called when the dead ones before it are gone.
  constexpr extent number_of(int i) const {
    int k = static_cast<int>(g_.attribute(i, 0));
    if (g_[i].code == op::parameter) return numbers_[g_.regions[g_[i].region].first_parameter + k];
    int body = g_[g_.operand(i, 0)].body;
    return body < 0 ? k : numbers_[g_.regions[body].first_output + k];
  }
  constexpr int copy_loop(int i) {
    node n = g_[i];
    int body = n.body, new_body = regions_[body];
    loop l = loop_of(g_, i), kept{.length = l.length,
                                  .reverse = l.reverse,
                                  .unroll = l.unroll,
                                  .save = l.save,
                                  .role = l.role};
    growing<int> operands, parameters, outputs;
    for (int k = 0; k < n.operand_count; ++k) {
      if (!live_.parameter_lives(body, k)) continue;
      operands.push(map_[g_.operand(i, k)]);
      parameters.push(map_[g_.parameters_of(body)[k]]);
      if (k < l.carries) ++kept.carries;
      else if (k < l.carries + l.xs) ++kept.xs;
    }
    for (int k = 0; k < l.carries + l.ys; ++k)
      if (live_.result_lives(body, k)) outputs.push(map_[g_.outputs_of(body)[k]]);
    kept.ys = outputs.size() - kept.carries;
    result_.set_parameters(new_body, parameters);
    result_.set_outputs(new_body, outputs);
    n.body = new_body;
    n.first_operand = result_.operands.size();
    n.operand_count = operands.size();
    result_.operands.append(operands);
    n.first_attribute = result_.attributes.size();
    growing<extent> attributes = encode(kept);
    n.attribute_count = attributes.size();
    result_.attributes.append(attributes);
    return result_.regions[new_body].owner = put(n);
  }
  constexpr void set_program_lists() {
    growing<int> parameters, outputs;
    for (int id : g_.parameters_of(0)) parameters.push(map_[id]);
    for (int id : g_.outputs_of(0)) outputs.push(map_[id]);
    result_.set_parameters(0, parameters);
    result_.set_outputs(0, outputs);
  }

  graph_view g_;
  liveness live_;
  growing<int> map_, regions_, shapes_; // old index -> new
  growing<int> numbers_;                // by place in g.operands: of parameters and outputs
  graph result_;
};

} // namespace detail

constexpr graph dce(graph_view g) { return detail::eliminator(g).take(); }

} // namespace weft::inline v0
