// SPDX-License-Identifier: BSL-1.0
// partition_writer: the program of one rank, node by node. Every node is computed from operands in the
// shardings that its choice asks for, whatever stands there: right by construction, and cheap where
// the plan was good. Partial results keep the accumulation type and are rounded when they are combined:
// the rounding points are the global program's.
// Needs: a plan. Leaves: nodes of region 0 and of all bodies in the recorder.
#pragma once

#include <weft/pass/partition_values.hpp>

namespace weft::inline v0 {
namespace detail {

class partition_writer {
public:
  constexpr partition_writer(graph_view g, mesh_axes const& mesh, recorder& r,
                             sharding_plan const& plan)
      : v(g, mesh, r, plan), g_(g), r_(r), plan_(plan), order_(nodes_by_region(g)),
        result_(g.size()), result_value_(g.size()) {}

  local_values v;

  constexpr void write_inputs() {
    view<int> const parameters = g_.parameters_of(0);
    for (int k = 0; k < parameters.size(); ++k) {
      int const p = parameters[k];
      v.give(p, plan_.at(p), r_.input(g_[p].type, v.local(p, plan_.at(p).split), g_.inputs[k]));
    }
  }
  constexpr void write_region(int region) {
    for (int id : order_[region])
      if (g_[id].code != op::parameter) write(id);
  }
  // Where an output stands that no specification says.
  constexpr sharding as_found(int id) const {
    return v.is_known(id) && v.stands[id].partial == 0 ? v.stands[id].split : plan_.want[id];
  }

private:
  static constexpr bool is_made_where_wanted(op code) {
    return code == op::constant || code == op::iota;
  }
  constexpr void write(int id) {
    op const code = g_[id].code;
    v.user = id;
    r_.mark_as(g_[id]);
    if (is_made_where_wanted(code)) {
      v.stands[id] = {plan_.want[id]};
      return;
    }
    if (code == op::shard) {
      sharding const s = plan_.want[id];
      return v.give(id, {s}, v.need(g_.operand(id, 0), s));
    }
    if (code == op::get) return write_result(id);
    if (code == op::reshape) return write_reshape(id);
    if (is_loop(code)) return write_loop(id);
    if (plan_.forward.passes(id, v.stands) && write_partial(id)) return;
    node_choice const c = choose_labels({g_, id, v.stands, v.mesh, true, plan_.want[id]});
    write_chosen(id, c);
  }
  constexpr handle emitted(int id, dtype type, sharding s, view<handle> operands) {
    int const x = g_[id].operand_count > 0 ? g_.operand(id, 0) : -1;
    growing<extent> a(g_.attributes_of(id));
    if (x >= 0 && operands[0].where != nullptr && !has_several_results(g_[x].code))
      a = local_attributes(g_, id, g_.shape(x), operands[0].shape());
    return r_.emit(g_[id].code, type, v.local(id, s), operands, a);
  }
  constexpr void write_chosen(int id, node_choice const& c) {
    unsigned const partial = c.partial();
    dtype const type = partial != 0 ? partial_type(id) : g_[id].type;
    growing<handle> operands;
    for (int k = 0; k < g_[id].operand_count; ++k) operands.push(operand(id, k, c, partial));
    v.give(id, c.stands(), emitted(id, type, c.result(), operands));
  }
  // What ranks' parts of a sum or a product are kept in until they are combined.
  constexpr dtype partial_type(int id) const {
    op const code = g_[id].code;
    bool const sums = code == op::contract || code == op::convolve || code == op::reduce_sum ||
                      code == op::reduce_prod;
    return sums ? accumulator_of(g_[g_.operand(id, 0)].type) : g_[id].type;
  }
  constexpr handle operand(int id, int k, node_choice const& c, unsigned partial) {
    int const x = g_.operand(id, k);
    sharding const s = c.needed(k);
    if (partial != 0 && ((c.labels.once >> k) & 1) != 0) {
      bool const adds = v.is_known(x) && plan_.uses(x) == 1 && v.stands[x] == standing{s, partial};
      if (adds && v.as_computed(x).type() == g_[x].type) return v.as_computed(x);
      return v.once(v.need(x, s), partial);
    }
    handle const h = v.need(x, s);
    bool const widens = partial != 0 &&
                        (g_[id].code == op::reduce_sum || g_[id].code == op::reduce_prod);
    return widens ? weft::convert(h, partial_type(id)) : h;
  }
  // Of partial operands, without combining them yet; false if their parts lie otherwise.
  constexpr bool write_partial(int id) {
    standing s = v.stands[g_.operand(id, 0)];
    if (g_[id].code != op::add) {
      node_choice const c = choose_labels({g_, id, v.stands, v.mesh});
      if (!(c.needed(0) == s.split)) return false;
      s.split = c.result();
    }
    growing<handle> operands;
    for (int x : g_.operands_of(id)) operands.push(v.as_computed(x));
    v.give(id, s, emitted(id, operands[0].type(), s.split, operands));
    return true;
  }
  constexpr void write_reshape(int id) {
    int const x = g_.operand(id, 0);
    extents const &from = g_.shape(x), &to = g_.shape(id);
    standing const s = v.stands[x];
    reshaped_sharding const forth = reshaped(from, to, s.split, v.mesh);
    sharding const wish = merged(forth.result, plan_.want[id]);
    reshaped_sharding const back = reshaped(to, from, wish, v.mesh);
    bool const whole_wish = back.kept == wish &&
                            reshaped(from, to, back.result, v.mesh).result == wish;
    sharding const needed = whole_wish ? back.result : forth.kept;
    sharding const result = whole_wish ? wish : forth.result;
    bool const partial = v.is_known(x) && needed == s.split && plan_.forward.passes(id, v.stands);
    handle const h = partial ? v.as_computed(x) : v.need(x, needed);
    v.give(id, {result, partial ? s.partial : 0u, s.how}, weft::reshape(h, v.local(id, result)));
  }
  constexpr void write_result(int id) {
    int const x = g_.operand(id, 0), i = static_cast<int>(g_.attribute(id, 0));
    if (!is_loop(g_[x].code)) {
      sharding const s = g_[x].code == op::custom_call ? sharding{} : v.stands[x].split;
      return v.give(id, {s}, weft::get(v.as_computed(x), i, g_[id].type, v.local(id, s)));
    }
    loop const l = loop_of(g_, x);
    if (l.custom > 0) { // its results are its operands
      int const same = g_.operand(x, i);
      sharding const s = as_found(same);
      return v.give(id, {s}, without_rule(x, l, v.need(same, s)));
    }
    bool const is_carry = i < l.carries;
    int const from = is_carry ? g_.parameters_of(g_[x].body)[i] : g_.outputs_of(g_[x].body)[i];
    standing s = is_carry ? plan_.at(from) : result_[from];
    if (!is_carry) s.split = with_leading_axis(s.split);
    dtype const type = is_carry ? g_[id].type : result_value_[from].type();
    v.give(id, s, weft::get(v.as_computed(x), i, type, v.local(id, s.split)));
  }

  // The same value, of which no rank has the user's derivative any more: of its arguments and the
  // result, a scan of no step that returns what it is given, and tells a gradient so.
  constexpr handle without_rule(int id, loop const& of, handle result) {
    growing<handle> carries(2, result);
    for (int j = 2 * of.custom; j < of.carries; ++j)
      if (int const x = g_.operand(id, j); is_float(g_[x].type) && v.is_known(x))
        carries.push(r_.localised(v.as_computed(x)));
    if (carries.size() == 2 || !is_float(result.type())) return result;
    int const body = r_.begin_body(true);
    growing<handle> inside;
    for (handle h : carries) inside.push(r_.parameter(h.type(), h.shape()));
    carries.append(r_.end_body(body, inside));
    loop const l{.carries = inside.size(), .reverse = true, .custom = 1};
    handle const node = r_.emit(op::scan, result.type(), {}, carries, encode(l), body);
    r_.set_owner(body, node.id);
    return weft::get(node, 0, result.type(), extents(result.shape()));
  }

  // ---- loops
  constexpr void write_loop(int id) {
    loop const l = loop_of(g_, id);
    if (l.custom > 0) return;
    int const body = g_[id].body;
    view<int> const parameters = g_.parameters_of(body);
    growing<handle> operands;
    for (int k = 0; k < parameters.size(); ++k)
      operands.push(r_.localised(start(id, l, k, parameters[k])));
    extent const times_outside = v.times;
    if (l.length > 0) v.times *= l.length;
    int const inside = r_.begin_body();
    for (int p : parameters)
      v.give(p, plan_.at(p), r_.parameter(g_[p].type, v.local(p, plan_.at(p).split)));
    write_region(body);
    v.user = id;
    growing<handle> outputs;
    for (int k = 0; k < l.carries + l.ys; ++k) outputs.push(output(id, l, k));
    operands.append(r_.end_body(inside, outputs));
    v.times = times_outside;
    r_.mark_as(g_[id]);
    handle const h = r_.emit(g_[id].code, g_[id].type, g_.shape(id), operands, g_.attributes_of(id),
                             inside);
    r_.set_owner(inside, h.id);
    v.give(id, {}, h);
  }
  constexpr handle start(int id, loop const& l, int k, int p) {
    int const x = g_.operand(id, k);
    standing const inside = plan_.at(p);
    if (k >= l.carries && k < l.carries + l.xs) return v.need(x, with_leading_axis(inside.split));
    return standing_so(x, inside);
  }
  // Value x as a carry stands; a partial one of the accumulation type.
  constexpr handle standing_so(int x, standing const& s) {
    if (s.partial == 0) return v.need(x, s.split);
    if (v.is_known(x) && v.stands[x] == s && v.as_computed(x).type() == g_[x].type)
      return v.as_computed(x);
    handle const h = v.need(x, s.split);
    bool const zero = g_[x].code == op::constant && g_[x].attribute_count == 1 &&
                      g_.attribute(x, 0) == 0;
    return zero ? h : v.once(h, s.partial);
  }
  constexpr handle output(int id, loop const& l, int k) {
    int const y = g_.outputs_of(g_[id].body)[k];
    if (k < l.carries) return standing_so(y, plan_.at(g_.parameters_of(g_[id].body)[k]));
    bool const partial = v.is_known(y) && v.stands[y].partial != 0 && plan_.uses(y) == 1 &&
                         !has_condition(g_[id].code);
    if (partial) {
      result_[y] = v.stands[y];
      return result_value_[y] = v.as_computed(y);
    }
    result_[y] = {as_found(y)};
    return result_value_[y] = v.need(y, result_[y].split);
  }

  graph_view g_;
  recorder& r_;
  sharding_plan const& plan_;
  growing<growing<int>> order_;
  growing<standing> result_;     // of ys, by node: as they leave the body
  growing<handle> result_value_; // the same
};

} // namespace detail
} // namespace weft::inline v0
