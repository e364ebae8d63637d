// SPDX-License-Identifier: BSL-1.0
// value_reader: the values of a run in memory, and the steps that only move them: pad, concat,
// windows at run-time places, gather and scatter, the order of elements, and reshapes that strides
// cannot express.
// Needs: a bound graph, its accesses, and the address of each root; move_bytes of scratch. Leaves: destinations are
// written whole, in row-major order.
#pragma once

#include <weft/cpu/gather.hpp>
#include <weft/cpu/move.hpp>
#include <weft/cpu/sort.hpp>
#include <weft/graph/raise_extents.hpp>
#include <weft/pass/access.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

struct value_reader {
  graph_view g;
  accesses const& reads;
  growing<std::intptr_t> const& address; // per root: its first element

  // Where a value's access starts, and how it steps, in elements.
  std::byte* memory_of(int id) const {
    access const& a = reads.of[id];
    std::intptr_t const root =
        address[a.root]; // 0 where there is no element: no pointer arithmetic
    return reinterpret_cast<std::byte*>(root +
                                        static_cast<std::intptr_t>(a.offset) * size_of(g[id].type));
  }
  extents strides(int id) const { return strides_of(reads.of[id], g.shape(id).rank); }

  void copy_value(int id, void* to) const {
    copy(size_of(g[id].type), g.shape(id), memory_of(id), strides(id), to, whole_strides(id));
  }
  strided_array array(int id) const {
    return {g[id].type, memory_of(id), g.shape(id), strides(id)};
  }
  // Step `id` into its own memory.
  void run_move(int id, scratch memory, executor_ref on) const {
    if (count_of(g.shape(id)) == 0) return;
    auto* out = reinterpret_cast<std::byte*>(address[id]);
    switch (g[id].code) {
      case op::concat: return run_concat(id, out);
      case op::pad: return run_pad(id, out);
      case op::dynamic_slice: return run_window(id, out);
      case op::dynamic_update_slice: return run_update(id, out);
      case op::gather: return run_gather(id, out, on);
      case op::scatter: return run_scatter(id, out, memory);
      case op::arg_sort: return run_sort(id, out, memory, on);
      case op::arg_reduce: return run_arg_reduce(id, out, on);
      default: return copy_reshaped(id, out); // a reshape that strides could not express
    }
  }

private:
  // Clamped windows may be larger than an extent that had a name.
  void expect_windows(int id, gather_dims const& d, extent elements) const {
    extents const& x = g.shape(g.operand(id, 0));
    if (elements > 0 && !windows_fit(d, x))
      detail::raise_extents(name_of(g[id].code), window_extents(d), x);
  }
  void run_gather(int id, std::byte* out, executor_ref on) const {
    gather_dims const d = gather_of(g, id);
    expect_windows(id, d, count_of(g.shape(id)));
    gather(d, array(g.operand(id, 0)), array(g.operand(id, 1)), g.shape(id), out, on);
  }
  void run_scatter(int id, std::byte* out, scratch memory) const {
    gather_dims const d = gather_of(g, id);
    int const updates = g.operand(id, 1);
    copy_value(g.operand(id, 0), out);
    if (count_of(g.shape(updates)) == 0) return;
    expect_windows(id, d, count_of(g.shape(updates)));
    scatter(d, g.shape(id), array(updates), array(g.operand(id, 2)), out, memory);
  }
  void run_sort(int id, std::byte* out, scratch memory, executor_ref on) const {
    growing<strided_array> keys;
    for (int k : g.operands_of(id)) keys.push(array(k));
    arg_sort(keys, static_cast<int>(g.attribute(id, 0)), g.attribute(id, 1), out, memory, on);
  }
  void run_arg_reduce(int id, std::byte* out, executor_ref on) const {
    strided_array const x = array(g.operand(id, 0));
    if (count_of(x.shape) == 0) detail::raise_no_element(x.shape);
    arg_reduce(x, g.attribute(id, 0), g.attribute(id, 1) != 0, out, on);
  }
  void copy_reshaped(int id, std::byte* out) const { copy_value(g.operand(id, 0), out); }
  void run_concat(int id, std::byte* out) const {
    extents to = whole_strides(id);
    int axis = static_cast<int>(g.attribute(id, 0));
    for (int part : g.operands_of(id)) {
      copy(size_of(g[id].type), g.shape(part), memory_of(part), strides(part), out, to);
      out += g.shape(part)[axis] * to[axis] * size_of(g[id].type);
    }
  }
  // Negative low or high crops: only elements that land inside are copied.
  void run_pad(int id, std::byte* out) const {
    int size = size_of(g[id].type), x = g.operand(id, 0), rank = g.shape(id).rank;
    extents to = whole_strides(id), from = strides(x), some = g.shape(x);
    fill(size, g.shape(id), memory_of(g.operand(id, 1)), out, to);
    extent first_from = 0, first_to = 0; // elements before the first that is copied
    for (int i = 0; i < rank; ++i) {
      extent low = g.attribute(id, i), step = g.attribute(id, 2 * rank + i) + 1;
      extent first = low < 0 ? (-low + step - 1) / step : 0;
      extent space = g.shape(id)[i] - low; // places from element 0 to the end
      extent end = space <= 0 ? 0 : (space + step - 1) / step;
      if (end > some[i]) end = some[i];
      some[i] = end > first ? end - first : 0;
      first_from += first * from[i];
      first_to += (low + first * step) * to[i];
      to[i] *= step;
    }
    if (count_of(some) > 0)
      copy(size, some, memory_of(x) + first_from * size, from, out + first_to * size, to);
  }
  extents whole_strides(int id) const {
    access a;
    set_row_major(a, g.shape(id));
    return strides_of(a, g.shape(id).rank);
  }
  // Bytes from the first element to the window whose starts are operands first, first + 1, ….
  extent window_offset(int id, int first, extents const& window, extents const& strides) const {
    extent offset = 0;
    for (int i = 0; i < window.rank; ++i) {
      std::int32_t start = 0;
      std::memcpy(&start, memory_of(g.operand(id, first + i)), sizeof start);
      extent most = g.shape(g.operand(id, 0))[i] - window[i];
      extent clamped = start < 0 ? 0 : start > most ? most : start;
      offset += clamped * strides[i];
    }
    return offset * size_of(g[id].type);
  }
  void run_window(int id, std::byte* out) const {
    int x = g.operand(id, 0);
    extents from = strides(x);
    copy(size_of(g[id].type), g.shape(id), memory_of(x) + window_offset(id, 1, g.shape(id), from),
         from, out, whole_strides(id));
  }
  void run_update(int id, std::byte* out) const {
    int update = g.operand(id, 1);
    copy_value(g.operand(id, 0), out);
    extents to = whole_strides(id);
    copy(size_of(g[id].type), g.shape(update), memory_of(update), strides(update),
         out + window_offset(id, 2, g.shape(update), to), to);
  }
  static extents strides_of(access const& a, int rank) {
    extents s;
    for (int i = 0; i < rank; ++i) s.push(a.stride[i]);
    return s;
  }
};

// Bytes of scratch that a move asks for.
inline extent move_bytes(graph_view g, int id, int threads) {
  if (g[id].code == op::scatter) return scatter_bytes(gather_of(g, id), g[id].type, g.shape(id));
  if (g[id].code != op::arg_sort) return 0;
  return threads * sort_bytes(g.shape(id)[static_cast<int>(g.attribute(id, 0))]);
}

} // namespace cpu
} // namespace weft::inline v0
