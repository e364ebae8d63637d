// SPDX-License-Identifier: BSL-1.0
// columns_text: reductions that keep the inner axis: an item per strip of 16 columns, which keeps 64
// lanes of each; or a group per 32 columns, with 16 items a column and 4 lanes an item.
// Needs: the group's frame. Leaves: one kernel, and those of blocks.
#pragma once

#include <weft/opencl/blocks_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

class columns_writer {
public:
  static constexpr int local_lanes_of_each = 32 * 16; // a reduction's, of a group of items

  columns_writer(group_frame& f, step_text& step, group_blocks::worker by)
      : f_(f), step_(step), blocks_(f, step, by) {}

  void write_by_items() {
    kernel_writer w("weft_columns", !f_.fits());
    f_.name_buffers(w), blocks_.name_scratch(w);
    extent const strips = share_count(f_.columns, strip),
                 items = f_.nest.outer_count * blocks_.count * strips;
    w.line("const index item = (index)get_global_id(0);");
    w.line("if (item >= " + w.number("items", items) + ") return;");
    std::string const across = w.number("strips", strips);
    w.line("const index column = item % " + across + " * " + std::to_string(strip) + ';');
    w.line("const index part = item / " + across + ';');
    std::string const outer = blocks_.bounds(w, "part", "outer");
    std::string const columns = w.number("length", f_.columns);
    w.line("const int width = (int)min(" + columns + " - column, (index)" + std::to_string(strip) +
           ");");
    coordinates const kept = kept_at(w, outer, "(column + c)");
    reduce_strip(w, kept);
    w.open("for (int c = 0; c < width; ++c)");
    std::string const place = block_place(w, columns, "column + c");
    f_.each_reduction([&](int o, std::string const& lanes, std::string const&) {
      blocks_.put(w, o, kept, place, lanes + "[c]");
    });
    w.close();
    opencl::launch_items(w.call, items, 4);
    add_kernel(step_, w, f_.point.program());
    blocks_.reduce();
  }

  void write_by_groups() {
    kernel_writer w("weft_columns", !f_.fits());
    f_.name_buffers(w), blocks_.name_scratch(w);
    declare_local(f_, w, local_lanes_of_each);
    std::string const columns = w.number("length", f_.columns);
    // All groups lie along dimension 0: of another, CUDA has no more than 65535.
    extent const strips = share_count(f_.columns, wide_strip);
    std::string const across = w.number("strips", strips), wide = std::to_string(wide_strip);
    w.line("const index group = (index)get_group_id(0);");
    w.line("const index column = group % " + across + " * " + wide + " + (index)get_local_id(0);");
    w.line("const int j = (int)get_local_id(1);");
    w.line("const index part = group / " + across + ';');
    std::string const outer = blocks_.bounds(w, "part", "outer");
    coordinates const kept = kept_at(w, outer, "column");
    reduce_four_lanes(w, kept, columns);
    w.line("const int own = j * 32 + (int)get_local_id(0);");
    combine_local(f_, w, "[0]", "own", lane_items, wide_strip);
    w.open("if (j == 0 && column < " + columns + ")");
    std::string const place = block_place(w, columns, "column");
    f_.each_reduction([&](int o, std::string const&, std::string const&) {
      blocks_.put(w, o, kept, place, local_lanes(f_, o) + "[own]");
    });
    w.close();
    w.call.dimensions = 2;
    w.call.local[0] = wide_strip, w.call.local[1] = lane_items;
    w.call.global[0] = f_.nest.outer_count * blocks_.count * strips * wide_strip;
    w.call.global[1] = lane_items;
    add_kernel(step_, w, f_.point.program());
    blocks_.reduce();
  }

private:
  static constexpr int strip = 16, wide_strip = 32, lane_items = local_lanes_of_each / wide_strip;

  coordinates kept_at(kernel_writer& w, std::string const& outer, std::string const& column) {
    axis_list axes = f_.kept;
    axes.pop_back();
    coordinates kept = w.split(outer, axes, "i");
    kept.push_back({&f_.nest.inner, column});
    return kept;
  }
  void reduce_strip(kernel_writer& w, coordinates const& kept) {
    declare_lanes(f_, w, sum_lanes * strip);
    w.open("for (index r = first; r < end; ++r)");
    coordinates const at = joined(kept, w.split("r", f_.reduced, "r"));
    w.line("const int lane = (int)(r % 64) * " + std::to_string(strip) + ';');
    w.open("for (int c = 0; c < width; ++c)");
    f_.element_point(w, at);
    add_to_lanes(f_, w, "[lane + c]");
    w.close(), w.close();
    combine_lanes(f_, w, sum_lanes / 2, strip);
  }
  // Lanes j, j + 16, j + 32 and j + 48, combined as the tree does first.
  void reduce_four_lanes(kernel_writer& w, coordinates const& kept, std::string const& columns) {
    declare_lanes(f_, w, sum_lanes / lane_items);
    w.open("if (column < " + columns + ")");
    w.line("index e = first + j;");
    w.line("#pragma unroll 2");
    w.open("for (; e + 48 < end; e += 64)");
    add_four(w, kept, [] {});
    w.close();
    w.open("if (e < end)");
    add_four(w, kept, [&] { w.open("if (r < end)"); });
    w.close(), w.close();
    f_.each_reduction([&](int o, std::string const& lanes, std::string const&) {
      w.line(f_.combined(o, lanes + "[0]", lanes + "[2]"));
      w.line(f_.combined(o, lanes + "[1]", lanes + "[3]"));
      w.line(f_.combined(o, lanes + "[0]", lanes + "[1]"));
    });
  }
  // Elements e, e + 16, e + 32, e + 48, to a lane each; `guard` may open a block around one.
  template <class Guard>
  void add_four(kernel_writer& w, coordinates const& kept, Guard const& guard) {
    int const depth = w.depth();
    w.line("#pragma unroll");
    w.open("for (int q = 0; q < 4; ++q)");
    w.line("const index r = e + 16 * q;");
    guard();
    f_.element_point(w, joined(kept, w.split("r", f_.reduced, "r")));
    add_to_lanes(f_, w, "[q]");
    while (w.depth() > depth) w.close();
  }
  // Where a column's block lies in scratch: kept elements, the block fastest.
  std::string block_place(kernel_writer& w, std::string const& columns, std::string const& column) {
    if (blocks_.count == 1) return "";
    std::string const blocks = w.number("blocks", blocks_.count);
    return "(part / " + blocks + " * " + columns + " + " + column + ") * " + blocks + " + part % " +
           blocks;
  }

  group_frame& f_;
  step_text& step_;
  group_blocks blocks_;
};

} // namespace detail::opencl_text
} // namespace weft::inline v0
