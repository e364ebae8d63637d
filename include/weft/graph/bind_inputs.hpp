// SPDX-License-Identifier: BSL-1.0
// bind_inputs: the numbers that the inputs of one call give to a graph's names. A name is bound
// where it is first seen; everywhere else it must be the same number. Names that nodes give are bound
// next (derived_names.hpp); windows must fit.
// Needs: the extents of the inputs, numbers all, in the order of region 0's parameters.
// Leaves: bindings for graph/bind.hpp, or shape_error: argument 4 axis 0 (rows) is 23, expected 24;
// also where names make a random draw longer than its counters.
#pragma once

#include <weft/graph/derived_names.hpp>

namespace weft::inline v0 {
namespace detail {

// "argument 4", and which leaf of it if it has several.
inline message argument_text(graph_view g, int input) {
  input_info const& at = g.inputs[input];
  int leaves = 0;
  for (input_info const& other : g.inputs) leaves += other.argument == at.argument;
  message text("argument ");
  text.add(at.argument);
  if (leaves > 1) text.add(" leaf ").add(at.leaf);
  return text;
}
[[noreturn]] inline void raise_rank(graph_view g, int input, extents const& is,
                                    extents const& expected) {
  raise<shape_error>(
      argument_text(g, input).add(" has shape ").add(is).add(", expected ").add(expected));
}
[[noreturn]] inline void raise_axis(graph_view g, int input, int axis, extent declared, extent is,
                                    extent expected) {
  message text = argument_text(g, input);
  text.add(" axis ").add(axis);
  if (is_named(declared)) {
    char name[max_name + 1]{};
    unpack_name(declared, name);
    text.add(" (").add(name).add(")");
  }
  raise<shape_error>(text.add(" is ").add(is).add(", expected ").add(expected));
}
[[noreturn]] inline void raise_counters(extents const& s) {
  raise<shape_error>(
      message("random: a draw of shape ")
          .add(s)
          .add(" has more than 2^32 numbers, which names hid; split the key and draw "
               "fewer at a time"));
}
// Draws whose extents have names count with 32 bits (lang/counters.hpp): a high word that is 0.
constexpr void check_counters(graph_view g, view<binding> names) {
  for (node const& n : g.nodes) {
    if (n.code != op::threefry2x32 || is_static(g.shapes[n.shape])) continue;
    if (g[g.operands[n.first_operand + 2]].code != op::constant) continue;
    extents s = g.shapes[n.shape];
    double count = 1;
    for (int i = 0; i < s.rank; ++i) count *= static_cast<double>(s[i] = bound(s[i], names));
    if (count > 4294967296.0) raise_counters(s);
  }
}

[[noreturn]] WEFT_NOINLINE inline void raise_window(char const* name, extents const& window,
                                                    extents const& whole) {
  raise<shape_error>(message(name)
                         .add(": extents ")
                         .add(window)
                         .add(" do not fit ")
                         .add(whole)
                         .add("; bind names so that they do"));
}
constexpr void check_fit(graph_view g, int id, view<binding> names) {
  bool const slices = g[id].code == op::dynamic_slice;
  extents const window = bound(g.shape(slices ? id : g.operand(id, 1)), names);
  extents const whole = bound(g.shape(g.operand(id, 0)), names);
  for (int i = 0; i < window.rank; ++i)
    if (!is_named(window[i]) && !is_named(whole[i]) && window[i] > whole[i])
      raise_window(slices ? "dynamic_slice" : "dynamic_update_slice", window, whole);
}
// What only the run can bind and check, in the order of nodes.
constexpr void bind_results(graph_view g, growing<binding>& names) {
  for (int id = 0; id < g.size(); ++id) {
    op const code = g[id].code;
    bind_derived(g, id, names);
    if (code == op::dynamic_slice || code == op::dynamic_update_slice) check_fit(g, id, names);
  }
}

} // namespace detail

constexpr growing<binding> bind_inputs(graph_view g, view<extents> inputs) {
  growing<binding> names;
  for (int i = 0; i < inputs.size(); ++i) {
    extents const& declared = g.shape(g.parameters_of(0)[i]);
    if (inputs[i].rank != declared.rank) detail::raise_rank(g, i, inputs[i], declared);
    for (int axis = 0; axis < declared.rank; ++axis) {
      extent const is = inputs[i][axis];
      if (is_named(bound(declared[axis], names))) names.push({declared[axis], is});
      extent const expected = bound(declared[axis], names);
      if (is != expected) detail::raise_axis(g, i, axis, declared[axis], is, expected);
    }
  }
  detail::bind_results(g, names);
  detail::check_counters(g, names);
  return names;
}

} // namespace weft::inline v0
