// SPDX-License-Identifier: BSL-1.0
// bind_inputs: the numbers that the inputs of one call give to a graph's names. A name is bound
// where it is first seen; everywhere else it must be the same number. Names that nodes give are
// bound next (derived_names.hpp); windows must fit.
// Needs: the extents of the inputs, numbers all, in the order of region 0's parameters.
// Leaves: bindings for graph/bind.hpp, or shape_error, "weft: argument 4 axis 0 (rows) is 23,
// expected 24"; also where names make a random draw longer than its counters, an array larger than
// limits.hpp says, or a position larger than int32; and for a name that nothing binds. check_inputs:
// usage_error for another number of inputs, or other types.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/graph/derived_names.hpp>
#include <weft/graph/raise_extents.hpp>

namespace weft::inline v0 {
namespace detail {

// "argument 4", and which leaf of it if it has several.
inline message argument_text(graph_view g, int input) {
  input_info const& at = g.inputs[input];
  int leaves = 0;
  for (input_info const& other : g.inputs) leaves += other.argument == at.argument;
  message text("weft: argument ");
  text.add(at.argument);
  if (leaves > 1) text.add(" leaf ").add(at.leaf);
  return text;
}
[[noreturn]] inline void raise_value_count(char const* who, char const* what, int given,
                                           int expected) {
  raise<usage_error>(message("weft: ")
                         .add(who)
                         .add(": ")
                         .add(given)
                         .add(" ")
                         .add(what)
                         .add(" given, the program has ")
                         .add(expected));
}
[[noreturn]] inline void raise_input_type(graph_view g, int input, dtype is, dtype expected) {
  raise<usage_error>(argument_text(g, input)
                         .add(" is ")
                         .add(name_of(is))
                         .add(", expected ")
                         .add(name_of(expected)));
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
      message("weft: a draw of more than 2^32 numbers needs partitionable counters and extents "
              "without names; draw fewer at a time: ")
          .add(s));
}
// Draws whose extents have names count with 32 bits (graph/counters.hpp): a high word that is 0.
constexpr void check_counters(graph_view g, view<binding> names) {
  for (node const& n : g.nodes) {
    if (n.code != op::threefry2x32 || is_static(g.shapes[n.shape])) continue;
    int high = g.operands[n.first_operand + 2];
    while (g[high].code == op::broadcast)
      high = g.operand(high, 0); // examples share counters: vmap
    if (g[high].code != op::constant) continue;
    extents s = g.shape(high);
    double count = 1;
    for (int i = 0; i < s.rank; ++i) count *= static_cast<double>(s[i] = bound(s[i], names));
    if (count > 4294967296.0) raise_counters(s);
  }
}

constexpr void check_fit(graph_view g, int id, view<binding> names) {
  bool const slices = g[id].code == op::dynamic_slice;
  extents const window = bound(g.shape(slices ? id : g.operand(id, 1)), names);
  extents const whole = bound(g.shape(g.operand(id, 0)), names);
  for (int i = 0; i < window.rank; ++i)
    if (!is_named(window[i]) && !is_named(whole[i]) && window[i] > whole[i])
      raise_window(g, id, window, whole);
}
// The positions that iota, arg_sort and arg_reduce count.
constexpr void check_numbers(graph_view g, int id, view<binding> names) {
  op const code = g[id].code;
  if (code == op::iota || code == op::arg_sort) {
    extents const s = bound(g.shape(id), names);
    if (s[static_cast<int>(g.attribute(id, 0))] > most_extent)
      raise_uncountable(code == op::iota ? "iota" : "arg_sort", s);
  } else if (code == op::arg_reduce) {
    extents const s = bound(g.shape(g.operand(id, 0)), names);
    extents reduced;
    for (int i = 0; i < s.rank; ++i)
      if (has_axis(g.attribute(id, 0), i)) reduced.push(s[i]);
    if (elements_of(reduced) > most_extent) raise_uncountable("arg_reduce", s);
  }
}
// Every array, and all together.
constexpr void check_sizes(graph_view g, view<binding> names) {
  extent sum = 0;
  for (node const& n : g.nodes) {
    extents const s = bound(g.shapes[n.shape], names);
    if (!is_static(s)) raise_unbound(s);
    extent const count = elements_of(s);
    if (count < 0) raise_elements(s);
    if ((sum += count) > most_together) raise_together();
  }
}

// What only the run can bind and check, until nothing new is known: the last sweep sees every name.
constexpr void bind_results(graph_view g, growing<binding>& names) {
  do {
    for (int known = -1; known != names.size();) {
      known = names.size();
      for (int id = 0; id < g.size(); ++id) {
        op const code = g[id].code;
        bind_derived(g, id, names);
        if (code == op::dynamic_slice || code == op::dynamic_update_slice) check_fit(g, id, names);
      }
    }
  } while (bind_empty(g, names));
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code != op::scan) continue;
    extent const length = weft::bound(loop_of(g, id).length, names);
    if (is_named(length)) raise_unbound({1, {length}});
  }
}

// The inputs of a call are as many as the program has, and of its types; `who` takes it.
constexpr void check_inputs(graph_view g, view<dtype> types, char const* who) {
  view<int> const parameters = g.parameters_of(0);
  if (types.size() != parameters.size())
    raise_value_count(who, "arguments", types.size(), parameters.size());
  for (int i = 0; i < types.size(); ++i)
    if (types[i] != g[parameters[i]].type) raise_input_type(g, i, types[i], g[parameters[i]].type);
}

} // namespace detail

constexpr growing<binding> bind_inputs(graph_view g, view<extents> inputs) {
  growing<binding> names;
  for (int i = 0; i < inputs.size(); ++i) {
    extents const& declared = g.shape(g.parameters_of(0)[i]);
    if (inputs[i].rank != declared.rank) detail::raise_rank(g, i, inputs[i], declared);
    for (int axis = 0; axis < declared.rank; ++axis) {
      extent const is = inputs[i][axis];
      if (is > detail::most_elements) detail::raise_elements(inputs[i]);
      if (is_named(bound(declared[axis], names))) names.push({declared[axis], is});
      extent const expected = bound(declared[axis], names);
      if (is != expected) detail::raise_axis(g, i, axis, declared[axis], is, expected);
    }
  }
  detail::bind_results(g, names);
  if (!has_names(g)) return names;
  detail::check_sizes(g, names);
  for (int id = 0; id < g.size(); ++id) detail::check_numbers(g, id, names);
  detail::check_counters(g, names);
  return names;
}
// The graph with the numbers that inputs of these shapes give to its names.
constexpr graph bind_to(graph_view g, view<extents> inputs) {
  return bind(g, bind_inputs(g, inputs));
}

} // namespace weft::inline v0
