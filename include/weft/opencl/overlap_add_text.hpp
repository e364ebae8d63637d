// SPDX-License-Identifier: BSL-1.0
// overlap_add as a launch: an item sums one element of the result, over the taps in their order, of
// which it passes over those that no window has.
// Needs: a bound graph, its accesses. Leaves: the interpreter's bits.
#pragma once

#include <weft/graph/window_list.hpp>
#include <weft/opencl/gather_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

// Along axis `axis` of the result, whose index is `i`: passes over taps that no window has there,
// and adds the window's place to `from`.
inline void write_place(launch_writer& w, window_list const& windows, int number, extent places,
                        std::string const& i, std::string const& tap, extent step,
                        std::string& from) {
  std::string const p = "p" + std::to_string(number), t = "start" + std::to_string(number);
  std::string start = i.empty() ? "0" : i;
  if (!tap.empty()) start += " - " + tap + " * " + w.number(windows.dilation(number));
  w.line("const index " + t + " = " + start + ";");
  std::string const stride = w.number(windows.stride(number));
  w.line("const index " + p + " = " + t + " / " + stride + ";");
  w.line("if (" + t + " < 0 || " + p + " * " + stride + " != " + t + " || " + p +
         " >= " + w.number(places) + ") continue;");
  add_term(from, p + " * " + w.number(step));
}

// The loop over taps; `sum` is a place that one item has alone.
inline void write_taps(launch_writer& w, graph_view g, accesses const& reads, int id,
                       nest const& axes, growing<std::string> const& at, place_text const& sum) {
  int const x = g.operand(id, 0), rank = g.shape(id).rank;
  dtype const type = g[id].type;
  window_list const windows(g.attributes_of(id));
  extents const steps = strides_of(g, reads, x);
  nest taps;
  for (int v = 0; v < windows.count(); ++v)
    taps.push({windows.size(v), {0, steps[rank + v], 0}, v});
  taps = merged(taps);
  std::string const term = w.input(type, memory_of(g, reads, x));
  w.reaches(reach_of(nest_of(g.shape(x), steps, steps), 1));
  w.reaches(count_of(taps));
  w.line("const index from0 = " + w.place(axes, at, 1) + ";");
  w.open("for (index q = 0; q < " + w.number(count_of(taps)) + "; ++q)");
  w.line("index s = q;");
  growing<std::string> const now = w.indices(taps, "s", "j");
  std::string from = "from0";
  for (int v = 0; v < windows.count(); ++v)
    write_place(w, windows, v, g.shape(x)[windows.axis(v)], index_of(axes, at, windows.axis(v)),
                index_of(taps, now, v), steps[windows.axis(v)], from);
  w.line("const index from = " + add_term(from, w.place(taps, now, 1)) + ";");
  write_combine(w, scatter_combine::add, type, sum, {term, "from"});
  w.close();
}

inline void add_overlap_add(step_text& text, device_traits const& on, graph_view g,
                            accesses const& reads, int id) {
  int const x = g.operand(id, 0);
  dtype const type = g[id].type, wide = accumulator_of(type);
  window_list const windows(g.attributes_of(id));
  extents const &shape = g.shape(id), to = row_major_strides(shape), from = strides_of(g, reads, x);
  nest axes;
  for (int i = 0; i < shape.rank; ++i) {
    bool const walked = windows.at(i) >= 0;
    axes.push({shape[i], {to[i], walked ? 0 : from[i], 0}, walked ? i : -1});
  }
  axes = merged(axes);
  launch_writer w("overlap_add");
  std::string const y = w.output(type, result_of(g, id));
  w.reaches(axes);
  w.item(count_of(axes));
  growing<std::string> const at = w.indices(axes, "r", "i");
  w.line("const index to = " + w.place(axes, at, 0) + ";");
  w.line(std::string(opencl::storage_type(wide)) + " sum[1] = {0};");
  if (count_of(g.shape(x)) > 0) write_taps(w, g, reads, id, axes, at, {"sum", "0"});
  opencl::text::body b(w.functions(), w.depth());
  int const value = opencl::op_texts<>::rounded(type, emit_load(b, wide, {"sum", "0"}));
  w.text(b.text());
  w.line(opencl::store_element(type, y, "to", b.name(value)));
  w.launch(text, group_of(on));
}

} // namespace detail::opencl_moves
} // namespace weft::inline v0
