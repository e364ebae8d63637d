// SPDX-License-Identifier: BSL-1.0
// rows_text: reductions over the inner axis: an item per row, or per block of one, which keeps 64
// lanes; or a group of 64 items, a lane each, that combines them in local memory. And the two ways
// to walk a row, for chains of groups over one row (row_chain_text).
// Needs: the group's frame. Leaves: one kernel, and those of blocks.
#pragma once

#include <weft/opencl/blocks_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

// Elements first to end of a row, in lanes; `element()` writes element r. A result is
// lane 0 then.
template <class Element>
void reduce_row_by_item(group_frame const& f, kernel_writer& w, Element const& element) {
  declare_lanes(f, w, sum_lanes);
  w.open("for (index e = first; e < end; e += 64)");
  w.line("const int count = (int)min(end - e, (index)64);");
  w.open("for (int j = 0; j < count; ++j)");
  w.line("const index r = e + j;");
  element();
  add_to_lanes(f, w, "[j]");
  w.close(), w.close();
  combine_lanes(f, w, sum_lanes / 2, 1);
}
// The same by item j of 64, with local memory declared.
template <class Element>
void reduce_row_by_group(group_frame const& f, kernel_writer& w, Element const& element) {
  declare_lane(f, w);
  w.open("for (index r = first + j; r < end; r += 64)");
  element();
  add_to_lanes(f, w, "");
  w.close();
  combine_local(f, w, "", "j", sum_lanes, 1);
}

inline void write_rows_by_items(group_frame& f, step_text& step) {
  kernel_writer w("weft_rows", !f.fits());
  group_blocks blocks(f, step, group_blocks::worker::item);
  f.name_buffers(w), blocks.name_scratch(w);
  extent const items = f.kept_count() * blocks.count;
  w.line("const index item = (index)get_global_id(0);");
  w.line("if (item >= " + w.number("items", items) + ") return;");
  std::string const row = blocks.bounds(w, "item", "row");
  coordinates const kept = w.split(row, f.kept, "i");
  reduce_row_by_item(f, w, [&] { f.element_point(w, joined(kept, w.split("r", f.reduced, "r"))); });
  f.each_reduction([&](int o, std::string const& lanes, std::string const&) {
    blocks.put(w, o, kept, "item", lanes + "[0]");
  });
  opencl::launch_items(w.call, items, 4);
  add_kernel(step, w, f.point.program());
  blocks.reduce();
}

inline void write_rows_by_groups(group_frame& f, step_text& step) {
  kernel_writer w("weft_rows", !f.fits());
  group_blocks blocks(f, step, group_blocks::worker::group);
  f.name_buffers(w), blocks.name_scratch(w);
  declare_local(f, w, sum_lanes);
  w.line("const index item = (index)get_group_id(0);");
  w.line("const int j = (int)get_local_id(0);");
  std::string const row = blocks.bounds(w, "item", "row");
  coordinates const kept = w.split(row, f.kept, "i");
  reduce_row_by_group(f, w,
                      [&] { f.element_point(w, joined(kept, w.split("r", f.reduced, "r"))); });
  w.open("if (j == 0)");
  f.each_reduction([&](int o, std::string const&, std::string const&) {
    blocks.put(w, o, kept, "item", local_lanes(f, o) + "[0]");
  });
  w.close();
  opencl::launch_items(w.call, f.kept_count() * blocks.count * 64, 64);
  add_kernel(step, w, f.point.program());
  blocks.reduce();
}

} // namespace detail::opencl_text
} // namespace weft::inline v0
