// SPDX-License-Identifier: BSL-1.0
// copy_text: a value, however it is read, into memory of its own, side by side.
// Needs: a bound graph, its accesses. Leaves: one launch that reads buffer 0, the value's root, and
// writes buffer 1, which the caller chooses.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/opencl/kernel_writer.hpp>
#include <weft/pass/access.hpp>

namespace weft::inline v0 {
namespace opencl {

// Elements are moved as they are.
constexpr dtype as_moved(dtype d) {
  switch (size_of(d)) {
    case 1: return dtype::u8;
    case 2: return dtype::u16;
    case 4: return dtype::u32;
    default: return dtype::u64;
  }
}

inline step_text copy_text(graph_view g, accesses const& reads, int id) {
  access const& a = reads.of[id];
  extents const& shape = g.shape(id);
  extent const count = count_of(shape);
  if (count == 0) return {};
  loop_nest nest;
  std::vector<loop_axis> axes;
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i] == 1) continue;
    axes.push_back({shape[i], nest.strides.size()});
    nest.strides.push(a.stride[i]);
  }
  extent reach = count;
  for (int i = 0; i < shape.rank; ++i)
    reach += (shape[i] - 1) * (a.stride[i] < 0 ? -a.stride[i] : a.stride[i]);
  std::vector<loop_axis const*> all;
  for (loop_axis const& axis : axes) all.push_back(&axis);
  dtype const type = as_moved(g[id].type);
  kernel_writer w("weft_copy", reach >= (extent{1} << 31) - 65536);
  std::string const from = w.buffer(type, false, a.root, a.offset),
                    to = w.buffer(type, true, buffer_use::scratch, 0);
  w.line("const index i = (index)get_global_id(0);");
  w.line("if (i >= " + w.number("count", count) + ") return;");
  std::string const at = w.index(nest, 0, w.split("i", all, "i"));
  w.line(to + "[i] = " + from + '[' + at + "];");
  launch_items(w.call, count, 64);
  step_text step;
  step.kernels.push_back(w.kernel(""));
  step.launches.push_back(w.call);
  return step;
}

} // namespace opencl
} // namespace weft::inline v0
