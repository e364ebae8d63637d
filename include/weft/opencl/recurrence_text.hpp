// SPDX-License-Identifier: BSL-1.0
// recurrence_text: a scan whose body is elementwise over one shape, as one kernel: an item per
// element of the carry goes through all turns and keeps the carry in registers.
//   float c0 = g0[i];
//   for (index n = 0; n < steps1; ++n) { ... weft_point(c0, x1, &y0); ... c0 = next0; }
// Needs: the step of a loop with is_recurrence; before the launch, memory for the body's parameters:
// carries and constants, and the whole arrays that xs are walked in. Leaves: the loop's results in
// the memory of the nodes that `get` them.
#pragma once

#include <weft/graph/results.hpp>
#include <weft/opencl/group_frame.hpp>
#include <weft/pass/memory_plan.hpp>

#include <algorithm>

namespace weft::inline v0 {
namespace detail::opencl_text {

class recurrence {
public:
  recurrence(graph_view g, accesses const& reads, schedule_view plan, lowered_view code, int id)
      : g_(g), reads_(reads), plan_(plan), code_(code), id_(id), loop_(loop_of(g, id)),
        parameters_(g.parameters_of(g[id].body)), results_(g.outputs_of(g[id].body)) {}

  // One elementwise group; carries are read and written element on element.
  bool is_one_kernel() const {
    view<schedule_step> const steps = plan_.steps_of(g_[id_].body);
    if (g_[id_].code != op::scan || steps.size() != 1) return false;
    if (steps[0].kind != step_kind::group || steps[0].reduced != 0) return false;
    for (int k = 0; k < loop_.carries; ++k)
      if (count_of(g_.shape(parameters_[k])) != count()) return false;
    weft::kernel const& k = body();
    if (2 * loop_.carries + k.place_count > opencl::most_buffers) return false;
    for (instruction const& i : code_.instructions_of(k))
      if (i.kind == instruction_kind::load) {
        int const node = code_.places_of(k)[i.place].node;
        if (is_carry(reads_.of[node].root) && !(is_whole(g_, reads_, node) && has_shape(node)))
          return false;
      }
    for (int id : results_)
      if (!is_whole(g_, reads_, id) || !is_known(reads_.of[id].root)) return false;
    return true;
  }

  step_text write() {
    step_text step;
    if (count() == 0) return step;
    group_frame f(g_, code_, body(), loop_form::elementwise,
                  make_loop_nest(g_, reads_, plan_, code_, body()),
                  opencl::write_point(code_, body()));
    kernel_writer w("weft_recurrence", !fits(f));
    name_buffers(w, f);
    std::string const count_name = w.number("count", count());
    w.line("const index i = (index)get_global_id(0);");
    w.line("if (i >= " + count_name + ") return;");
    coordinates const at = w.split("i", f.kept, "i");
    for (int k = 0; k < loop_.carries; ++k)
      w.line(register_of(parameters_[k]) + numbered(" c", k) + " = " +
             loaded(parameters_[k], starts_[static_cast<std::size_t>(k)], "i") + ';');
    for (int p : f.point.places)
      if (parameter_of(f, p) < 0) f.load(w, p, f.element(w, p, at));
    turns(w, f, at, count_name);
    for (int k = 0; k < loop_.carries; ++k)
      if (is_read(k)) store(w, k, "i", numbered("c", k));
    opencl::launch_items(w.call, count(), 64);
    add_kernel(step, w, f.point.program());
    return step;
  }

private:
  weft::kernel const& body() const {
    return code_.kernels[code_.kernel_of_step[plan_.first_step[g_[id_].body]]];
  }
  extents const& shape() const { return g_.shapes[plan_.steps_of(g_[id_].body)[0].shape]; }
  extent count() const { return count_of(shape()); }
  bool has_shape(int node) const { return g_.shape(node) == shape(); }
  int parameter(int root) const {
    for (int k = 0; k < parameters_.size(); ++k)
      if (parameters_[k] == root) return k;
    return -1;
  }
  bool is_carry(int root) const {
    int const k = parameter(root);
    return k >= 0 && k < loop_.carries;
  }
  // Is an item's value of `root` at hand: its carry, its element of an x, what the group computes?
  bool is_known(int root) const {
    int const k = parameter(root);
    return count_of(g_.shape(root)) == count() &&
           (k >= 0 ? k < loop_.carries + loop_.xs : output_of(root) >= 0);
  }
  int output_of(int root) const {
    view<output> const outputs = code_.outputs_of(body());
    for (int o = 0; o < outputs.size(); ++o)
      if (code_.places_of(body())[outputs[o].place].node == root) return o;
    return -1;
  }
  // A parameter that changes from turn to turn, which place p reads; or -1.
  int parameter_of(group_frame const& f, int p) const {
    int const k = parameter(f.nest.roots[p]);
    return k < loop_.carries + loop_.xs ? k : -1;
  }
  std::string register_of(int node) const { return opencl::register_type(g_[node].type); }
  std::string loaded(int node, std::string const& buffer, std::string const& at) const {
    return opencl::load_element(g_[node].type, buffer, at);
  }
  bool is_read(int k) const { return !result_[static_cast<std::size_t>(k)].empty(); }

  bool fits(group_frame const& f) const {
    extent each = count(); // elements of a turn
    for (int k = loop_.carries; k < loop_.carries + loop_.xs; ++k)
      each = std::max(each, count_of(g_.shape(parameters_[k])));
    return f.fits() && loop_.length * each <= opencl::most_narrow;
  }
  void name_buffers(kernel_writer& w, group_frame& f) {
    for (int k = 0; k < loop_.carries; ++k)
      starts_.push_back(w.buffer(g_[parameters_[k]].type, false, parameters_[k], 0));
    for (int p : f.point.places)
      if (!f.is_iota(p) && !is_carry(f.nest.roots[p]))
        f.buffers[static_cast<std::size_t>(p)] = w.buffer(f.places[p].type, false, f.nest.roots[p],
                                                          f.nest.offsets[p]);
    for (int k = 0; k < results_.size(); ++k) {
      dtype const type = g_[results_[k]].type;
      int const x = parameter(reads_.of[results_[k]].root), get = get_of(g_, id_, k);
      bool const passed = x >= loop_.carries && (k < loop_.carries || get >= 0);
      passed_.push_back(passed ? w.buffer(type, false, parameters_[x], 0) : "");
      result_.push_back(get >= 0 ? w.buffer(type, true, get, 0) : "");
    }
  }

  void turns(kernel_writer& w, group_frame const& f, coordinates const& at,
             std::string const& count_name) {
    std::string const steps = w.number("steps", loop_.length);
    w.open("for (index n = 0; n < " + steps + "; ++n)");
    w.line("const index t = " + (loop_.reverse ? steps + " - 1 - n;" : std::string("n;")));
    for (int p : f.point.places)
      if (int const k = parameter_of(f, p); k >= loop_.carries)
        f.load(w, p, loaded(f.places[p].node, f.buffer(p), in_turn(w, k, f.index(w, p, at))));
      else if (k >= 0) f.load(w, p, numbered("c", k));
    f.call(w);
    for (int k = 0; k < results_.size(); ++k) {
      std::string const value = value_of(w, k);
      if (k < loop_.carries)
        w.line("const " + register_of(results_[k]) + numbered(" next", k) + " = " + value + ';');
      else if (is_read(k)) store(w, k, "t * " + count_name + " + i", value);
    }
    for (int k = 0; k < loop_.carries; ++k)
      w.line(numbered("c", k) + " = " + numbered("next", k) + ';');
    w.close();
  }
  std::string in_turn(kernel_writer& w, int k, std::string const& index) {
    return "t * " + w.number("turn", count_of(g_.shape(parameters_[k]))) + " + " + index;
  }
  // An item's element of the body's output k.
  std::string value_of(kernel_writer& w, int k) {
    int const root = reads_.of[results_[k]].root, from = parameter(root);
    if (from < 0) return numbered("y", output_of(root));
    if (from < loop_.carries) return numbered("c", from);
    return loaded(root, passed_[static_cast<std::size_t>(k)], in_turn(w, from, "i"));
  }
  void store(kernel_writer& w, int k, std::string const& at, std::string const& value) {
    w.line(opencl::store_element(g_[results_[k]].type, result_[static_cast<std::size_t>(k)], at,
                                 value));
  }

  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
  lowered_view code_;
  int id_;
  loop loop_;
  view<int> parameters_, results_;
  std::vector<std::string> starts_;          // buffers, by carry
  std::vector<std::string> passed_, result_; // by output: of an x that it is; of what reads it
};

} // namespace detail::opencl_text

namespace opencl {
// Is loop `id` one kernel?
inline bool is_recurrence(graph_view g, accesses const& reads, schedule_view plan,
                          lowered_view code, int id) {
  return weft::detail::opencl_text::recurrence(g, reads, plan, code, id).is_one_kernel();
}
inline step_text recurrence_text(graph_view g, accesses const& reads, schedule_view plan,
                                 lowered_view code, int id) {
  return weft::detail::opencl_text::recurrence(g, reads, plan, code, id).write();
}
} // namespace opencl
} // namespace weft::inline v0
