// SPDX-License-Identifier: BSL-1.0
// sharding_plan: how every value of a graph stands on the ranks of a mesh, before anything is written:
// forwards from the inputs (pass/partition_forward.hpp); then backwards from the outputs: what all users of
// a value want split is made split, if none of them needs it whole. Draws and constants are so made where
// they are used, and sums are scattered where what is computed of them is split.
// Needs: a verified graph without collectives. Leaves: `at` by node, `want` by node (at least as
// split); partition_write.hpp computes from them, and is right whatever they say.
#pragma once

#include <weft/pass/partition_forward.hpp>

namespace weft::inline v0 {
namespace detail {

class sharding_plan {
public:
  forward_plan forward;
  growing<sharding> want; // by node

  constexpr sharding_plan(graph_view g, mesh_axes const& mesh, view<sharding> in,
                          view<sharding> out)
      : forward(g, mesh, in), want(g.size()), g_(g), mesh_(mesh), wish_(g.size()) {
    for (int i = 0; i < out.size(); ++i) must_be(g_.outputs_of(0)[i], out[i]);
    for (int id = g_.size() - 1; id >= 0; --id) {
      want[id] = refined(id);
      if (g_[id].code == op::parameter) pass_to_owner(id);
      else ask_operands(id);
    }
  }
  constexpr standing const& at(int id) const { return forward.at[id]; }
  constexpr int uses(int id) const { return forward.uses[id]; }

private:
  struct wishes {
    sharding split{};
    unsigned never = 0;       // mesh axes
    unsigned never_split = 0; // axes of the array
  };
  constexpr sharding refined(int id) const {
    if (g_[id].code == op::shard || (forward.settled[id] && !is_carry(id)) ||
        (g_[id].code == op::parameter && g_[id].region == 0))
      return forward.at[id].split;
    wishes const& w = wish_[id];
    sharding allowed = w.split;
    for (int m = max_mesh_axes - 1; m >= 0; --m)
      if (allowed.uses(m) &&
          (((w.never >> m) & 1) != 0 || ((w.never_split >> allowed.place(m)) & 1) != 0))
        allowed = without_list(allowed, m);
    return merged(forward.at[id].split, allowed);
  }
  // Of a scan: split more at every step where nobody needs it whole.
  constexpr bool is_carry(int p) const {
    int const owner = g_.regions[g_[p].region].owner;
    return forward.at[p].partial == 0 && g_.attribute(p, 0) < loop_of(g_, owner).carries;
  }
  // Without m and what is behind it in its list.
  static constexpr sharding without_list(sharding s, int m) {
    int const axis = s.place(m), order = s.order(m);
    for (int k = s.depth(axis) - 1; k >= order; --k) s = s.without(s.split_by(axis, k));
    return s;
  }
  // x is best split so; other mesh axes that split the user's result elsewhere must not split x.
  constexpr void ask(int x, sharding needed, unsigned used, unsigned whole_axes) {
    wishes& w = wish_[x];
    w.never_split |= whole_axes;
    for (int m = 0; m < mesh_.count; ++m) {
      if (((used >> m) & 1) != 0 && !needed.uses(m)) w.never |= 1u << m;
      if (needed.uses(m) && w.split.uses(m) && w.split.place(m) != needed.place(m))
        w.never |= 1u << m;
    }
    w.split = merged(w.split, needed);
  }
  constexpr void must_be(int x, sharding s) { ask(x, s, ~0u, 0); }
  static constexpr unsigned used_by(sharding s) {
    unsigned bits = 0;
    for (int m = 0; m < max_mesh_axes; ++m) bits |= s.uses(m) ? 1u << m : 0u;
    return bits;
  }

  constexpr void pass_to_owner(int p) {
    int const r = g_[p].region, k = static_cast<int>(g_.attribute(p, 0));
    if (r == 0) return;
    int const owner = g_.regions[r].owner;
    loop const l = loop_of(g_, owner);
    if (l.custom > 0) return;
    if (forward.at[p].partial == 0) forward.at[p].split = want[p];
    bool const is_x = k >= l.carries && k < l.carries + l.xs;
    sharding const s = is_x ? with_leading_axis(forward.at[p].split) : forward.at[p].split;
    if (k < l.carries || is_x) return must_be(g_.operand(owner, k), s);
    ask(g_.operand(owner, k), s, 0, 0);
  }
  constexpr void ask_operands(int id) {
    op const code = g_[id].code;
    if (code == op::get) return ask_for_result(id);
    if (code == op::shard) return must_be(g_.operand(id, 0), want[id]);
    if (code == op::reshape) return ask_for_reshape(id);
    if (is_loop(code)) return ask_for_loop(id);
    if (code == op::custom_call) {
      for (int x : g_.operands_of(id)) must_be(x, {});
      return;
    }
    if (g_[id].operand_count == 0) return;
    node_choice const c = choose_labels({g_, id, forward.at, mesh_, true, want[id]});
    unsigned const used = used_by(c.split);
    for (int k = 0; k < g_[id].operand_count; ++k) {
      unsigned whole_axes = 0;
      int const x = g_.operand(id, k);
      for (int i = 0; !c.identity && i < g_.shape(x).rank; ++i)
        if (c.labels.of(k, i) < 0) whole_axes |= 1u << i;
      ask(x, c.needed(k), used, whole_axes);
    }
  }
  constexpr void ask_for_reshape(int id) {
    int const x = g_.operand(id, 0);
    reshaped_sharding const back = reshaped(g_.shape(id), g_.shape(x), want[id], mesh_);
    ask(x, back.result, used_by(back.kept), 0);
  }
  constexpr void ask_for_result(int id) {
    int const x = g_.operand(id, 0), i = static_cast<int>(g_.attribute(id, 0));
    if (!is_loop(g_[x].code)) {
      if (is_elementwise(g_[x].code)) ask(x, want[id], 0, 0);
      return;
    }
    loop const l = loop_of(g_, x);
    if (i >= l.carries) ask(g_.outputs_of(g_[x].body)[i], without_leading_axis(want[id]), 0, 0);
    else if (l.custom > 0) ask(g_.operand(x, i), want[id], 0, 0);
  }
  constexpr void ask_for_loop(int id) {
    loop const l = loop_of(g_, id);
    if (l.custom > 0) return;
    for (int k = 0; k < l.carries; ++k)
      must_be(g_.outputs_of(g_[id].body)[k], forward.at[g_.parameters_of(g_[id].body)[k]].split);
  }

  graph_view g_;
  mesh_axes const& mesh_;
  growing<wishes> wish_;
};

} // namespace detail
} // namespace weft::inline v0
