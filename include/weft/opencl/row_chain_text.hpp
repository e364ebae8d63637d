// SPDX-License-Identifier: BSL-1.0
// row_chain_text: groups that walk the same rows (row_chain.hpp) as one kernel: an item per row does
// them after one another; on GPUs a group of 64 items does, a lane each. An element is always an
// item's own, so that only lanes being combined need barriers.
//   result0_2    output 0 of group 2, a number of the row
//   row0[r]      element r of a row that is kept in local memory
// Needs: a chain, what is stored of it, its groups' lowered code. Leaves: the bits of the groups'
// own kernels.
#pragma once

#include <weft/opencl/row_chain.hpp>
#include <weft/opencl/rows_text.hpp>

#include <deque>
#include <tuple>

namespace weft::inline v0 {
namespace detail::opencl_text {

class row_chain_writer {
public:
  row_chain_writer(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
                   opencl::row_chain const& chain, view<bool> stored, device_traits const& on)
      : g_(g), reads_(reads), chain_(chain), stored_(stored), items_(opencl::by_items(on)) {
    for (int n = 0; n < chain.steps.size(); ++n) add_group(plan, code, chain.steps[n], n);
  }

  step_text write() {
    bool wide = chain_.rows() > opencl::most_narrow, doubles = false;
    for (group_frame const& f : groups_) wide |= !f.fits(), doubles |= f.point.doubles;
    kernel_writer w("weft_row_chain", wide);
    for (int n = 0; n < chain_.steps.size(); ++n) name_buffers(w, n);
    open_row(w);
    for (int n = 0; n < chain_.steps.size(); ++n) group(w, n);
    std::string functions = opencl::program_start(helpers_, doubles);
    for (group_frame const& f : groups_) functions += f.point.functions;
    step_text step;
    opencl::launch_items(w.call, items_ ? chain_.rows() : chain_.rows() * 64, items_ ? 4 : 64);
    add_kernel(step, w, functions);
    return step;
  }

private:
  // Elementwise groups over the chain's shape walk its rows, too.
  void add_group(schedule_view plan, lowered_view code, int s, int n) {
    schedule_step st = plan.steps[s];
    weft::kernel const& k = code.kernels[code.kernel_of_step[s]];
    bool const walks = chain_.is_walked(g_.shapes[st.shape], k);
    if (walks) st.reduced = chain_.reduced;
    walks_.push_back(walks);
    groups_.emplace_back(g_, code, k, walks ? loop_form::rows : loop_form::elementwise,
                         make_loop_nest(g_, reads_, st, code, k),
                         opencl::write_point(helpers_, code, k, '_' + std::to_string(n)));
  }

  // ---- where values are
  int node_of(group_frame const& f, int p) const { return f.places[p].node; }
  int output_node(group_frame const& f, int o) const { return node_of(f, f.outputs[o].place); }
  // The row's number that a group before it computed at place p; or none.
  std::string number_at(group_frame const& f, int p) const {
    int const root = f.nest.roots[p];
    for (int n = 0; n < static_cast<int>(groups_.size()); ++n) {
      group_frame const& from = groups_[static_cast<std::size_t>(n)];
      for (int o = 0; o < from.outputs.size(); ++o)
        if (output_node(from, o) == root && is_number(from, n, o)) return result(from, o);
    }
    return "";
  }
  bool is_number(group_frame const& f, int n, int o) const {
    return reduces(f.outputs[o]) || !walks_[static_cast<std::size_t>(n)];
  }
  static std::string result(group_frame const& f, int o) {
    return numbered("result", o) + f.point.suffix;
  }
  opencl::row_copy const* copy_at(group_frame const& f, int n, int p) const {
    return walks_[static_cast<std::size_t>(n)]
               ? chain_.copy_of(reads_.of[node_of(f, p)], f.places[p].type)
               : nullptr;
  }
  static std::string copied(opencl::row_copy const& c) { return numbered("row", c.slot) + "[r]"; }
  bool is_loaded(group_frame const& f, int n, int p) const {
    opencl::row_copy const* const c = copy_at(f, n, p);
    return !f.is_iota(p) && (c == nullptr || c->first == n) && number_at(f, p).empty();
  }

  // One buffer for what several groups read and write.
  void name_buffers(kernel_writer& w, int n) {
    group_frame& f = groups_[static_cast<std::size_t>(n)];
    std::vector<int> used;
    for (int p : f.point.places)
      if (is_loaded(f, n, p)) used.push_back(p);
    for (output const& o : f.outputs)
      if (stored_[node_of(f, o.place)]) used.push_back(o.place);
    for (int p : used) f.buffers[static_cast<std::size_t>(p)] = buffer_of(w, f, p);
  }
  std::string const& buffer_of(kernel_writer& w, group_frame const& f, int p) {
    int const root = f.nest.roots[p];
    auto const [at, fresh] = buffers_.try_emplace({root, f.nest.offsets[p], f.places[p].type});
    if (fresh) at->second = w.buffer(f.places[p].type, is_computed(root), root, f.nest.offsets[p]);
    return at->second;
  }
  bool is_computed(int root) const {
    for (group_frame const& f : groups_)
      for (int o = 0; o < f.outputs.size(); ++o)
        if (output_node(f, o) == root) return true;
    return false;
  }

  // ---- the kernel
  void open_row(kernel_writer& w) {
    if (!items_) {
      for (group_frame const& f : groups_) declare_local(f, w, sum_lanes);
      for (int i = 0; i < chain_.slots.size(); ++i)
        w.line("__local " + std::string(opencl::register_type(chain_.slots[i])) + ' ' +
               numbered("row", i) + '[' + std::to_string(row_chain_finder::slot_length(chain_)) +
               "];");
      w.line("const int j = (int)get_local_id(0);");
    }
    w.line(std::string("const index row = (index)") +
           (items_ ? "get_global_id(0);" : "get_group_id(0);"));
    if (items_) w.line("if (row >= " + w.number("rows", chain_.rows()) + ") return;");
    w.line("const index first = 0, end = " + w.number("reduced", chain_.length()) + ';');
    for (int n = 0; n < static_cast<int>(groups_.size()); ++n) {
      group_frame const& f = groups_[static_cast<std::size_t>(n)];
      for (int o = 0; o < f.outputs.size(); ++o)
        if (is_number(f, n, o))
          w.line(opencl::register_type(f.outputs[o].type) + (' ' + result(f, o)) + ';');
    }
  }
  void group(kernel_writer& w, int n) {
    group_frame const& f = groups_[static_cast<std::size_t>(n)];
    w.open();
    coordinates const kept = w.split("row", f.kept, "i");
    if (!walks_[static_cast<std::size_t>(n)]) {
      element(w, n, kept);
      // Every item computes it; one stores it, perhaps where the others load.
      if (!items_) w.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
      numbers(w, f, n, kept, [&](int o) { return numbered("y", o); });
    } else if (has_reductions(f)) {
      auto const one = [&] { element(w, n, joined(kept, w.split("r", f.reduced, "r"))); };
      if (items_) reduce_row_by_item(f, w, one);
      else reduce_row_by_group(f, w, one);
      numbers(w, f, n, kept, [&](int o) {
        return f.rounded(o, (items_ ? numbered("w", o) : local_lanes(f, o)) + "[0]");
      });
    } else {
      w.open(items_ ? "for (index r = first; r < end; ++r)"
                    : "for (index r = first + j; r < end; r += 64)");
      element(w, n, joined(kept, w.split("r", f.reduced, "r")));
      w.close();
    }
    w.close();
  }
  static bool has_reductions(group_frame const& f) {
    bool any = false;
    for (output const& o : f.outputs) any |= reduces(o);
    return any;
  }
  // Every load comes before a row is kept in the place of another.
  void element(kernel_writer& w, int n, coordinates const& at) {
    group_frame const& f = groups_[static_cast<std::size_t>(n)];
    for (int p : f.point.places) f.load(w, p, value(w, f, n, p, at));
    for (int p : f.point.places)
      if (opencl::row_copy const* const c = copy_at(f, n, p); c != nullptr && c->first == n)
        w.line(copied(*c) + " = " + numbered("x", p) + ';');
    f.call(w);
    for (int o = 0; o < f.outputs.size(); ++o) {
      if (is_number(f, n, o)) continue;
      if (stored_[output_node(f, o)]) f.store(w, o, at, numbered("y", o));
      if (opencl::row_copy const* const c = copy_at(f, n, f.outputs[o].place))
        w.line(copied(*c) + " = " + numbered("y", o) + ';');
    }
  }
  std::string value(kernel_writer& w, group_frame const& f, int n, int p, coordinates const& at) {
    if (std::string number = number_at(f, p); !number.empty()) return number;
    opencl::row_copy const* const c = copy_at(f, n, p);
    return c != nullptr && c->first < n ? copied(*c) : f.element(w, p, at);
  }
  // The row's results, to registers and memory.
  template <class Value>
  void numbers(kernel_writer& w, group_frame const& f, int n, coordinates const& kept,
               Value const& value) {
    for (int o = 0; o < f.outputs.size(); ++o) {
      if (!is_number(f, n, o)) continue;
      w.line(result(f, o) + " = " + value(o) + ';');
      if (!stored_[output_node(f, o)]) continue;
      if (!items_) w.open("if (j == 0)");
      f.store(w, o, kept, result(f, o));
      if (!items_) w.close();
    }
  }

  graph_view g_;
  accesses const& reads_;
  opencl::row_chain const& chain_;
  view<bool> stored_; // per node
  bool items_;
  opencl::text::program helpers_;
  std::deque<group_frame> groups_;
  std::vector<bool> walks_; // by group: its elements are the row's
  std::map<std::tuple<int, extent, dtype>, std::string> buffers_; // by root, offset, type
};

} // namespace detail::opencl_text

namespace opencl {
inline step_text row_chain_text(graph_view g, accesses const& reads, schedule_view plan,
                                lowered_view code, row_chain const& chain, view<bool> stored,
                                device_traits const& on) {
  return weft::detail::opencl_text::row_chain_writer(g, reads, plan, code, chain, stored, on)
      .write();
}
} // namespace opencl
} // namespace weft::inline v0
