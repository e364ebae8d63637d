// SPDX-License-Identifier: BSL-1.0
// group_frame: a fused group (pass/lower.hpp) as its kernels see it: the loops, the buffers of its
// places, and the text of one element. What the forms have in common (elementwise_text, rows_text,
// columns_text, row_chain_text).
// Needs: a bound graph, the group's loop nest and lowered code. Leaves: kernels of its element to
// be written around it by a kernel_writer.
#pragma once

#include <weft/opencl/kernel_writer.hpp>
#include <weft/opencl/point_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

using opencl::coordinate, opencl::kernel_writer, opencl::device_traits, opencl::step_text;
using axis_list = std::vector<loop_axis const*>;
using coordinates = std::vector<coordinate>;

inline coordinates joined(coordinates a, coordinates const& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline std::string numbered(char const* name, int n) { return name + std::to_string(n); }
constexpr bool reduces(output const& o) { return o.reduction != op::stop_gradient; }

class group_frame {
public:
  // `form`: the loops' order; rows without a reduction walk a row, too.
  group_frame(graph_view g, lowered_view code, weft::kernel const& k, loop_form form,
              loop_nest loops, opencl::point_text element)
      : places(code.places_of(k)), outputs(code.outputs_of(k)), nest(std::move(loops)),
        point(std::move(element)), g_(g) {
    for (loop_axis const& a : nest.outer) kept.push_back(&a);
    for (loop_axis const& a : nest.reduced) reduced.push_back(&a);
    (form == loop_form::rows ? reduced : kept).push_back(&nest.inner);
    columns = form == loop_form::rows ? 1 : nest.inner.length;
    buffers.assign(static_cast<std::size_t>(places.size()), "");
  }
  group_frame(group_frame const&) = delete; // its axes are its own nest's

  view<place> const places;
  view<output> const outputs;
  loop_nest const nest;
  opencl::point_text const point;
  axis_list kept, reduced;
  extent columns = 1;
  std::vector<std::string> buffers; // by place; of iotas none

  extent kept_count() const { return nest.outer_count * columns; }
  bool is_iota(int p) const { return g_[nest.roots[p]].code == op::iota; }
  bool is_written(int p) const {
    for (output const& o : outputs)
      if (o.place == p) return true;
    return false;
  }
  // Do all indices fit into an int, those past the end included?
  bool fits() const {
    extent elements = 1;
    for (axis_list const* axes : {&kept, &reduced})
      for (loop_axis const* a : *axes) elements *= a->length;
    if (elements > opencl::most_narrow) return false;
    for (int p = 0; p < places.size(); ++p) {
      extent reach = magnitude(nest.offsets[p]);
      for (axis_list const* axes : {&kept, &reduced})
        for (loop_axis const* a : *axes)
          reach += magnitude(nest.steps(*a)[p]) * (a->length > 0 ? a->length - 1 : 0);
      if (reach > opencl::most_narrow) return false;
    }
    return true;
  }

  std::string const& buffer(int p) const { return buffers[static_cast<std::size_t>(p)]; }
  void name_buffers(kernel_writer& w) {
    name_buffers(w, [](int) { return false; });
  }
  // But of those that are known otherwise.
  template <class Known> void name_buffers(kernel_writer& w, Known const& known) {
    for (int p = 0; p < places.size(); ++p)
      if (!is_iota(p) && !known(p))
        buffers[static_cast<std::size_t>(p)] = w.buffer(places[p].type, is_written(p),
                                                        nest.roots[p], nest.offsets[p]);
  }
  std::string index(kernel_writer& w, int p, coordinates const& at) const {
    return w.index(nest, p, at, is_iota(p) ? nest.offsets[p] : 0);
  }
  // The element of place p; of an iota, the number itself.
  std::string element(kernel_writer& w, int p, coordinates const& at) const {
    std::string const from = index(w, p, at);
    return is_iota(p) ? "(int)(" + from + ')'
                      : opencl::load_element(places[p].type, buffer(p), from);
  }
  std::string register_of(int p) const {
    return is_iota(p) ? "int" : opencl::register_type(places[p].type);
  }

  // One element: its values x..., y... = point(x...), and what is stored of it.
  void element_point(kernel_writer& w, coordinates const& at) const {
    for (int p : point.places) load(w, p, element(w, p, at));
    call_and_store(w, at);
  }
  void call_and_store(kernel_writer& w, coordinates const& at) const {
    call(w);
    for (int o = 0; o < outputs.size(); ++o)
      if (!reduces(outputs[o])) store(w, o, at, numbered("y", o));
  }
  void load(kernel_writer& w, int p, std::string const& value) const {
    w.line("const " + register_of(p) + ' ' + numbered("x", p) + " = " + value + ';');
  }
  void call(kernel_writer& w) const {
    std::string arguments;
    for (int p : point.places) arguments += numbered("x", p) + ", ";
    declare_results(w);
    call(w, arguments);
  }
  void call(kernel_writer& w, std::string const& arguments) const {
    w.line("weft_point" + point.suffix + '(' + arguments + results() + ");");
  }
  void declare_results(kernel_writer& w) const {
    for (int o = 0; o < outputs.size(); ++o)
      w.line(std::string(opencl::register_type(outputs[o].type)) + ' ' + numbered("y", o) + ';');
  }
  void store(kernel_writer& w, int o, coordinates const& at, std::string const& value) const {
    int const p = outputs[o].place;
    w.line(opencl::store_element(outputs[o].type, buffer(p), index(w, p, at), value));
  }

  // f(output number, its lanes' name, its type in registers) for every reduction.
  template <class F> void each_reduction(F const& f) const {
    for (int o = 0; o < outputs.size(); ++o)
      if (reduces(outputs[o]))
        f(o, numbered("w", o), std::string(opencl::register_type(outputs[o].type)));
  }
  std::string combined(int o, std::string const& a, std::string const& b) const {
    return a + " = " + numbered("weft_combine", o) + point.suffix + '(' + a + ", " + b + ");";
  }
  std::string rounded(int o, std::string const& value) const {
    return numbered("weft_rounded", o) + point.suffix + '(' + value + ')';
  }
  std::string const& start(int o) const { return point.starts[static_cast<std::size_t>(o)]; }

private:
  static extent magnitude(extent n) { return n < 0 ? -n : n; }
  std::string results() const {
    std::string all;
    for (int o = 0; o < outputs.size(); ++o) all += (o > 0 ? ", &" : "&") + numbered("y", o);
    return all;
  }
  graph_view g_;
};

inline void add_kernel(step_text& step, kernel_writer const& w, std::string const& functions) {
  step.kernels.push_back(w.kernel(functions));
  step.launches.push_back(w.call);
  step.launches.back().kernel = static_cast<int>(step.kernels.size()) - 1;
}

} // namespace detail::opencl_text
} // namespace weft::inline v0
