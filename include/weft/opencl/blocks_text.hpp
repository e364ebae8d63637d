// SPDX-License-Identifier: BSL-1.0
// Rows and columns of more than 16384 elements are cut into blocks of so many; their results lie in
// scratch and are reduced again, by kernels of their own, until one is left: by one item each, or by
// groups of 64, as the rows and columns themselves are.
// Needs: a group's frame. Leaves: results in their places; where one block is enough, no scratch.
#pragma once

#include <weft/opencl/lanes_text.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace detail::opencl_text {

constexpr extent blocks_of(extent count) { return share_count(count, sum_block); }

class group_blocks {
public:
  enum class worker : std::uint8_t { item, group };

  group_blocks(group_frame& f, step_text& step, worker by)
      : count(blocks_of(f.nest.reduced_count)), f_(f), step_(step), by_(by) {}

  extent const count;

  void name_scratch(kernel_writer& w) {
    scratch_.assign(static_cast<std::size_t>(f_.outputs.size()), "");
    partial_.assign(static_cast<std::size_t>(f_.outputs.size()), 0);
    if (count == 1) return;
    f_.each_reduction([&](int o, std::string const&, std::string const&) {
      extent const at = take_scratch(o, f_.kept_count() * count);
      partial_[static_cast<std::size_t>(o)] = at;
      scratch_[static_cast<std::size_t>(o)] = scratch_buffer(w, o, true, at);
    });
  }
  // `item` counts kept elements, the block fastest: first and end of the block's elements. Comes
  // back: the name of the kept element's number.
  std::string bounds(kernel_writer& w, std::string const& item, std::string const& kept) {
    std::string const length = w.number("reduced", f_.nest.reduced_count);
    if (count == 1) {
      w.line("const index first = 0, end = " + length + ';');
      return item;
    }
    std::string const blocks = w.number("blocks", count);
    w.line("const index first = " + item + " % " + blocks + " * " + std::to_string(sum_block) +
           ';');
    w.line("const index " + kept + " = " + item + " / " + blocks + ';');
    w.line("const index end = min(first + (index)" + std::to_string(sum_block) + ", " + length +
           ");");
    return kept;
  }
  // A block's result, in registers: to its place, rounded, or to scratch.
  void put(kernel_writer& w, int o, coordinates const& kept, std::string const& item,
           std::string const& value) {
    if (count == 1) f_.store(w, o, kept, f_.rounded(o, value));
    else w.line(scratch_[static_cast<std::size_t>(o)] + '[' + item + "] = " + value + ';');
  }
  void reduce() {
    if (count == 1) return;
    f_.each_reduction([&](int o, std::string const&, std::string const&) {
      extent from = partial_[static_cast<std::size_t>(o)];
      for (extent blocks = count; blocks > 1;) {
        extent const next = blocks_of(blocks);
        from = reduce_once(o, from, blocks, next);
        blocks = next;
      }
    });
  }

private:
  extent bytes_each(int o) const { return size_of(opencl::held_as(f_.outputs[o].type)); }
  // Room in scratch, and its buffer, for so many results of output o.
  std::string scratch_buffer(kernel_writer& w, int o, bool written, extent at) {
    return w.buffer(opencl::held_as(f_.outputs[o].type), written, opencl::buffer_use::scratch,
                    at / bytes_each(o));
  }
  extent take_scratch(int o, extent results) {
    extent const at = step_.scratch_bytes;
    step_.scratch_bytes += aligned_bytes(results * bytes_each(o));
    return at;
  }

  extent reduce_once(int o, extent from, extent blocks, extent next) {
    kernel_writer w("weft_blocks", !f_.fits());
    std::string const in = scratch_buffer(w, o, false, from);
    extent to = 0;
    std::string out;
    int const p = f_.outputs[o].place;
    if (next > 1) out = scratch_buffer(w, o, true, to = take_scratch(o, f_.kept_count() * next));
    else out = w.buffer(f_.places[p].type, true, f_.nest.roots[p], f_.nest.offsets[p]);
    extent const results = f_.kept_count() * next;
    bool const grouped = by_ == worker::group;
    w.line(std::string("const index item = (index)") +
           (grouped ? "get_group_id(0);" : "get_global_id(0);"));
    if (!grouped) w.line("if (item >= " + w.number("items", results) + ") return;");
    std::string const length = w.number("count", blocks), parts = w.number("parts", next);
    std::string const result = grouped ? combine_by_group(w, o, in, length, parts)
                                       : combine_by_item(w, o, in, length, parts);
    if (grouped) w.open("if (j == 0)");
    if (next > 1) w.line(out + "[item] = " + result + ';');
    else {
      coordinates const kept = w.split("row", f_.kept, "i");
      w.line(opencl::store_element(f_.outputs[o].type, out, w.index(f_.nest, p, kept),
                                   f_.rounded(o, result)));
    }
    if (grouped) w.close(), opencl::launch_items(w.call, results * 64, 64);
    else opencl::launch_items(w.call, results, 4);
    add_kernel(step_, w, f_.point.program());
    return to;
  }
  static void bound_block(kernel_writer& w, std::string const& length, std::string const& parts) {
    std::string const block = std::to_string(sum_block);
    w.line("const index row = item / " + parts + ", first = item % " + parts + " * " + block + ';');
    w.line("const index end = min(first + (index)" + block + ", " + length + ");");
  }
  std::string combine_by_item(kernel_writer& w, int o, std::string const& in,
                              std::string const& length, std::string const& parts) {
    std::string lanes = numbered("w", o);
    bound_block(w, length, parts);
    w.line(register_of(o) + ' ' + lanes + "[64];");
    w.line("for (int j = 0; j < 64; ++j) " + lanes + "[j] = " + f_.start(o) + ';');
    w.line("for (index e = first; e < end; ++e)");
    w.line("  " + f_.combined(o, lanes + "[e % 64]", in + "[row * " + length + " + e]"));
    w.line("for (int s = 32; s > 0; s /= 2)");
    w.line("  for (int j = 0; j < s; ++j) " + f_.combined(o, lanes + "[j]", lanes + "[j + s]"));
    return lanes + "[0]";
  }
  std::string combine_by_group(kernel_writer& w, int o, std::string const& in,
                               std::string const& length, std::string const& parts) {
    std::string const lane = numbered("w", o), all = local_lanes(f_, o);
    w.line("__local " + register_of(o) + ' ' + all + "[64];");
    w.line("const int j = (int)get_local_id(0);");
    bound_block(w, length, parts);
    w.line(register_of(o) + ' ' + lane + " = " + f_.start(o) + ';');
    w.line("for (index e = first + j; e < end; e += 64)");
    w.line("  " + f_.combined(o, lane, in + "[row * " + length + " + e]"));
    w.line(all + "[j] = " + lane + ';');
    halve_local(w, "j", sum_lanes, 1, [&](std::string const& mine, std::string const& other) {
      w.line(f_.combined(o, all + mine, all + other));
    });
    return all + "[0]";
  }
  std::string register_of(int o) const { return opencl::register_type(f_.outputs[o].type); }

  group_frame& f_;
  step_text& step_;
  worker const by_;
  std::vector<std::string> scratch_; // by output
  std::vector<extent> partial_;      // by output: where its blocks' results lie in scratch
};

} // namespace detail::opencl_text
} // namespace weft::inline v0
