// SPDX-License-Identifier: BSL-1.0
// epilogue_text: a group that a product computes as it stores its elements (pass/epilogue.hpp), as
// the parts of the product's program:
//   static void weft_epilogue(const index q, const float value, __global float* e_g0, ...) { ... }
// q: the element of the product's result, row-major; value: that element, rounded, in registers.
// Needs: the group's parts of a lowered_view; a product of the same shape. Leaves: the group's
// results, as its own kernel would store them; the helpers of its functions in `helpers`.
#pragma once

#include <weft/opencl/group_frame.hpp>

namespace weft::inline v0 {
namespace opencl {

struct epilogue_text {
  std::string functions; // point functions and weft_epilogue
  std::vector<kernel_writer::parameter> buffers, numbers;
  launch call; // their values
  bool wide = false, doubles = false;
};

inline epilogue_text write_epilogue(graph_view g, accesses const& reads, schedule_view plan,
                                    lowered_view code, weft::kernel const& k, int product,
                                    text::program& helpers) {
  namespace impl = weft::detail::opencl_text;
  impl::group_frame f(g, code, k, k.form, make_loop_nest(g, reads, plan, code, k),
                      write_point(helpers, code, k, ""));
  kernel_writer w("", false, "e_");
  auto const is_value = [&](int p) { return f.nest.roots[p] == product; };
  f.name_buffers(w, is_value);
  std::vector<coordinate> const at = w.split("q", f.kept, "i");
  for (int p : f.point.places) f.load(w, p, is_value(p) ? "value" : f.element(w, p, at));
  f.call_and_store(w, at);
  std::string parameters = std::string("const index q, const ") + register_type(g[product].type) +
                           " value";
  for (auto const* list : {&w.buffers(), &w.numbers()})
    for (kernel_writer::parameter const& p : *list) parameters += ", " + p.declaration;
  return {f.point.functions + "static void weft_epilogue(" + parameters + ") {\n" + w.lines() +
              "}\n",
          w.buffers(),
          w.numbers(),
          w.call,
          !f.fits(),
          f.point.doubles};
}

} // namespace opencl
} // namespace weft::inline v0
