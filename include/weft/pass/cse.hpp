// SPDX-License-Identifier: BSL-1.0
// cse: of equal nodes of one region only the first stays: same op, type, shape, operands after
// merging, attributes. Two constants of one loop, or two of its xs, that are bound to one value are
// equal too. Loops themselves are never merged, nor are carries, inputs and what is looked at.
// Needs: a verified graph. Leaves: the same values in fewer nodes; a parameter that lost its users
// stays declared (dce takes it). Linear: one sweep, open addressing. May stand anywhere.
#pragma once

#include <weft/pass/rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

class node_table {
public:
  constexpr explicit node_table(rewriter& w) : w_(w) {
    int wanted = 16;
    while (wanted < 2 * w.from.size()) wanted *= 2;
    slots_.assign(wanted, -1);
  }
  // The new node that node i equals, or -1 after taking note that `i` comes as the next new node.
  constexpr int find_or_note(node const& n) {
    int mask = slots_.size() - 1;
    int* slots = slots_.data();
    for (int at = static_cast<int>(hash(n)) & mask;; at = (at + 1) & mask) {
      if (slots[at] < 0) {
        slots[at] = w_.result.nodes.size();
        return -1;
      }
      if (equal(w_.result.nodes.data()[slots[at]], n)) return slots[at];
    }
  }

private:
  constexpr std::uint32_t hash(node const& n) const {
    std::uint32_t h = static_cast<std::uint32_t>(n.code) | static_cast<std::uint32_t>(n.type) << 8 |
                      static_cast<std::uint32_t>(n.shape) << 16;
    h = (h ^ static_cast<std::uint32_t>(n.region)) * 0x9e3779b1u;
    int const* old = w_.from.operands.first + n.first_operand;
    int const* map = w_.map.data();
    for (int k = 0; k < n.operand_count; ++k)
      h = (h ^ (h >> 15) ^ static_cast<std::uint32_t>(map[old[k]])) * 0x85ebca6bu;
    extent const* attributes = w_.from.attributes.first + n.first_attribute;
    for (int k = 0; k < n.attribute_count; ++k)
      h = (h ^ (h >> 15) ^ static_cast<std::uint32_t>(attributes[k])) * 0xc2b2ae35u;
    return h ^ (h >> 16);
  }
  // m is of the result, n of the old graph.
  constexpr bool equal(node const& m, node const& n) const {
    if (m.code != n.code || m.type != n.type || m.shape != n.shape || m.region != n.region ||
        m.operand_count != n.operand_count || m.attribute_count != n.attribute_count)
      return false;
    int const* operands = w_.result.operands.data() + m.first_operand;
    int const* old = w_.from.operands.first + n.first_operand;
    for (int k = 0; k < n.operand_count; ++k)
      if (operands[k] != w_.map[old[k]]) return false;
    extent const* a = w_.result.attributes.data() + m.first_attribute;
    extent const* b = w_.from.attributes.first + n.first_attribute;
    for (int k = 0; k < n.attribute_count; ++k)
      if (a[k] != b[k]) return false;
    return true;
  }
  rewriter& w_;
  growing<int> slots_;
};

// Which parameter first stood for a value in a loop's body: as one of its xs, as a constant.
class bound_parameters {
public:
  constexpr explicit bound_parameters(rewriter& w) : w_(w), first_(2 * w.from.size(), -1) {}
  // The new parameter that `mine`, the copy of parameter i, equals; `mine` if it is the first.
  constexpr int representative(int i, int mine) {
    graph_view g = w_.from;
    int owner = g.regions[g[i].region].owner, k = static_cast<int>(g.attribute(i, 0));
    if (owner < 0) return mine;
    loop l = loop_of(g, owner);
    int value = w_.map[g.operand(owner, k)];
    if (k < l.carries || value < 0) return mine;
    int& first = first_[2 * value + (k < l.carries + l.xs ? 0 : 1)];
    if (first < 0 || w_.result[first].region != g[i].region) first = mine;
    return first;
  }

private:
  rewriter& w_;
  growing<int> first_;
};

} // namespace detail

constexpr graph cse(graph_view g) {
  detail::rewriter w(g);
  detail::node_table table(w);
  detail::bound_parameters parameters(w);
  for (int i = 0; i < g.size(); ++i) {
    node const& n = g.nodes.first[i];
    bool const own = n.code == op::parameter || n.code == op::observe || n.body >= 0;
    int found = own ? -1 : table.find_or_note(n);
    int id = found >= 0 ? found : w.copy(i);
    w.map[i] = n.code == op::parameter ? parameters.representative(i, id) : id;
  }
  return w.finish();
}

} // namespace weft::inline v0
