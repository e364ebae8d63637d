// SPDX-License-Identifier: BSL-1.0
// gather and scatter as launches.
//   gather    an item finds the window of its elements and reads them from there.
//   scatter   an item takes, one after the other, all updates that can reach its elements, in the
//             order of the definition. Items share out the axes along which updates never meet:
//             batches, and the axes of a window that no index moves along. On devices of many items
//             the places along the other axes are shared out, too: an item passes over updates of
//             places that are not its own.
// Needs: a bound graph, its accesses; windows that fit (expect_elements). Leaves: the interpreter's bits.
#pragma once

#include <weft/graph/gather_dims.hpp>
#include <weft/opencl/combine_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

inline std::string& add_term(std::string& sum, std::string const& term) {
  return sum = sum == "0" ? term : sum + " + " + term;
}

// What gather and scatter know of their windows, and the text of where a window starts.
class window_text {
public:
  window_text(graph_view g, accesses const& reads, int id, int indices)
      : d(gather_of(g, id)), whole(g.shape(g.operand(id, 0))), at(g.shape(indices)),
        at_steps(strides_of(g, reads, indices)), memory(memory_of(g, reads, indices)) {}

  bool is_mapped(int axis) const {
    for (int k = 0; k < d.mapped; ++k)
      if (d.map[k] == axis) return true;
    return false;
  }
  // May a window that is not moved inside lie outside along this axis?
  bool may_leave(int axis) const {
    return d.drop && !d.is_batch(axis) && (is_mapped(axis) || d.window[axis] > whole[axis]);
  }
  // The operand's axis that runs with axis i of the indices, or -1.
  int batch_axis(int i) const {
    for (int k = 0; k < d.batches; ++k)
      if (d.index_batch[k] == i) return static_cast<int>(d.operand_batch[k]);
    return -1;
  }
  // f(axis of the result or the updates, the operand's axis or -1, the indices' axis or -1)
  template <class F> void each_axis(F const& f) const {
    int const rank = window_shape(d).rank + window_counts(d, at).rank;
    for (int i = 0, x = 0, c = 0; i < rank; ++i) {
      if (has_axis(d.window_axes, i)) {
        while (!d.in_window(x)) ++x;
        f(i, x++, -1);
      } else {
        if (c == d.index_axis) ++c;
        f(i, batch_axis(c), c);
        ++c;
      }
    }
  }
  // Component k of the index at place `first` of the indices.
  std::string component(launch_writer& w, std::string const& buffer, std::string first,
                        int k) const {
    extent const step = d.index_axis < at.rank ? k * at_steps[d.index_axis] : 0;
    w.reaches(reach());
    return buffer + "[" + (step == 0 ? first : add_term(first, w.number(step))) + "]";
  }
  extent most(int axis) const { return whole[axis] - d.window[axis]; }

private:
  extent reach() const {
    extent n = 0;
    for (int i = 0; i < at.rank; ++i)
      n += (at[i] - 1) * (at_steps[i] < 0 ? -at_steps[i] : at_steps[i]);
    return n;
  }

public:
  gather_dims d;
  extents whole, at, at_steps; // the operand's extents; the indices
  buffer_use memory;           // of the indices
};

// ---- gather
// Places: 0 in the result, 1 in x, 2 in the indices; an axis along which a window may leave x is
// tagged with x's.
inline nest gather_axes(window_text const& v, extents const& shape, extents const& x_steps) {
  extents const to = row_major_strides(shape);
  nest axes;
  v.each_axis([&](int i, int x, int c) {
    int const tag = c < 0 && v.may_leave(x) ? x : -1;
    axes.push({shape[i], {to[i], x < 0 ? 0 : x_steps[x], c < 0 ? 0 : v.at_steps[c]}, tag});
  });
  return merged(axes);
}
// The index along the axis of this tag, or nothing where the axis has one element.
inline std::string index_of(nest const& axes, growing<std::string> const& at, int tag) {
  for (int a = 0; a < axes.size(); ++a)
    if (axes[a].tag == tag) return at[a];
  return "";
}
// Variables s0, s1, ...: where the window starts along the axes that indices move it along; all
// inside, or as the index says. Returns the place that `from` becomes.
inline std::string write_starts(launch_writer& w, window_text const& v, std::string const& indices,
                                std::string from, extents const& x_steps) {
  for (int k = 0; k < v.d.mapped; ++k) {
    int const axis = static_cast<int>(v.d.map[k]);
    if (!v.d.drop && v.most(axis) == 0) continue;
    std::string const start = v.component(w, indices, "at", k), s = "s" + std::to_string(k);
    if (v.d.drop) w.line("const long " + s + " = " + start + ";");
    else
      w.line("const index " + s + " = clamp((index)" + start + ", (index)0, " +
             w.number(v.most(axis)) + ");");
    add_term(from, s + " * " + w.number(x_steps[axis]));
  }
  return from;
}
// Is an element of a window that may leave x inside?
inline std::string is_inside(launch_writer& w, window_text const& v, nest const& axes,
                             growing<std::string> const& at) {
  std::string all;
  for (int axis = 0; axis < v.d.rank; ++axis) {
    if (!v.may_leave(axis)) continue;
    std::string place = index_of(axes, at, axis);
    for (int k = 0; k < v.d.mapped; ++k)
      if (v.d.map[k] == axis) place += (place.empty() ? "s" : " + s") + std::to_string(k);
    all += (all.empty() ? "" : " && ") + ("(ulong)(" + (place.empty() ? "0" : place)) +
           ") < (ulong)" + w.number(v.whole[axis]);
  }
  return all;
}
inline void add_gather(step_text& text, device_traits const& on, graph_view g,
                       accesses const& reads, int id) {
  int const operand = g.operand(id, 0), bytes = size_of(g[id].type);
  window_text const v(g, reads, id, g.operand(id, 1));
  extents const x_steps = strides_of(g, reads, operand);
  nest const axes = gather_axes(v, g.shape(id), x_steps);
  bool const apart = !axes.empty() && (axes.back().step[2] != 0 || axes.back().tag >= 0);
  int const chunk = chunk_of(on, axes, bytes, apart);
  launch_writer w("gather");
  w.reaches(reach_of(nest_of(v.whole, x_steps, x_steps), 1));
  dtype const type = as_moved(bytes);
  std::string const y = w.output(type, result_of(g, id)),
                    x = w.input(type, memory_of(g, reads, operand)),
                    indices = w.input(dtype::i32, v.memory);
  growing<std::string> const at = item_indices(w, axes, chunk);
  w.line("const index at = " + w.place(axes, at, 2) + ";");
  w.line("const index to = " + w.place(axes, at, 0) + ";");
  std::string const from = write_starts(w, v, indices, w.place(axes, at, 1), x_steps);
  w.line(std::string("const ") + (v.d.drop ? "long" : "index") + " from = " + from + ";");
  std::string const inside = is_inside(w, v, axes, at);
  if (!inside.empty()) w.open("if (" + inside + ")");
  write_chunk(w, axes, chunk, {y, "to"}, {x, "from"});
  if (!inside.empty()) {
    w.close();
    std::string const each = chunk == 1 ? "" : "for (index k = 0; k < m; ++k) ";
    w.line("else " + each + y + "[to" + (chunk == 1 ? "" : " + k") + "] = 0;");
  }
  w.launch(text, group_of(on));
}

// ---- scatter
// Axes that items share out, and those that each item takes in order. Places: 0 in the sums, 1 in
// the updates, 2 in the indices. Along an axis of the window that indices move along, tagged, an
// item counts only: the place is looked at.
struct scatter_axes {
  nest shared, taken;
};
inline scatter_axes axes_of_scatter(window_text const& v, extents const& updates,
                                    extents const& steps) {
  extents const to = row_major_strides(v.whole);
  nest shared, windows, inside;
  v.each_axis([&](int i, int x, int c) {
    extent const at = c < 0 ? 0 : v.at_steps[c];
    if (x < 0) windows.push({updates[i], {0, steps[i], at}, -1});
    else if (c < 0 && v.is_mapped(x)) inside.push({updates[i], {0, steps[i], 0}, x});
    else {
      extent const length = updates[i] < v.whole[x] ? updates[i] : v.whole[x]; // of those inside
      shared.push({length, {to[x], steps[i], at}, -1});
    }
  });
  for (nest_axis const& a : inside) windows.push(a); // elements of one window never meet
  return {merged(sorted(shared)), merged(windows)};
}
// How many items share out the places of one element: a power of two.
inline extent sharers_of(device_traits const& on, window_text const& v, scatter_axes const& axes) {
  constexpr extent busy = 1 << 15; // items that keep a device of many busy
  extent places = 1, sharers = 1;
  for (int k = 0; k < v.d.mapped; ++k) places *= v.whole[static_cast<int>(v.d.map[k])];
  if (on.is_cpu || v.d.mapped == 0) return 1;
  while (sharers < places && sharers < count_of(axes.taken) &&
         sharers * count_of(axes.shared) < busy)
    sharers *= 2;
  return sharers;
}
// Variables p0, p1, ...: the place of an update along the axes that indices move it along. What
// lies outside is passed over. Returns where that is from the item's own place.
inline std::string write_places(launch_writer& w, window_text const& v, std::string const& indices,
                                nest const& taken, growing<std::string> const& at) {
  extents const steps = row_major_strides(v.whole);
  std::string to = "0";
  for (int k = 0; k < v.d.mapped; ++k) {
    int const axis = static_cast<int>(v.d.map[k]);
    std::string const start = v.component(w, indices, "at", k), p = "p" + std::to_string(k),
                      inside = index_of(taken, at, axis);
    std::string const more = inside.empty() ? "" : " + " + inside;
    if (v.d.drop) {
      w.line("const long " + p + " = (long)" + start + more + ";");
      w.line("if ((ulong)" + p + " >= (ulong)" + w.number(v.whole[axis]) + ") continue;");
    } else
      w.line("const index " + p + " = clamp((index)" + start + ", (index)0, " +
             w.number(v.most(axis)) + ")" + more + ";");
    add_term(to, "(index)" + p + " * " + w.number(steps[axis]));
  }
  return to;
}
// Passes over the places of other sharers.
inline void write_share(launch_writer& w, window_text const& v, std::string const& sharer,
                        extent sharers) {
  std::string key = "(index)p0";
  for (int k = 1; k < v.d.mapped; ++k)
    key = "(" + key + ") * " + w.number(v.whole[static_cast<int>(v.d.map[k])]) + " + (index)p" +
          std::to_string(k);
  w.line("if (((" + key + ") & " + w.number(sharers - 1) + ") != " + sharer + ") continue;");
}
inline void write_update(launch_writer& w, window_text const& v, nest const& axes, int chunk,
                         dtype type, place_text const& to, place_text const& from) {
  if (v.d.combine == scatter_combine::set) return write_chunk(w, axes, chunk, to, from);
  place_text y = to, x = from;
  if (chunk > 1) {
    y.at = element(w, y.at, axes.back().step[0]);
    x.at = element(w, x.at, axes.back().step[1]);
    w.open("for (index k = 0; k < m; ++k)");
  }
  write_combine(w, v.d.combine, type, y, x);
  if (chunk > 1) w.close();
}
// The loop over all updates that can reach an item's elements; `at`: the item's indices.
struct update_loop {
  window_text const& v;
  nest shared, taken;
  extent sharers;
  growing<std::string> at;
};
template <class F>
void write_updates(launch_writer& w, update_loop const& l, std::string const& indices,
                   F const& write) {
  for (int k = 0; char const* one : {"to0", "from0", "at0"})
    w.line(std::string("const index ") + one + " = " + w.place(l.shared, l.at, k++) + ";");
  w.reaches(count_of(l.taken));
  w.reaches(reach_of(l.shared, 1) + reach_of(l.taken, 1));
  w.open("for (index q = 0; q < " + w.number(count_of(l.taken)) + "; ++q)");
  w.line("index s = q;");
  growing<std::string> const now = w.indices(l.taken, "s", "j");
  w.line("const index at = at0 + " + w.place(l.taken, now, 2) + ";");
  std::string const place = write_places(w, l.v, indices, l.taken, now);
  if (l.sharers > 1) write_share(w, l.v, l.at[0], l.sharers);
  w.line("const index to = to0 + " + place + ";");
  w.line("const index from = from0 + " + w.place(l.taken, now, 1) + ";");
  write();
  w.close();
}
// All updates of node `id` into `sums`, which hold x.
inline void add_updates(step_text& text, device_traits const& on, graph_view g,
                        accesses const& reads, int id, buffer_use const& sums) {
  int const updates = g.operand(id, 1);
  dtype const type = g[id].type, moved_type = as_moved(size_of(type));
  window_text const v(g, reads, id, g.operand(id, 2));
  scatter_axes const axes = axes_of_scatter(v, g.shape(updates), strides_of(g, reads, updates));
  if (count_of(axes.shared) == 0 || count_of(axes.taken) == 0) return;
  bool const set = v.d.combine == scatter_combine::set;
  bool const one_index = !axes.shared.empty() && axes.shared.back().step[2] == 0; // of a chunk
  int const chunk = on.is_cpu && one_index ? 16 : 1;
  extent const sharers = sharers_of(on, v, axes);
  nest shared;
  if (sharers > 1) shared.push({sharers, {0, 0, 0}, -1});
  shared.append(axes.shared);
  launch_writer w("scatter");
  w.reaches(count_of(v.whole));
  std::string const y = w.output(set ? moved_type : combined_type(v.d.combine, type), sums),
                    x = w.input(set ? moved_type : type, memory_of(g, reads, updates)),
                    indices = w.input(dtype::i32, v.memory);
  growing<std::string> const at = item_indices(w, shared, chunk);
  write_updates(w, {v, shared, axes.taken, sharers, at}, indices, [&] {
    write_update(w, v, shared, chunk, type, {y, "to"}, {x, "from"});
  });
  w.launch(text, group_of(on));
}
inline void add_scatter(step_text& text, device_traits const& on, graph_view g,
                        accesses const& reads, int id) {
  gather_dims const d = gather_of(g, id);
  extents const& shape = g.shape(id);
  extent const updates = count_of(g.shape(g.operand(id, 1)));
  dtype const type = g[id].type, wide = combined_type(d.combine, type);
  buffer_use const result = result_of(g, id);
  add_copy_of(text, on, g, reads, g.operand(id, 0), result);
  if (wide == type || updates == 0) return add_updates(text, on, g, reads, id, result);
  buffer_use const sums{buffer_use::scratch, 0, size_of(wide)};
  text.scratch_bytes = count_of(shape) * size_of(wide);
  add_conversion(text, on, {sums, wide}, {result, type}, count_of(shape));
  add_updates(text, on, g, reads, id, sums);
  add_conversion(text, on, {result, type}, {sums, wide}, count_of(shape));
}

} // namespace detail::opencl_moves
} // namespace weft::inline v0
