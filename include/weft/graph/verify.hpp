// SPDX-License-Identifier: BSL-1.0
// verify: is this graph sound? The invariants of graph.hpp, then each node's types, attributes and
// shapes. Needs: nothing; any numbers may stand in the arrays. Leaves: the first rule that is
// broken and the node that breaks it (-1: no node in particular), or none. Never throws; works in
// constant evaluation; one sweep; numbers are bounded (limits.hpp) before any arithmetic. What
// depends on the numbers of named extents is left to the run.
#pragma once

#include <weft/graph/results.hpp>
#include <weft/graph/rules.hpp>
#include <weft/graph/verify_shapes.hpp>

namespace weft::inline v0 {

struct verify_error {
  rule broken = rule::unbroken;
  int node = -1;

  constexpr explicit operator bool() const { return broken != rule::unbroken; }
};

namespace detail {

class verifier {
public:
  constexpr explicit verifier(graph_view g) : g_(g) {}

  constexpr verify_error first_error() {
    if (g_.regions.empty()) return {rule::graph_1};
    for (extents const& s : g_.shapes)
      if (!is_shape(s)) return {rule::graph_6};
    for (int id = 0; id < g_.size(); ++id)
      if (rule r = ranges(id); r != rule::unbroken) return {r, id};
    if (!fits_together()) return {rule::graph_13};
    for (int r = 0; r < g_.regions.size(); ++r)
      if (verify_error e = region_error(r)) return e;
    count_wide_words();
    for (int id = 0; id < g_.size(); ++id)
      if (rule r = node_rule(id); r != rule::unbroken) return {r, id};
    return {};
  }

private:
  static constexpr bool inside(int first, int count, int size) {
    return 0 <= first && 0 <= count && first <= size && count <= size - first;
  }
  static constexpr bool is_shape(extents const& s) {
    if (s.rank < 0 || s.rank > max_rank) return false;
    for (int i = 0; i < s.rank; ++i)
      if (!is_extent(s[i])) return false;
    return elements_of(s) >= 0;
  }
  // Needs: shapes and ranges.
  constexpr bool fits_together() const {
    extent sum = 0;
    for (int id = 0; id < g_.size() && sum <= most_together; ++id) sum += elements_of(g_.shape(id));
    return sum <= most_together;
  }
  constexpr bool is_deep(int r) const {
    int depth = 0;
    while (r > 0 && depth <= most_nested) r = g_.regions[r].parent, ++depth;
    return depth > most_nested;
  }

  // Nothing below reads outside an array once these hold.
  constexpr rule ranges(int id) const {
    node const& n = g_[id];
    bool const known = static_cast<int>(n.code) < op_count &&
                       static_cast<int>(n.type) < dtype_count;
    if (!known || !inside(n.shape, 1, g_.shapes.size()) ||
        !inside(n.region, 1, g_.regions.size()) || n.body < -1 || n.body >= g_.regions.size() ||
        !inside(n.first_operand, n.operand_count, g_.operands.size()) ||
        !inside(n.first_attribute, n.attribute_count, g_.attributes.size()))
      return rule::graph_2;
    return rule::unbroken;
  }
  constexpr verify_error region_error(int r) const {
    region const& at = g_.regions[r];
    bool const program = r == 0;
    if (program ? at.parent != -1 || at.owner != -1 : at.parent < 0 || at.parent >= r)
      return {rule::graph_1, at.owner};
    if (is_deep(r)) return {rule::graph_14, at.owner};
    if (!inside(at.first_parameter, at.parameter_count, g_.operands.size()) ||
        !inside(at.first_output, at.output_count, g_.operands.size()))
      return {rule::graph_2, at.owner};
    if (!program && (!inside(at.owner, 1, g_.size()) || g_[at.owner].body != r ||
                     g_[at.owner].region != at.parent))
      return {rule::graph_8, at.owner};
    if (rule broken = list_rule(r); broken != rule::unbroken) return {broken, at.owner};
    if (program && g_.inputs.size() != at.parameter_count) return {rule::graph_12};
    return {};
  }
  constexpr bool lives_in(int id, int r) const {
    return 0 <= id && id < g_.size() && g_[id].region == r;
  }
  constexpr rule list_rule(int r) const {
    view<int> const parameters = g_.parameters_of(r);
    for (int i = 0; i < parameters.size(); ++i)
      if (!lives_in(parameters[i], r) || g_[parameters[i]].code != op::parameter ||
          g_[parameters[i]].attribute_count != 1 || g_.attribute(parameters[i], 0) != i)
        return rule::graph_10;
    for (int id : g_.outputs_of(r))
      if (!lives_in(id, r) || has_several_results(g_[id].code)) return rule::graph_11;
    return rule::unbroken;
  }

  constexpr rule node_rule(int id) const {
    node const& n = g_[id];
    for (int operand : g_.operands_of(id))
      if (operand >= id || !lives_in(operand, n.region)) return rule::graph_3;
    if (!has_operand_count(id)) return rule::graph_4;
    if (!has_attribute_count(id)) return rule::graph_5;
    for (int operand : g_.operands_of(id))
      if (n.code != op::get && has_several_results(g_[operand].code)) return rule::graph_7;
    if (rule r = body_rule(id); r != rule::unbroken) return r;
    if (n.code == op::parameter && !is_listed(id)) return rule::graph_10;
    if (rule r = type_rule_of(id); r != rule::unbroken) return r;
    if (rule r = shape_rules(g_).of(id); r != rule::unbroken) return r;
    return is_table(id) && !words_fit(id) ? rule::constant_1 : rule::unbroken;
  }
  constexpr bool is_table(int id) const {
    return g_[id].code == op::constant && g_[id].attribute_count == 2;
  }
  // Which of `widths` a type has; 4: words of 64 bits, which all fit.
  static constexpr int width_of(dtype type) {
    int k = 0;
    while (k < 4 && storage_mask(widths[k]) != storage_mask(type)) ++k;
    return k;
  }
  // A table costs two looks, however many nodes read its words; only widths that one has are counted.
  constexpr void count_wide_words() {
    for (int id = 0; id < g_.size(); ++id) {
      int const k = is_table(id) ? width_of(g_[id].type) : 4;
      if (k == 4 || !wide_[k].empty()) continue;
      int count = 0;
      wide_[k].push(0);
      for (word w : g_.constants) wide_[k].push(count += w > storage_mask(widths[k]));
    }
  }
  constexpr bool words_fit(int id) const {
    int const first = static_cast<int>(g_.attribute(id, 0)),
              last = first + static_cast<int>(count_of(g_.shape(id)));
    int const k = width_of(g_[id].type);
    return k == 4 || wide_[k][first] == wide_[k][last];
  }
  constexpr bool has_operand_count(int id) const {
    node const& n = g_[id];
    switch (n.code) {
      case op::concat: return true;                        // concat_1
      case op::dynamic_slice: return n.operand_count >= 1; // then dynamic_slice_1
      case op::dynamic_update_slice: return n.operand_count >= 2;
      case op::contract:
      case op::convolve: return n.operand_count >= 2; // then contract_1, convolve_1
      case op::custom_call:
      case op::arg_sort: return true; // then custom_call_1, arg_sort_1
      case op::while_loop:
      case op::cond:
      case op::scan: return true; // then scan_1
      default: return n.operand_count == info_of(n.code).arity;
    }
  }
  constexpr bool has_attribute_count(int id) const {
    node const& n = g_[id];
    switch (n.code) {
      case op::constant: return n.attribute_count == 1 || n.attribute_count == 2;
      case op::parameter:
      case op::iota:
      case op::get:
      case op::reverse:
      case op::concat:
      case op::reduce_sum:
      case op::reduce_max:
      case op::reduce_min:
      case op::reduce_prod: return n.attribute_count == 1;
      case op::broadcast:
      case op::transpose: return n.attribute_count == g_.shape(g_.operand(id, 0)).rank;
      case op::slice:
      case op::pad: return n.attribute_count == 3 * g_.shape(g_.operand(id, 0)).rank;
      case op::shard: return n.attribute_count >= g_.shape(g_.operand(id, 0)).rank; // then shard_1
      case op::window:
      case op::overlap_add: return n.attribute_count > 0 && n.attribute_count % 4 == 0;
      case op::contract: return n.attribute_count >= 4; // then contract_1
      case op::convolve: return n.attribute_count >= convolution_head;
      case op::arg_reduce:
      case op::arg_sort: return n.attribute_count == 2;
      case op::rank: return n.attribute_count == 3;
      case op::gather:
      case op::scatter: return n.attribute_count >= gather_head; // then gather_1
      case op::observe: return n.attribute_count >= 1;           // then observe_1
      case op::collective: return n.attribute_count >= collective_head;
      case op::custom_call: return n.attribute_count >= custom_call_head; // then custom_call_1
      case op::while_loop:
      case op::cond: return n.attribute_count == 5;
      case op::scan: return n.attribute_count >= 5 && n.attribute_count <= 8;
      default: return n.attribute_count == 0;
    }
  }
  constexpr bool is_listed(int id) const {
    view<int> const list = g_.parameters_of(g_[id].region);
    extent const i = g_.attribute(id, 0);
    return 0 <= i && i < list.size() && list[static_cast<int>(i)] == id;
  }
  constexpr rule body_rule(int id) const {
    node const& n = g_[id];
    if ((info_of(n.code).kind == op_kind::loop) != (n.body >= 0)) return rule::graph_8;
    if (n.region != 0 && id > g_.regions[n.region].owner) return rule::graph_9;
    if (n.body < 0) return rule::unbroken;
    if (n.body == 0 || g_.regions[n.body].owner != id) return rule::graph_8;
    view<int> const parameters = g_.parameters_of(n.body);
    for (int i = 0; i < parameters.size() && i < n.operand_count; ++i)
      if (parameters[i] < g_.operand(id, i)) return rule::graph_9;
    return rule::unbroken;
  }

  // Starts of windows and indices have a type of their own: dynamic_slice_1, gather_2.
  constexpr int typed_operands(int id) const {
    switch (g_[id].code) {
      case op::arg_sort: // keys of any types
      case op::gather:
      case op::dynamic_slice: return 1;
      case op::scatter:
      case op::dynamic_update_slice:
      case op::contract:
      case op::convolve: return 2;
      default: return g_[id].operand_count;
    }
  }
  constexpr rule type_rule_of(int id) const {
    node const& n = g_[id];
    op_info const& info = info_of(n.code);
    if (has_result_list(n.code) || n.code == op::get)
      return rule::unbroken; // scan_3, scan_4, get_2, custom_call_1
    if (info.kind == op_kind::source)
      return accepts(info.accepts, n.type) ? rule::unbroken : rule::type_1;
    if (n.operand_count == 0) return rule::unbroken; // concat_1
    int const typical = typical_operand(n.code);
    dtype const in = g_[g_.operand(id, typical)].type;
    if (!accepts(info.accepts, in)) return rule::type_1;
    for (int k = 0; k < typed_operands(id); ++k)
      if (g_[g_.operand(id, k)].type != (k < typical ? dtype::boolean : in)) return rule::type_2;
    if (info.result == type_rule::own) return rule::unbroken; // contract_6, arg_sort_2 ...
    if (n.code == op::bitcast && size_of(in) != size_of(n.type)) return rule::bitcast_1;
    bool const right = info.kind == op_kind::elementwise ? is_typed(n.code, in, n.type)
                                                         : n.type == in;
    return right ? rule::unbroken : rule::type_3;
  }

  static constexpr dtype widths[] = {dtype::boolean, dtype::u8, dtype::u16, dtype::u32};
  graph_view g_;
  growing<int> wide_[4]; // [k][i]: words before word i that need more than widths[k] has
};

} // namespace detail

constexpr verify_error verify(graph_view g) { return detail::verifier(g).first_error(); }

} // namespace weft::inline v0
