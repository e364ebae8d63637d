// SPDX-License-Identifier: BSL-1.0
// Where the values of loops could live: the facts hoist.hpp acts on, one forward and one backward
// sweep.
//   same[i]  the node whose value i has: a loop's constant is what it is bound to, a carry that is
//            returned unchanged is its start, a y that is an x is the x; otherwise i
//   home[i]  the innermost region that i's operands force on it
//   cheap[i] made again wherever it is read, never passed into a loop: numbers, iotas, broadcasts,
//            and exact elementwise work on numbers and iotas alone (masks)
//   steps[i] depends on the xs of its loop and on what is constant there, through ops that work on
//            all steps at once as well as on one
//   wanted[i] to be computed for all steps at once before the loop
// Nothing leaves a branch of cond: it would be done whether or not the branch is taken. Nor does
// anything leave a region of checkpoint, which is there to compute it again; and products stay in a
// loop of a way back that was to keep nothing.
// What is looked at (observe) is looked at where and as often as the program says; and what only the
// run can refuse, indices into named extents, is refused where the program asks for it.
// What pays: a product over a contracted label of a per-step value with a constant of the loop
// (x_t W: many thin products become one), and the chain of per-step nodes that feeds it. Other
// per-step work stays: moving it would only turn registers into memory. Random draws stay, for the
// same reason.
// Needs: operand k of a loop precedes parameter k of its body. Leaves: the graph alone.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {
namespace detail {

class hoist_survey {
public:
  growing<int> same, home;
  growing<char> cheap, steps, wanted;

  constexpr explicit hoist_survey(graph_view g)
      : same(g.size()), home(g.size(), 0), cheap(g.size(), 0), steps(g.size(), 0),
        wanted(g.size(), 0), g_(g) {
    for (int r = 0; r < g.regions.size(); ++r) {
      int const parent = g.regions[r].parent;
      depth_.push(parent < 0 ? 0 : depth_[parent] + 1);
      outermost_.push(parent < 0 ? 0 : is_closed(r) ? r : outermost_[parent]);
    }
    for (int i = 0; i < g.size(); ++i) visit(i);
    for (int i = g.size() - 1; i >= 0; --i) want(i);
  }
  constexpr int deepest() const {
    int d = 0;
    for (int x : depth_) d = x > d ? x : d;
    return d;
  }
  // Constant in region r: lives outside of it, or is made from nothing.
  constexpr bool constant_in(int r, int i) const { return home[i] != r || free(i); }

private:
  // Reads no parameter at all.
  constexpr bool free(int i) const { return cheap[i] == 2; }

  // What a branch does is not done unless it is taken; a region keeps what it computes.
  constexpr bool is_closed(int r) const {
    int const owner = g_.regions[r].owner;
    return owner >= 0 && (g_[owner].code == op::cond || loop_of(g_, owner).is_region());
  }
  constexpr void visit(int i) {
    node const& n = g_.nodes.first[i];
    same.data()[i] = i;
    if (n.code == op::parameter) return visit_parameter(i);
    if (n.code == op::get) same[i] = forwarded(i);
    if (same.data()[i] != i) return;
    home.data()[i] = n.body >= 0 || stays(n) ? n.region : deepest_operand(n);
    cheap.data()[i] = cheapness(n);
    if (n.body < 0 && home.data()[i] == n.region && outermost_.data()[n.region] != n.region)
      steps[i] = works_on_all_steps(n);
  }
  constexpr bool stays(node const& n) const {
    if (n.code == op::observe) return true;
    if (n.code != op::gather && n.code != op::scatter && n.code != op::arg_reduce) return false;
    int const array = g_.operands[n.first_operand];
    return !is_static(g_.shapes[g_.nodes[array].shape]);
  }
  constexpr void visit_parameter(int i) {
    int r = g_[i].region, owner = g_.regions[r].owner, k = static_cast<int>(g_.attribute(i, 0));
    home[i] = r;
    if (owner < 0) return;
    loop l = loop_of(g_, owner);
    bool is_x = k >= l.carries && k < l.carries + l.xs;
    steps[i] = is_x && !is_closed(r);
    if (k == 0 && has_condition(g_[owner].code)) return;
    if (!is_x && (k >= l.carries || g_.outputs_of(g_[owner].body)[k] == i))
      same[i] = same[g_.operand(owner, k)];
  }
  // Of a get: what the loop passes through untouched, else the get.
  constexpr int forwarded(int i) const {
    int owner = g_.operand(i, 0), k = static_cast<int>(g_.attribute(i, 0));
    if (g_[owner].body < 0) return i;
    int out = g_.outputs_of(g_[owner].body)[k];
    if (g_[out].code != op::parameter || g_[out].region != g_[owner].body) return i;
    loop l = loop_of(g_, owner);
    int from = static_cast<int>(g_.attribute(out, 0));
    bool carry = k < l.carries && from == k;
    if (k == 0 && has_condition(g_[owner].code)) return i;
    bool x = k >= l.carries && g_[owner].code != op::cond && from >= l.carries &&
             from < l.carries + l.xs;
    return carry || x ? same[g_.operand(owner, from)] : i;
  }
  constexpr int deepest_operand(node const& n) const {
    int r = outermost_.data()[n.region];
    int const* operands = g_.operands.first + n.first_operand;
    for (int k = 0; k < n.operand_count; ++k) {
      int h = home.data()[same.data()[operands[k]]];
      if (h != r && depth_[h] > depth_[r]) r = h;
    }
    return r;
  }
  constexpr char cheapness(node const& n) const {
    if (n.code == op::constant || n.code == op::iota) return 2;
    bool view = n.code == op::broadcast;
    bool exact = is_elementwise(n.code) && info_of(n.code).ulp <= 0.5 && n.code != op::threefry2x32;
    if (!view && !exact) return 0;
    for (int o : g_.operands.part(n.first_operand, n.operand_count))
      if (!free(same[o])) return view ? 1 : 0;
    return 2;
  }
  constexpr bool works_on_all_steps(node const& n) const {
    op_kind kind = info_of(n.code).kind;
    bool possible = kind == op_kind::elementwise || kind == op_kind::view ||
                    kind == op_kind::reduction || n.code == op::contract || n.code == op::concat;
    if (!possible || n.code == op::threefry2x32) return false;
    if (g_.shapes[n.shape].rank == max_rank) return false; // no room for the steps
    auto const operands = g_.operands.part(n.first_operand, n.operand_count);
    for (int o : operands)
      if (!steps[same[o]] && !constant_in(n.region, same[o])) return false;
    // The label of the steps is a label of a factor: a start or a bias has none of its own.
    return n.code != op::contract || varies(n.region, operands[0]) || varies(n.region, operands[1]);
  }
  constexpr bool varies(int r, int i) const { return !constant_in(r, same[i]); }
  constexpr void want(int i) {
    if (!steps.data()[i]) return;
    if (g_[i].code == op::contract && pays(i)) wanted[i] = 1;
    if (!wanted[i]) return;
    for (int o : g_.operands_of(i))
      if (varies(g_[i].region, o) && g_[same[o]].code != op::parameter) wanted[same[o]] = 1;
  }
  constexpr bool pays(int i) const {
    contraction c = contraction_of(g_, i);
    bool sums = false;
    for (int k = 0; k < c.rank_a; ++k) sums |= c.contracted(c.a[k]);
    int r = g_[i].region;
    int const owner = g_.regions[r].owner;
    if (g_[owner].back && loop_of(g_, owner).save == residuals::nothing) return false;
    return sums && varies(r, g_.operand(i, 0)) != varies(r, g_.operand(i, 1));
  }

  graph_view g_;
  growing<int> depth_;
  growing<int> outermost_; // of a region: how far out its nodes may go
};

} // namespace detail
} // namespace weft::inline v0
