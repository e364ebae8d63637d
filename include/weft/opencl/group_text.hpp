// SPDX-License-Identifier: BSL-1.0
// group_text: a fused group (pass/lower.hpp) as OpenCL kernels. The point function computes one
// element; around it, by the loop form:
//   elementwise  an item per element; four side by side on GPUs where all places are contiguous
//   rows         an item per row on CPUs, which keeps 64 lanes; on GPUs a group of 64 items, a lane
//                each, that combines them in local memory
//   columns      an item per strip of 16 columns on CPUs; on GPUs a group per 32 columns, with 16
//                items a column and 4 lanes an item
// Rows and columns of more than 16384 elements are cut into blocks of so many, whose results lie in
// scratch and are reduced by kernels of their own. The order is that of docs/numerics.md in every
// form.
// Needs: a bound graph, its accesses, schedule and lowered code. Leaves: the interpreter's bits.
#pragma once

#include <weft/core/memory_source.hpp>
#include <weft/opencl/kernel_writer.hpp>
#include <weft/opencl/point_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

using opencl::coordinate, opencl::kernel_writer, opencl::device_traits, opencl::step_text;
using axis_list = std::vector<loop_axis const*>;

class group_writer {
public:
  group_writer(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
               weft::kernel const& k, device_traits const& on)
      : g_(g), k_(k), on_(on), places_(code.places_of(k)), outputs_(code.outputs_of(k)),
        nest_(make_loop_nest(g, reads, plan, code, k)),
        point_(opencl::write_point(code, k, helpers_)) {
    bool const in_rows = k.form == loop_form::rows;
    for (loop_axis const& a : nest_.outer) kept_.push_back(&a);
    for (loop_axis const& a : nest_.reduced) reduced_.push_back(&a);
    (in_rows ? reduced_ : kept_).push_back(&nest_.inner);
    columns_ = in_rows ? 1 : nest_.inner.length;
    blocks_ = k.form == loop_form::elementwise ? 1 : blocks_of(nest_.reduced_count);
    wide_ = !fits();
  }

  step_text write() {
    if (nest_.outer_count * columns_ == 0) return {};
    if (k_.form == loop_form::elementwise) elementwise();
    else if (nest_.reduced_count == 0) nothing_to_reduce();
    else {
      bool const by_items = on_.is_cpu || on_.max_group < 512;
      if (k_.form == loop_form::rows) by_items ? rows_by_items() : rows_by_groups();
      else by_items ? columns_by_items() : columns_by_groups();
      if (blocks_ > 1) reduce_blocks();
    }
    return std::move(step_);
  }

private:
  static constexpr int strip = 16, wide_strip = 32, lane_items = 16;
  static extent blocks_of(extent count) { return (count + sum_block - 1) / sum_block; }
  extent kept_count() const { return nest_.outer_count * columns_; }

  // Do all indices fit into an int, those past the end included?
  bool fits() const {
    extent const most = (extent{1} << 31) - (1 << 16);
    extent elements = nest_.outer_count * nest_.inner.length;
    for (loop_axis const& a : nest_.reduced) elements *= a.length;
    if (elements >= most) return false;
    for (int p = 0; p < places_.size(); ++p) {
      extent reach = magnitude(nest_.offsets[p]);
      for (axis_list const* axes : {&kept_, &reduced_})
        for (loop_axis const* a : *axes)
          reach += magnitude(nest_.steps(*a)[p]) * (a->length > 0 ? a->length - 1 : 0);
      if (reach >= most) return false;
    }
    return true;
  }
  static extent magnitude(extent n) { return n < 0 ? -n : n; }
  bool is_iota(int p) const { return g_[nest_.roots[p]].code == op::iota; }
  bool is_written(int p) const {
    for (output const& o : outputs_)
      if (o.place == p) return true;
    return false;
  }
  static bool reduces(output const& o) { return o.reduction != op::stop_gradient; }
  static std::string numbered(char const* name, int n) { return name + std::to_string(n); }

  // Every place is a buffer, but for iotas.
  void name_buffers(kernel_writer& w) {
    buffers_.assign(static_cast<std::size_t>(places_.size()), "");
    for (int p = 0; p < places_.size(); ++p)
      if (!is_iota(p))
        buffers_[static_cast<std::size_t>(p)] = w.buffer(places_[p].type, is_written(p),
                                                         nest_.roots[p], nest_.offsets[p]);
  }
  std::string const& buffer(int p) const { return buffers_[static_cast<std::size_t>(p)]; }
  std::string index(kernel_writer& w, int p, std::vector<coordinate> const& at) const {
    return w.index(nest_, p, at, is_iota(p) ? nest_.offsets[p] : 0);
  }

  // One element: its values x…, y… = point(x…), and what is stored of it.
  void point(kernel_writer& w, std::vector<coordinate> const& at) {
    std::string arguments;
    for (int p : point_.places) {
      std::string const x = numbered("x", p), from = index(w, p, at);
      bool const iota = is_iota(p);
      w.line(
          std::string("const ") + (iota ? "int" : opencl::register_type(places_[p].type)) + ' ' +
          x + " = " +
          (iota ? "(int)(" + from + ')' : opencl::load_element(places_[p].type, buffer(p), from)) +
          ';');
      arguments += x + ", ";
    }
    declare_results(w);
    w.line("weft_point(" + arguments + results("") + ");");
    for (int o = 0; o < outputs_.size(); ++o)
      if (!reduces(outputs_[o])) store(w, o, at, numbered("y", o));
  }
  void declare_results(kernel_writer& w) {
    for (int o = 0; o < outputs_.size(); ++o)
      w.line(std::string(opencl::register_type(outputs_[o].type)) + ' ' + numbered("y", o) + ';');
  }
  std::string results(std::string const& suffix) const {
    std::string all;
    for (int o = 0; o < outputs_.size(); ++o)
      all += (o > 0 ? ", &" : "&") + numbered("y", o) + suffix;
    return all;
  }
  void store(kernel_writer& w, int o, std::vector<coordinate> const& at, std::string const& value) {
    int const p = outputs_[o].place;
    w.line(opencl::store_element(outputs_[o].type, buffer(p), index(w, p, at), value));
  }
  // f(output number, its lanes' name, its type in registers) for every reduction.
  template <class F> void each_reduction(F const& f) const {
    for (int o = 0; o < outputs_.size(); ++o)
      if (reduces(outputs_[o]))
        f(o, numbered("w", o), std::string(opencl::register_type(outputs_[o].type)));
  }
  std::string combined(int o, std::string const& a, std::string const& b) const {
    return a + " = " + numbered("weft_combine", o) + '(' + a + ", " + b + ");";
  }
  void take(kernel_writer const& w) {
    step_.kernels.push_back(
        w.kernel(opencl::pragmas(point_.has_double) + helpers_.helpers() + point_.functions));
    step_.launches.push_back(w.call);
    step_.launches.back().kernel = static_cast<int>(step_.kernels.size()) - 1;
  }

  // ---- elementwise
  bool contiguous() const {
    for (int p = 0; p < places_.size(); ++p) {
      extent const step = nest_.steps(nest_.inner)[p];
      if (!is_iota(p) && step != 0 && step != 1) return false;
    }
    return nest_.outer.empty() && nest_.inner.length >= 4;
  }
  void elementwise() {
    kernel_writer w("weft_elementwise", wide_);
    name_buffers(w);
    bool const by_four = !on_.is_cpu && contiguous();
    extent const items = by_four ? (kept_count() + 3) / 4 : kept_count();
    std::string const count = w.number("count", kept_count());
    if (by_four) four_elements(w, count);
    else {
      w.line("const index i = (index)get_global_id(0);");
      w.line("if (i >= " + count + ") return;");
      point(w, w.split("i", kept_, "i"));
    }
    opencl::launch_items(w.call, items, on_.max_group < 256 ? on_.max_group : 256);
    take(w);
  }
  void four_elements(kernel_writer& w, std::string const& count) {
    w.line("const index first = (index)get_global_id(0) * 4;");
    w.open("if (first + 4 <= " + count + ")");
    std::vector<coordinate> const at{{&nest_.inner, "first"}};
    for (int p : point_.places)
      if (!is_iota(p) && nest_.steps(nest_.inner)[p] == 1)
        w.line(std::string("const ") + opencl::register_type(places_[p].type) + "4 v" +
               std::to_string(p) + " = " +
               opencl::load_element4(places_[p].type, buffer(p), "first") + ';');
    for (int o = 0; o < outputs_.size(); ++o)
      w.line(std::string(opencl::register_type(outputs_[o].type)) + "4 u" + std::to_string(o) +
             ';');
    declare_results(w);
    for (int lane = 0; lane < 4; ++lane) one_of_four(w, at, std::to_string(lane));
    for (int o = 0; o < outputs_.size(); ++o)
      w.line(opencl::store_element4(outputs_[o].type, buffer(outputs_[o].place), "first",
                                    numbered("u", o)));
    w.line("return;");
    w.close();
    w.open("for (index i = first; i < " + count + "; ++i)");
    point(w, {{&nest_.inner, "i"}});
    w.close();
  }
  void one_of_four(kernel_writer& w, std::vector<coordinate> const& at, std::string const& lane) {
    std::string arguments;
    for (int p : point_.places) {
      extent const step = nest_.steps(nest_.inner)[p];
      if (is_iota(p))
        arguments += "(int)(" + index(w, p, {{at[0].axis, "(first + " + lane + ")"}}) + "), ";
      else if (step == 1) arguments += numbered("v", p) + ".s" + lane + ", ";
      else arguments += opencl::load_element(places_[p].type, buffer(p), "0") + ", ";
    }
    w.line("weft_point(" + arguments + results("") + ");");
    for (int o = 0; o < outputs_.size(); ++o)
      w.line(numbered("u", o) + ".s" + lane + " = " + numbered("y", o) + ';');
  }

  // ---- results of reductions
  // A block's result, in registers: to its place, rounded, or to scratch.
  void put_block(kernel_writer& w, int o, std::vector<coordinate> const& kept,
                 std::string const& item, std::string const& value) {
    if (blocks_ == 1) store(w, o, kept, numbered("weft_rounded", o) + '(' + value + ')');
    else w.line(scratch_of(o) + '[' + item + "] = " + value + ';');
  }
  std::string const& scratch_of(int o) const { return scratch_[static_cast<std::size_t>(o)]; }
  extent scratch_bytes_each(int o) const { return size_of(compute_register(outputs_[o].type)); }
  // The element type whose storage is the register's.
  static dtype compute_register(dtype d) {
    return d == dtype::boolean ? dtype::i32 : compute_of(d);
  }
  // Room in scratch, and its buffer, for `count` results of output o.
  std::string scratch_buffer(kernel_writer& w, int o, bool written, extent at) {
    return w.buffer(compute_register(outputs_[o].type), written, opencl::buffer_use::scratch,
                    at / scratch_bytes_each(o));
  }
  extent take_scratch(int o, extent count) {
    extent const at = step_.scratch_bytes;
    step_.scratch_bytes += aligned_bytes(count * scratch_bytes_each(o));
    return at;
  }
  void name_scratch(kernel_writer& w) {
    scratch_.assign(static_cast<std::size_t>(outputs_.size()), "");
    partial_.assign(static_cast<std::size_t>(outputs_.size()), 0);
    if (blocks_ == 1) return;
    each_reduction([&](int o, std::string const&, std::string const&) {
      extent const at = take_scratch(o, kept_count() * blocks_);
      partial_[static_cast<std::size_t>(o)] = at;
      scratch_[static_cast<std::size_t>(o)] = scratch_buffer(w, o, true, at);
    });
  }
  void nothing_to_reduce() {
    kernel_writer w("weft_empty", wide_);
    name_buffers(w);
    w.line("const index i = (index)get_global_id(0);");
    w.line("if (i >= " + w.number("count", kept_count()) + ") return;");
    std::vector<coordinate> const at = w.split("i", kept_, "i");
    each_reduction([&](int o, std::string const&, std::string const&) {
      store(w, o, at, point_.empty[static_cast<std::size_t>(o)]);
    });
    opencl::launch_items(w.call, kept_count(), 64);
    take(w);
  }

  // ---- blocks of rows and columns
  // `item` counts kept elements, the block fastest: first and end of the block's elements.
  std::string block_bounds(kernel_writer& w, std::string const& item, std::string const& kept) {
    std::string const count = w.number("reduced", nest_.reduced_count);
    if (blocks_ == 1) {
      w.line("const index first = 0, end = " + count + ';');
      return item;
    }
    std::string const blocks = w.number("blocks", blocks_);
    w.line("const index first = " + item + " % " + blocks + " * " + std::to_string(sum_block) +
           ';');
    w.line("const index " + kept + " = " + item + " / " + blocks + ';');
    w.line("const index end = min(first + (index)" + std::to_string(sum_block) + ", " + count +
           ");");
    return kept;
  }
  void declare_lanes(kernel_writer& w, int count) {
    each_reduction([&](int o, std::string const& lanes, std::string const& type) {
      w.line(type + ' ' + lanes + '[' + std::to_string(count) + "];");
      w.line("for (int j = 0; j < " + std::to_string(count) + "; ++j) " + lanes +
             "[j] = " + point_.starts[static_cast<std::size_t>(o)] + ';');
    });
  }
  // lanes[j] and lanes[j + s * step], halving s from `from`.
  void tree(kernel_writer& w, int from, int step) {
    std::string const width = step == 1 ? "s" : "s * " + std::to_string(step);
    w.line("for (int s = " + std::to_string(from) + "; s > 0; s /= 2)");
    w.open("  for (int j = 0; j < " + width + "; ++j)");
    each_reduction([&](int o, std::string const& lanes, std::string const&) {
      w.line(combined(o, lanes + "[j]", lanes + "[j + " + width + ']'));
    });
    w.close();
  }
  static std::vector<coordinate> joined(std::vector<coordinate> a,
                                        std::vector<coordinate> const& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  axis_list outer_axes() const {
    axis_list axes = kept_;
    if (k_.form != loop_form::rows) axes.pop_back();
    return axes;
  }

  void rows_by_items() {
    kernel_writer w("weft_rows", wide_);
    name_buffers(w), name_scratch(w);
    w.line("const index item = (index)get_global_id(0);");
    w.line("if (item >= " + w.number("items", kept_count() * blocks_) + ") return;");
    std::string const row = block_bounds(w, "item", "row");
    std::vector<coordinate> const kept = w.split(row, kept_, "i");
    declare_lanes(w, sum_lanes);
    w.open("for (index e = first; e < end; e += 64)");
    w.line("const int count = (int)min(end - e, (index)64);");
    w.open("for (int j = 0; j < count; ++j)");
    w.line("const index r = e + j;");
    point(w, joined(kept, w.split("r", reduced_, "r")));
    add_to_lanes(w, "[j]");
    w.close(), w.close();
    tree(w, sum_lanes / 2, 1);
    each_reduction([&](int o, std::string const& lanes, std::string const&) {
      put_block(w, o, kept, "item", lanes + "[0]");
    });
    opencl::launch_items(w.call, kept_count() * blocks_, 4);
    take(w);
  }
  void add_to_lanes(kernel_writer& w, std::string const& lane) {
    each_reduction([&](int o, std::string const& lanes, std::string const&) {
      w.line(combined(o, lanes + lane, numbered("y", o)));
    });
  }

  void rows_by_groups() {
    kernel_writer w("weft_rows", wide_);
    name_buffers(w), name_scratch(w);
    declare_local(w, 1);
    w.line("const index item = (index)get_group_id(0);");
    w.line("const int j = (int)get_local_id(0);");
    std::string const row = block_bounds(w, "item", "row");
    std::vector<coordinate> const kept = w.split(row, kept_, "i");
    declare_lanes(w, 1);
    w.open("for (index r = first + j; r < end; r += 64)");
    point(w, joined(kept, w.split("r", reduced_, "r")));
    add_to_lanes(w, "[0]");
    w.close();
    local_tree(w, "j", sum_lanes, 1);
    w.open("if (j == 0)");
    each_reduction([&](int o, std::string const&, std::string const&) {
      put_block(w, o, kept, "item", numbered("s", o) + "[0]");
    });
    w.close();
    opencl::launch_items(w.call, kept_count() * blocks_ * 64, 64);
    take(w);
  }
  // Local memory for `wide` columns of lanes that items combine.
  void declare_local(kernel_writer& w, int columns) {
    int const lanes = columns == 1 ? sum_lanes : lane_items;
    each_reduction([&](int o, std::string const&, std::string const& type) {
      w.line("__local " + type + ' ' + numbered("s", o) + '[' + std::to_string(lanes * columns) +
             "];");
    });
  }
  // Items' lanes w[0] in local memory, item `lane` of `lanes` in column `column`.
  void local_tree(kernel_writer& w, std::string const& at, int lanes, int columns) {
    each_reduction([&](int o, std::string const& own, std::string const&) {
      w.line(numbered("s", o) + '[' + at + "] = " + own + "[0];");
    });
    std::string const width = columns == 1 ? "s" : "s * " + std::to_string(columns);
    w.line("barrier(CLK_LOCAL_MEM_FENCE);");
    w.open("for (int s = " + std::to_string(lanes / 2) + "; s > 0; s /= 2)");
    w.open("if (" + at + " < " + width + ")");
    each_reduction([&](int o, std::string const&, std::string const&) {
      std::string const lane = numbered("s", o);
      w.line(combined(o, lane + '[' + at + ']', lane + '[' + at + " + " + width + ']'));
    });
    w.close();
    w.line("barrier(CLK_LOCAL_MEM_FENCE);");
    w.close();
  }

  void columns_by_items() {
    kernel_writer w("weft_columns", wide_);
    name_buffers(w), name_scratch(w);
    extent const strips = (columns_ + strip - 1) / strip;
    w.line("const index item = (index)get_global_id(0);");
    w.line("if (item >= " + w.number("items", nest_.outer_count * blocks_ * strips) + ") return;");
    std::string const across = w.number("strips", strips);
    w.line("const index column = item % " + across + " * " + std::to_string(strip) + ';');
    w.line("const index part = item / " + across + ';');
    std::string const outer = block_bounds(w, "part", "outer");
    std::string const columns = w.number("length", columns_);
    w.line("const int width = (int)min(" + columns + " - column, (index)" + std::to_string(strip) +
           ");");
    std::vector<coordinate> kept = w.split(outer, outer_axes(), "i");
    kept.push_back({&nest_.inner, "(column + c)"});
    declare_lanes(w, sum_lanes * strip);
    w.open("for (index r = first; r < end; ++r)");
    std::vector<coordinate> const at = joined(kept, w.split("r", reduced_, "r"));
    w.line("const int lane = (int)(r % 64) * " + std::to_string(strip) + ';');
    w.open("for (int c = 0; c < width; ++c)");
    point(w, at);
    add_to_lanes(w, "[lane + c]");
    w.close(), w.close();
    tree(w, sum_lanes / 2, strip);
    w.open("for (int c = 0; c < width; ++c)");
    std::string const place = columns_item(w, "part", columns, "column + c");
    each_reduction([&](int o, std::string const& lanes, std::string const&) {
      put_block(w, o, kept, place, lanes + "[c]");
    });
    w.close();
    opencl::launch_items(w.call, nest_.outer_count * blocks_ * strips, 4);
    take(w);
  }
  // Where a column's block lies in scratch: kept elements, the block fastest.
  std::string columns_item(kernel_writer& w, std::string const& part, std::string const& columns,
                           std::string const& column) {
    if (blocks_ == 1) return "";
    std::string const blocks = w.number("blocks", blocks_);
    return "(" + part + " / " + blocks + " * " + columns + " + " + column + ") * " + blocks +
           " + " + part + " % " + blocks;
  }

  void columns_by_groups() {
    kernel_writer w("weft_columns", wide_);
    name_buffers(w), name_scratch(w);
    declare_local(w, wide_strip);
    std::string const columns = w.number("length", columns_);
    w.line("const index column = (index)get_global_id(0);");
    w.line("const int j = (int)get_local_id(1);");
    w.line("const index part = (index)get_group_id(1);");
    std::string const outer = block_bounds(w, "part", "outer");
    std::vector<coordinate> kept = w.split(outer, outer_axes(), "i");
    kept.push_back({&nest_.inner, "column"});
    declare_lanes(w, sum_lanes / lane_items);
    w.open("if (column < " + columns + ")");
    w.open("for (index e = first + j; e < end; e += 64)");
    w.line("#pragma unroll");
    w.open("for (int q = 0; q < 4; ++q)");
    w.line("const index r = e + 16 * q;");
    w.open("if (r < end)");
    point(w, joined(kept, w.split("r", reduced_, "r")));
    add_to_lanes(w, "[q]");
    w.close(), w.close(), w.close(), w.close();
    each_reduction([&](int o, std::string const& lanes, std::string const&) {
      w.line(combined(o, lanes + "[0]", lanes + "[2]"));
      w.line(combined(o, lanes + "[1]", lanes + "[3]"));
      w.line(combined(o, lanes + "[0]", lanes + "[1]"));
    });
    w.line("const int own = j * 32 + (int)get_local_id(0);");
    local_tree(w, "own", lane_items, wide_strip);
    w.open("if (j == 0 && column < " + columns + ")");
    std::string const place = columns_item(w, "part", columns, "column");
    each_reduction([&](int o, std::string const&, std::string const&) {
      put_block(w, o, kept, place, numbered("s", o) + "[own]");
    });
    w.close();
    w.call.dimensions = 2;
    w.call.local[0] = wide_strip, w.call.local[1] = lane_items;
    w.call.global[0] = opencl::rounded_up(columns_, wide_strip);
    w.call.global[1] = nest_.outer_count * blocks_ * lane_items;
    take(w);
  }

  // ---- results of blocks, reduced again until one is left of each kept element
  void reduce_blocks() {
    each_reduction([&](int o, std::string const&, std::string const&) {
      extent from = partial_[static_cast<std::size_t>(o)];
      for (extent count = blocks_; count > 1;) {
        extent const next = blocks_of(count);
        from = reduce_blocks_once(o, from, count, next);
        count = next;
      }
    });
  }
  extent reduce_blocks_once(int o, extent from, extent count, extent next) {
    kernel_writer w("weft_blocks", wide_);
    std::string const in = scratch_buffer(w, o, false, from);
    extent to = 0;
    std::string out;
    int const p = outputs_[o].place;
    if (next > 1) out = scratch_buffer(w, o, true, to = take_scratch(o, kept_count() * next));
    else out = w.buffer(places_[p].type, true, nest_.roots[p], nest_.offsets[p]);
    w.line("const index item = (index)get_global_id(0);");
    w.line("if (item >= " + w.number("items", kept_count() * next) + ") return;");
    std::string const length = w.number("count", count), parts = w.number("parts", next),
                      lanes = numbered("w", o), type = opencl::register_type(outputs_[o].type);
    w.line("const index row = item / " + parts + ", first = item % " + parts + " * " +
           std::to_string(sum_block) + ';');
    w.line("const index end = min(first + (index)" + std::to_string(sum_block) + ", " + length +
           ");");
    w.line(type + ' ' + lanes + "[64];");
    w.line("for (int j = 0; j < 64; ++j) " + lanes +
           "[j] = " + point_.starts[static_cast<std::size_t>(o)] + ';');
    w.line("for (index e = first; e < end; ++e)");
    w.line("  " + combined(o, lanes + "[e % 64]", in + "[row * " + length + " + e]"));
    w.line("for (int s = 32; s > 0; s /= 2)");
    w.line("  for (int j = 0; j < s; ++j) " + combined(o, lanes + "[j]", lanes + "[j + s]"));
    if (next > 1) w.line(out + "[item] = " + lanes + "[0];");
    else {
      std::string const value = numbered("weft_rounded", o) + '(' + lanes + "[0])";
      std::vector<coordinate> const kept = w.split("row", kept_, "i");
      w.line(opencl::store_element(outputs_[o].type, out, w.index(nest_, p, kept), value));
    }
    opencl::launch_items(w.call, kept_count() * next, 4);
    take(w);
    return to;
  }

  graph_view g_;
  weft::kernel const& k_;
  device_traits const& on_;
  view<place> places_;
  view<output> outputs_;
  loop_nest nest_;
  opencl::text::program helpers_;
  opencl::point_text point_;
  axis_list kept_, reduced_;
  extent columns_ = 1, blocks_ = 1;
  bool wide_ = false;
  std::vector<std::string> buffers_, scratch_; // by place; by output
  std::vector<extent> partial_; // by output: where its blocks' results lie in scratch
  step_text step_;
};

} // namespace detail::opencl_text

namespace opencl {
inline step_text group_text(graph_view g, accesses const& reads, schedule_view plan,
                            lowered_view code, weft::kernel const& k, device_traits const& on) {
  return weft::detail::opencl_text::group_writer(g, reads, plan, code, k, on).write();
}
} // namespace opencl
} // namespace weft::inline v0
