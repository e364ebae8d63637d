// SPDX-License-Identifier: BSL-1.0
// move_text: the steps that move elements without computing, as kernels and launches: pad, concat,
// windows at run-time places, gather and scatter, the order of elements, and reshapes that strides
// cannot express. A kernel depends on the op, on the size of elements or, where they are combined
// or compared, on their type, and on the number of axes that are left after neighbours are merged.
// Of `observe`, the copy: who runs the step looks at the elements (graph/observe.hpp).
// Needs: a bound graph, its accesses; constants and iotas in memory as
// pass/constant_memory.hpp places them (one element where there is one number; an iota as
// one line along its axis).
// Leaves: the node's memory, row-major, written whole; nothing launched where it has no element.
// expect_elements raises the interpreter's errors where windows do not fit or there is no element to
// choose: before the launches of such a node.
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/graph/raise_extents.hpp>
#include <weft/opencl/arg_reduce_text.hpp>
#include <weft/opencl/gather_text.hpp>
#include <weft/opencl/overlap_add_text.hpp>
#include <weft/opencl/sort_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

inline void add_concat(step_text& text, device_traits const& on, graph_view g,
                       accesses const& reads, int id) {
  extents const to = row_major_strides(g.shape(id));
  int const axis = static_cast<int>(g.attribute(id, 0)), size = size_of(g[id].type);
  extent start = 0;
  for (int part : g.operands_of(id)) {
    add_copy(text, on,
             {size, nest_of(g.shape(part), to, strides_of(g, reads, part)),
              moved(result_of(g, id), start), memory_of(g, reads, part)});
    start += g.shape(part)[axis] * to[axis];
  }
}
// The filler everywhere, then the elements that are kept.
inline void add_pad(step_text& text, device_traits const& on, graph_view g, accesses const& reads,
                    int id) {
  int const size = size_of(g[id].type), x = g.operand(id, 0);
  extents const &shape = g.shape(id), from = strides_of(g, reads, x);
  kept_by_pad const kept = elements_kept_by_pad(g, id, from);
  if (count_of(kept.shape) < count_of(shape))
    add_copy(text, on,
             {size, nest_of(shape, row_major_strides(shape), extents{shape.rank, {}}),
              result_of(g, id), memory_of(g, reads, g.operand(id, 1))});
  add_copy(text, on,
           {size, nest_of(kept.shape, kept.to, from), moved(result_of(g, id), kept.first_to),
            moved(memory_of(g, reads, x), kept.first_from)});
}
// Of dynamic slices and updates: the starts are operands first, first + 1, ....
inline growing<window_start> starts_of(graph_view g, accesses const& reads, int id, int first,
                                       extents const& window, extents const& strides) {
  growing<window_start> starts;
  for (int i = 0; i < window.rank; ++i)
    starts.push({memory_of(g, reads, g.operand(id, first + i)),
                 g.shape(g.operand(id, 0))[i] - window[i], strides[i]});
  return starts;
}
inline void add_dynamic_slice(step_text& text, device_traits const& on, graph_view g,
                              accesses const& reads, int id) {
  int const x = g.operand(id, 0);
  extents const from = strides_of(g, reads, x), &shape = g.shape(id);
  add_copy(text, on,
           {size_of(g[id].type), nest_of(shape, row_major_strides(shape), from), result_of(g, id),
            memory_of(g, reads, x), starts_of(g, reads, id, 1, shape, from)});
}
inline void add_dynamic_update_slice(step_text& text, device_traits const& on, graph_view g,
                                     accesses const& reads, int id) {
  int const update = g.operand(id, 1);
  extents const to = row_major_strides(g.shape(id)), &window = g.shape(update);
  add_copy_of(text, on, g, reads, g.operand(id, 0), result_of(g, id));
  add_copy(text, on,
           {size_of(g[id].type), nest_of(window, to, strides_of(g, reads, update)),
            result_of(g, id), memory_of(g, reads, update), starts_of(g, reads, id, 2, window, to),
            true});
}
inline void add_zeros(step_text& text, device_traits const& on, graph_view g, int id) {
  launch_writer w("zeros");
  std::string const y = w.output(as_moved(size_of(g[id].type)), result_of(g, id));
  extent const count = count_of(g.shape(id));
  w.item(count);
  w.reaches(count);
  w.line(y + "[r] = 0;");
  w.launch(text, group_of(on));
}
// A collective of the one rank that there is.
inline void add_alone(step_text& text, device_traits const& on, graph_view g, accesses const& reads,
                      int id) {
  collective const c = collective_of(g, id);
  if (c.world != 1) raise_world(name_of(c.kind), c.world, 1);
  if (c.group_of(0) >= 0) add_copy_of(text, on, g, reads, g.operand(id, 0), result_of(g, id));
  else add_zeros(text, on, g, id);
}

} // namespace detail::opencl_moves

namespace opencl {

// What names hid until the run: is there what node `node`, a move, takes? Asked as it is launched: a
// branch that is not taken, or a loop of no turn, takes nothing.
inline void expect_elements(graph_view g, int node) {
  namespace impl = weft::detail;
  op const code = g[node].code;
  if (code == op::arg_reduce) {
    extents const& x = g.shape(g.operand(node, 0));
    if (count_of(g.shape(node)) > 0 && count_of(x) == 0)
      impl::raise_no_element(x, g.attribute(node, 1) != 0);
  } else if (code == op::gather || code == op::scatter) {
    int const windows = code == op::gather ? node : g.operand(node, 1);
    impl::expect_windows(gather_of(g, node), g.shape(g.operand(node, 0)),
                         count_of(g.shape(windows)));
  }
}

// Node `node`, a step of kind `move`, on a device.
inline step_text move_text(graph_view g, accesses const& reads, int node, device_traits const& on) {
  namespace moves = weft::detail::opencl_moves;
  step_text text;
  if (count_of(g.shape(node)) == 0) return text;
  switch (g[node].code) {
    case op::concat: moves::add_concat(text, on, g, reads, node); break;
    case op::pad: moves::add_pad(text, on, g, reads, node); break;
    case op::dynamic_slice: moves::add_dynamic_slice(text, on, g, reads, node); break;
    case op::dynamic_update_slice: moves::add_dynamic_update_slice(text, on, g, reads, node); break;
    case op::gather: moves::add_gather(text, on, g, reads, node); break;
    case op::scatter: moves::add_scatter(text, on, g, reads, node); break;
    case op::overlap_add: moves::add_overlap_add(text, on, g, reads, node); break;
    case op::arg_sort: moves::add_arg_sort(text, on, g, reads, node); break;
    case op::arg_reduce: moves::add_arg_reduce(text, on, g, reads, node); break;
    case op::collective: moves::add_alone(text, on, g, reads, node); break;
    case op::rank:
      weft::detail::expect_world(g.attributes_of(node), 1);
      moves::add_zeros(text, on, g, node);
      break;
    default: // reshape, observe
      moves::add_copy_of(text, on, g, reads, g.operand(node, 0), moves::result_of(g, node));
  }
  return text;
}

} // namespace opencl
} // namespace weft::inline v0
