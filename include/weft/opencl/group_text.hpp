// SPDX-License-Identifier: BSL-1.0
// group_text: a fused group (pass/lower.hpp) as OpenCL kernels. The point function (point_text.hpp)
// computes one element; around it, by the loop form, stand elementwise_text, rows_text or
// columns_text, each in a form for CPUs and one for GPUs. The order is that of docs/numerics.md in
// every form.
// Needs: a bound graph, its accesses, schedule and lowered code. Leaves: the interpreter's bits.
#pragma once

#include <weft/opencl/columns_text.hpp>
#include <weft/opencl/elementwise_text.hpp>
#include <weft/opencl/rows_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

inline void write_empty(group_frame& f, step_text& step) {
  kernel_writer w("weft_empty", !f.fits());
  f.name_buffers(w);
  w.line("const index i = (index)get_global_id(0);");
  w.line("if (i >= " + w.number("count", f.kept_count()) + ") return;");
  coordinates const at = w.split("i", f.kept, "i");
  f.each_reduction([&](int o, std::string const&, std::string const&) {
    f.store(w, o, at, f.point.empty[static_cast<std::size_t>(o)]);
  });
  opencl::launch_items(w.call, f.kept_count(), 64);
  add_kernel(step, w, f.point.program());
}

} // namespace detail::opencl_text

namespace opencl {

inline step_text group_text(graph_view g, accesses const& reads, schedule_view plan,
                            lowered_view code, weft::kernel const& k, device_traits const& on) {
  namespace impl = weft::detail::opencl_text;
  impl::group_frame f(g, code, k, k.form, make_loop_nest(g, reads, plan, code, k),
                      write_point(code, k));
  step_text step;
  if (f.kept_count() == 0) return step;
  bool const rows = k.form == loop_form::rows;
  int const lanes = rows ? sum_lanes : impl::columns_writer::local_lanes_of_each;
  bool const items = by_items(on) || impl::local_bytes(f, lanes) > on.local_bytes;
  if (k.form == loop_form::elementwise) impl::elementwise_writer(f, on, step).write();
  else if (f.nest.reduced_count == 0) impl::write_empty(f, step);
  else if (rows) items ? impl::write_rows_by_items(f, step) : impl::write_rows_by_groups(f, step);
  else {
    using worker = impl::group_blocks::worker;
    impl::columns_writer columns(f, step, items ? worker::item : worker::group);
    items ? columns.write_by_items() : columns.write_by_groups();
  }
  return step;
}

} // namespace opencl
} // namespace weft::inline v0
