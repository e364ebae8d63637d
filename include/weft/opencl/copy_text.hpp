// SPDX-License-Identifier: BSL-1.0
// Copies between strided arrays, as launches: what an element is does not matter, only its size.
//   add_copy(text, on, {bytes, axes, to, from})     to[i] = from[i] for every index i
// A copy may start at a place that only the run knows: window_start.
// An item moves one element, or several neighbours of the last axis where that is faster.
// Needs: bytes 1, 2, 4 or 8; no two indices at one place of `to`; no overlap of the two sides.
// Leaves: only those elements of `to` written; nothing launched where there is none.
#pragma once

#include <weft/opencl/launch_writer.hpp>
#include <weft/opencl/value_memory.hpp>
#include <weft/pass/access.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

// Elements are moved as they are.
constexpr dtype as_moved(int bytes) {
  return bytes == 1 ? dtype::u8 : bytes == 2 ? dtype::u16 : bytes == 4 ? dtype::u32 : dtype::u64;
}

// ---- values of a graph in memory
inline buffer_use result_of(graph_view g, int id) { return {id, 0, size_of(g[id].type)}; }
constexpr buffer_use moved(buffer_use use, extent elements) {
  use.offset += elements;
  return use;
}
inline nest nest_of(extents const& shape, extents const& to, extents const& from) {
  nest all;
  for (int i = 0; i < shape.rank; ++i) all.push({shape[i], {to[i], from[i], 0}});
  return all;
}

// One side of a move: a buffer, and where in it.
struct place_text {
  std::string buffer, at;
};

// ---- what one item moves
// Of the last axis, at most so many elements. `apart`: each has a place of its own to be found.
inline int chunk_of(device_traits const& on, nest const& axes, int bytes, bool apart = false) {
  if (apart || axes.empty()) return 1;
  bool const contiguous = axes.back().step[0] == 1 && axes.back().step[1] == 1;
  return on.is_cpu ? 16 : contiguous ? 16 / bytes : 1;
}
// The indices of an item: with a chunk, that of the last axis is where it starts, and `m` is how
// many elements it has.
inline growing<std::string> item_indices(launch_writer& w, nest const& axes, int chunk) {
  nest pieces = axes;
  if (chunk > 1) pieces.back().length = share_count(axes.back().length, chunk);
  w.item(count_of(pieces));
  growing<std::string> at = w.indices(pieces, "r", "i");
  w.reaches(axes);
  if (chunk == 1) return at;
  w.reaches(axes.back().length + chunk);
  std::string const size = std::to_string(chunk);
  w.line("const index c = " + at.back() + " * " + size + ";");
  w.line("const index m = min((index)" + size + ", " + w.number(axes.back().length) + " - c);");
  at.back() = "c";
  return at;
}
// Element k of a chunk that starts at `first`.
inline std::string element(launch_writer& w, std::string const& first, extent step) {
  if (step == 0) return first;
  return first + " + k" + (step == 1 ? "" : " * " + w.number(step));
}
inline void write_chunk(launch_writer& w, nest const& axes, int chunk, place_text const& to,
                        place_text const& from) {
  if (chunk == 1)
    return w.line(to.buffer + "[" + to.at + "] = " + from.buffer + "[" + from.at + "];");
  nest_axis const& last = axes.back();
  std::string const size = std::to_string(chunk);
  bool const contiguous = last.step[0] == 1 && last.step[1] == 1;
  if (contiguous)
    w.line("if (m == " + size + ") vstore" + size + "(vload" + size + "(0, " + from.buffer + " + " +
           from.at + "), 0, " + to.buffer + " + " + to.at + ");");
  std::string const y = element(w, to.at, last.step[0]), x = element(w, from.at, last.step[1]);
  w.line(std::string(contiguous ? "else " : "") + "for (index k = 0; k < m; ++k) " + to.buffer +
         "[" + y + "] = " + from.buffer + "[" + x + "];");
}

// The start of a window, a number in memory, clamped to 0 ... most; in steps of one side.
struct window_start {
  buffer_use at;
  extent most, step;
};
struct copy {
  int bytes;
  nest axes; // places: 0 in `to`, 1 in `from`
  buffer_use to, from;
  growing<window_start> starts{};
  bool starts_in_to = false;
};

// The sum of a place, which is at most `reach`, and of where its window starts.
inline std::string from_start(launch_writer& w, std::string place, extent reach,
                              view<window_start> starts) {
  for (window_start const& s : starts) {
    if (s.most == 0) continue; // there is no other
    reach += s.most * (s.step < 0 ? -s.step : s.step);
    std::string const start = w.input(dtype::i32, s.at);
    place += " + clamp((index)*" + start + ", (index)0, " + w.number(s.most) + ") * " +
             w.number(s.step);
  }
  w.reaches(reach);
  return place;
}

inline void add_copy(step_text& text, device_traits const& on, copy const& c) {
  if (count_of(c.axes) == 0) return;
  nest const axes = merged(sorted(c.axes));
  int const chunk = chunk_of(on, axes, c.bytes);
  dtype const type = as_moved(c.bytes);
  launch_writer w("copy");
  std::string const y = w.output(type, c.to), x = w.input(type, c.from);
  growing<std::string> const at = item_indices(w, axes, chunk);
  std::string to = w.place(axes, at, 0), from = w.place(axes, at, 1);
  std::string& moving = c.starts_in_to ? to : from;
  moving = from_start(w, moving, reach_of(axes, c.starts_in_to ? 0 : 1), c.starts);
  w.line("const index to = " + to + ";");
  w.line("const index from = " + from + ";");
  write_chunk(w, axes, chunk, {y, "to"}, {x, "from"});
  w.launch(text, group_of(on));
}
// All of `id` to a row-major array.
inline void add_copy_of(step_text& text, device_traits const& on, graph_view g,
                        accesses const& reads, int id, buffer_use const& to) {
  extents const& shape = g.shape(id);
  add_copy(text, on,
           {size_of(g[id].type), nest_of(shape, row_major_strides(shape), strides_of(g, reads, id)),
            to, memory_of(g, reads, id)});
}

} // namespace detail::opencl_moves

namespace opencl {

// A value, however it is read, side by side into the memory that takes the place of scratch.
inline step_text copy_text(graph_view g, accesses const& reads, int id, device_traits const& on) {
  step_text text;
  buffer_use const to{buffer_use::scratch, 0, size_of(g[id].type)};
  weft::detail::opencl_moves::add_copy_of(text, on, g, reads, id, to);
  return text;
}

} // namespace opencl
} // namespace weft::inline v0
