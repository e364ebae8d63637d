// SPDX-License-Identifier: BSL-1.0
// epilogue_text: a group that a product computes as it stores its elements (pass/epilogue.hpp), as
// the parts of the product's program:
//   static void weft_epilogue(const index q, const float value, __global float* e_g0, ...) { ... }
// q: the element of the product's result, row-major; value: that element, rounded, in registers.
// Needs: the group's parts of a lowered_view; a product of the same shape. Leaves: the group's
// results, as its own kernel would store them; the helpers of its functions in `helpers`.
#pragma once

#include <weft/opencl/kernel_writer.hpp>
#include <weft/opencl/point_text.hpp>

namespace weft::inline v0 {
namespace opencl {

struct epilogue_text {
  std::string functions; // point functions and weft_epilogue
  std::vector<kernel_writer::parameter> buffers, numbers;
  launch call; // their values
  bool wide = false, has_double = false;
};

} // namespace opencl

namespace detail::opencl_text {

class epilogue_writer {
public:
  epilogue_writer(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
                  weft::kernel const& k, int product, opencl::text::program& helpers)
      : g_(g), reads_(reads), product_(product), places_(code.places_of(k)),
        outputs_(code.outputs_of(k)), nest_(make_loop_nest(g, reads, plan, code, k)),
        point_(opencl::write_point(helpers, code, k, "")) {
    for (loop_axis const& a : nest_.outer) axes_.push_back(&a);
    axes_.push_back(&nest_.inner);
  }

  opencl::epilogue_text write() {
    opencl::kernel_writer w("", false, "e_");
    std::vector<std::string> buffers(static_cast<std::size_t>(places_.size()));
    for (int p = 0; p < places_.size(); ++p)
      if (!is_value(p) && !is_iota(p))
        buffers[static_cast<std::size_t>(p)] = w.buffer(places_[p].type, is_written(p),
                                                        nest_.roots[p], nest_.offsets[p]);
    std::vector<opencl::coordinate> const at = w.split("q", axes_, "i");
    std::string arguments;
    for (int p : point_.places) arguments += value_of(w, p, at, buffers) + ", ";
    for (int o = 0; o < outputs_.size(); ++o) {
      std::string const y = 'y' + std::to_string(o);
      w.line(std::string(opencl::register_type(outputs_[o].type)) + ' ' + y + ';');
      arguments += (o > 0 ? ", &" : "&") + y;
    }
    w.line("weft_point(" + arguments + ");");
    for (int o = 0; o < outputs_.size(); ++o) {
      int const p = outputs_[o].place;
      w.line(opencl::store_element(outputs_[o].type, buffers[static_cast<std::size_t>(p)],
                                   w.index(nest_, p, at), 'y' + std::to_string(o)));
    }
    return finish(w);
  }

private:
  bool is_iota(int p) const { return g_[nest_.roots[p]].code == op::iota; }
  bool is_value(int p) const { return nest_.roots[p] == product_; }
  bool is_written(int p) const {
    for (output const& o : outputs_)
      if (o.place == p) return true;
    return false;
  }
  std::string value_of(opencl::kernel_writer& w, int p, std::vector<opencl::coordinate> const& at,
                       std::vector<std::string> const& buffers) const {
    if (is_value(p)) return "value";
    if (is_iota(p)) return "(int)(" + w.index(nest_, p, at, nest_.offsets[p]) + ')';
    return opencl::load_element(places_[p].type, buffers[static_cast<std::size_t>(p)],
                                w.index(nest_, p, at));
  }
  opencl::epilogue_text finish(opencl::kernel_writer const& w) const {
    std::string parameters = std::string("const index q, const ") +
                             opencl::register_type(g_[product_].type) + " value";
    for (auto const* list : {&w.buffers(), &w.numbers()})
      for (opencl::kernel_writer::parameter const& p : *list) parameters += ", " + p.declaration;
    return {point_.functions + "static void weft_epilogue(" + parameters + ") {\n" + w.lines() +
                "}\n",
            w.buffers(),
            w.numbers(),
            w.call,
            !fits(),
            point_.doubles};
  }
  bool fits() const {
    extent const most = (extent{1} << 31) - (1 << 16);
    for (int p = 0; p < places_.size(); ++p) {
      extent reach = nest_.offsets[p] < 0 ? -nest_.offsets[p] : nest_.offsets[p];
      for (loop_axis const* a : axes_) {
        extent const step = nest_.steps(*a)[p];
        reach += (step < 0 ? -step : step) * a->length;
      }
      if (reach >= most) return false;
    }
    return true;
  }

  graph_view g_;
  accesses const& reads_;
  int product_;
  view<place> places_;
  view<output> outputs_;
  loop_nest nest_;
  opencl::point_text point_;
  std::vector<loop_axis const*> axes_;
};

} // namespace detail::opencl_text
} // namespace weft::inline v0
