// SPDX-License-Identifier: BSL-1.0
// Named extents become numbers: one substitution serves run-time calls (the numbers of the
// arguments) and compile-time lowering (large distinct placeholders, so that a decision taken with
// them holds for every value).
// Leaves: a graph whose shapes, slice limits, loop lengths and results of host functions
// have numbers.
#pragma once

#include <weft/graph/custom_call.hpp>

namespace weft::inline v0 {

struct binding {
  extent name = 0;
  extent number = 0;
};

constexpr extent bound(extent e, view<binding> bindings) {
  if (!is_named(e)) return e;
  for (binding const& b : bindings)
    if (b.name == e) return b.number;
  return e;
}

constexpr bool has_names(graph_view g) {
  for (extents const& s : g.shapes)
    if (!is_static(s)) return true;
  return false;
}

// Every name of a graph, in order of first appearance in the shape table.
constexpr growing<extent> names_of(graph_view g) {
  growing<extent> names;
  for (extents const& s : g.shapes)
    for (int i = 0; i < s.rank; ++i) {
      if (!is_named(s[i])) continue;
      bool seen = false;
      for (extent n : names) seen |= n == s[i];
      if (!seen) names.push(s[i]);
    }
  return names;
}

// Primes that divide no extent of the graph, so that no two products coincide by accident: a reshape
// that is a view of these is one of all numbers. Small enough for arrays of five names, or of four and
// 6,000 static elements (an overflow is a compile error).
constexpr growing<binding> placeholders(graph_view g) {
  extent number = 5987;
  growing<extent> large; // extents that it could divide
  for (extents const& s : g.shapes)
    for (int i = 0; i < s.rank; ++i)
      if (s[i] >= number) large.push(s[i]);
  auto const is_free = [&large](extent n) {
    for (extent d = 2; d * d <= n; ++d)
      if (n % d == 0) return false;
    for (extent e : large)
      if (e % n == 0) return false;
    return true;
  };
  growing<binding> r;
  for (extent name : names_of(g)) {
    while (!is_free(number)) ++number;
    r.push({name, number++});
  }
  return r;
}

namespace detail {
// Of a node whose shapes are numbers already.
constexpr extents operand_shape(graph const& g, node const& n) {
  return g.shape(g.operands[n.first_operand]);
}
constexpr void bind_limits(graph& g, node const& n) {
  extents const from = operand_shape(g, n);
  extent* const at = g.attributes.data() + n.first_attribute;
  for (int i = 0; i < from.rank; ++i) {
    extent &start = at[i], &limit = at[from.rank + i];
    limit = limit_of(limit, from[i]);
    if (start > limit) start = limit;
  }
}
// A pad up to the end of its result.
constexpr void bind_ends(graph& g, node const& n) {
  extents const from = operand_shape(g, n), to = g.shapes[n.shape];
  extent* const at = g.attributes.data() + n.first_attribute;
  for (int i = 0; i < from.rank; ++i)
    if (extent& high = at[from.rank + i]; is_before_end(high))
      high = to[i] - padded(from[i], at[i] < 0 ? 0 : at[i], 0, at[2 * from.rank + i]) -
             (at[i] < 0 ? at[i] : 0);
}
} // namespace detail

constexpr graph bind(graph_view g, view<binding> bindings) {
  graph r = thaw(g);
  for (extents& s : r.shapes)
    for (int i = 0; i < s.rank; ++i) s[i] = bound(s[i], bindings);
  for (node const& n : r.nodes) {
    if (n.code == op::scan) {
      extent& length = r.attributes[n.first_attribute + 3];
      length = bound(length, bindings);
    } else if (n.code == op::slice) {
      detail::bind_limits(r, n);
    } else if (n.code == op::pad) {
      detail::bind_ends(r, n);
    } else if (n.code == op::custom_call) {
      for_each_custom_extent(r.attributes.data() + n.first_attribute,
                             [&](extent& e) { e = bound(e, bindings); });
    } else if (n.code == op::gather || n.code == op::scatter) { // windows: the last attributes
      int rank = graph_view(r).shape(graph_view(r).operands[n.first_operand]).rank;
      for (int i = n.attribute_count - rank; i < n.attribute_count; ++i) {
        extent& window = r.attributes[n.first_attribute + i];
        window = bound(window, bindings);
      }
    }
  }
  return r;
}

} // namespace weft::inline v0
