// SPDX-License-Identifier: BSL-1.0
// elementwise_text: a group without reductions: an item per element; on GPUs four side by side where
// all places are contiguous.
// Needs: the group's frame. Leaves: one kernel, one launch.
#pragma once

#include <weft/opencl/group_frame.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

class elementwise_writer {
public:
  elementwise_writer(group_frame& f, device_traits const& on, step_text& step)
      : f_(f), on_(on), step_(step) {}

  void write() {
    kernel_writer w("weft_elementwise", !f_.fits());
    f_.name_buffers(w);
    bool const by_four = !on_.is_cpu && contiguous();
    extent const count = f_.kept_count();
    std::string const name = w.number("count", count);
    if (by_four) four_elements(w, name);
    else {
      w.line("const index i = (index)get_global_id(0);");
      w.line("if (i >= " + name + ") return;");
      f_.element_point(w, w.split("i", f_.kept, "i"));
    }
    opencl::launch_items(w.call, by_four ? (count + 3) / 4 : count,
                         on_.max_group < 256 ? on_.max_group : 256);
    add_kernel(step_, w, f_.point.program());
  }

private:
  extent step(int p) const { return f_.nest.steps(f_.nest.inner)[p]; }
  bool contiguous() const {
    for (int p = 0; p < f_.places.size(); ++p)
      if (!f_.is_iota(p) && step(p) != 0 && step(p) != 1) return false;
    return f_.nest.outer.empty() && f_.nest.inner.length >= 4;
  }
  void four_elements(kernel_writer& w, std::string const& count) {
    w.line("const index first = (index)get_global_id(0) * 4;");
    w.open("if (first + 4 <= " + count + ")");
    for (int p : f_.point.places)
      if (!f_.is_iota(p) && step(p) == 1)
        w.line("const " + f_.register_of(p) + "4 " + numbered("v", p) + " = " +
               opencl::load_element4(f_.places[p].type, f_.buffer(p), "first") + ';');
    for (int o = 0; o < f_.outputs.size(); ++o)
      w.line(opencl::register_type(f_.outputs[o].type) + numbered("4 u", o) + ';');
    f_.declare_results(w);
    for (int lane = 0; lane < 4; ++lane) one_of_four(w, std::to_string(lane));
    for (int o = 0; o < f_.outputs.size(); ++o)
      w.line(opencl::store_element4(f_.outputs[o].type, f_.buffer(f_.outputs[o].place), "first",
                                    numbered("u", o)));
    w.line("return;");
    w.close();
    w.open("for (index i = first; i < " + count + "; ++i)");
    f_.element_point(w, {{&f_.nest.inner, "i"}});
    w.close();
  }
  void one_of_four(kernel_writer& w, std::string const& lane) {
    std::string arguments;
    for (int p : f_.point.places)
      arguments += (!f_.is_iota(p) && step(p) == 1
                        ? numbered("v", p) + ".s" + lane
                        : f_.element(w, p, {{&f_.nest.inner, "(first + " + lane + ")"}})) +
                   ", ";
    f_.call(w, arguments);
    for (int o = 0; o < f_.outputs.size(); ++o)
      w.line(numbered("u", o) + ".s" + lane + " = " + numbered("y", o) + ';');
  }

  group_frame& f_;
  device_traits const& on_;
  step_text& step_;
};

} // namespace detail::opencl_text
} // namespace weft::inline v0
