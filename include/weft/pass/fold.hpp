// SPDX-License-Identifier: BSL-1.0
// fold: numbers known at compile time. An elementwise node over splat constants becomes a splat
// constant, through the same function of words that interprets it (so the same bits); a view of a
// splat is a splat; a loop's constant that is bound to a splat is that splat inside the body.
// Not folded: exp, log and the like (hundreds of steps of soft float each; programs compute them
// once), random bits, tables of numbers.
// Needs: a verified graph. Leaves: the same values; nodes without users. Linear, one sweep; stands
// first, since the identities of simplify ask for numbers.
#pragma once

#include <weft/graph/interpret_elementwise.hpp>
#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

// What parameter i of a loop's body is bound to in every step; -1: it is not of that kind.
constexpr int loop_constant(graph_view g, int i) {
  int const owner = g.regions[g[i].region].owner, k = static_cast<int>(g.attribute(i, 0));
  if (owner < 0) return -1;
  loop const l = loop_of(g, owner);
  return k >= l.carries + l.xs ? g.operand(owner, k) : -1;
}

template <op_set Ops> class folder {
public:
  constexpr explicit folder(rewriter& w) : w_(w) {}

  // The new node that node i is.
  constexpr int folded(int i) {
    node const& n = w_.from.nodes.first[i];
    if (n.code == op::parameter) return parameter(i);
    bool const computed = Ops.has(n.code);
    if (!computed && !is_view(n.code)) return w_.copy(i);
    int const* old = w_.from.operands.first + n.first_operand;
    for (int k = 0; k < n.operand_count; ++k)
      if (!is_splat(w_.map.data()[old[k]])) return w_.copy(i);
    return splat(i, computed ? value_of(n) : bits_of(operand(n, 0)));
  }

private:
  constexpr int operand(node const& n, int k) const {
    return w_.map[w_.from.operands[n.first_operand + k]];
  }
  constexpr bool is_splat(int id) const {
    node const& n = w_.result.nodes.data()[id];
    return n.code == op::constant && n.attribute_count == 1;
  }
  constexpr extent bits_of(int id) const {
    return w_.result.attributes[w_.result[id].first_attribute];
  }
  constexpr int splat(int i, extent bits) {
    node n = w_.from[i];
    n.code = op::constant;
    return w_.result.add(n, {}, {&bits, 1});
  }
  constexpr extent value_of(node const& n) const {
    word x[3]{}, y[2]{};
    for (int k = 0; k < n.operand_count; ++k) x[k] = static_cast<word>(bits_of(operand(n, k)));
    dtype in = w_.result[operand(n, typical_operand(n.code))].type;
    word_function_of<Ops>(n.code, in, n.type)(x, y);
    return static_cast<extent>(y[0]);
  }
  constexpr int parameter(int i) {
    int const mine = w_.copy(i), value = loop_constant(w_.from, i);
    return value >= 0 && is_splat(w_.map[value]) ? splat(i, bits_of(w_.map[value])) : mine;
  }
  rewriter& w_;
};

} // namespace detail

// Those of `wanted` that fold finds over splats in g: what it has to compile for this graph.
constexpr op_set ops_on_splats(graph_view g, op_set wanted = short_ops()) {
  op_set found;
  growing<bool> known(g.size(), false);
  for (int i = 0; i < g.size(); ++i) {
    node const& n = g.nodes.first[i];
    bool& splat = known.data()[i];
    if (n.code == op::constant) splat = n.attribute_count == 1;
    else if (n.code == op::parameter) {
      int const bound = detail::loop_constant(g, i);
      splat = bound >= 0 && known[bound];
    } else if (bool const computed = wanted.has(n.code); computed || is_view(n.code)) {
      splat = true;
      for (int k = 0; k < n.operand_count; ++k) splat = splat && known[g.operand(i, k)];
      if (splat && computed) found.add(n.code);
    }
  }
  return found;
}

template <op_set Ops = short_ops()> constexpr graph fold(graph_view g) {
  detail::rewriter w(g);
  detail::folder<Ops> constants(w);
  for (int i = 0; i < g.size(); ++i) w.map.data()[i] = constants.folded(i);
  return w.finish();
}

} // namespace weft::inline v0
