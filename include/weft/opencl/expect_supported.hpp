// SPDX-License-Identifier: BSL-1.0
// expect_supported(g, d): what a device cannot run is refused before anything is planned or built.
// Needs: CL/cl.h. Errors: usage_error for float64 where a device has none, for conversions that are
// computed in it, and for functions of the host's.
#pragma once

#include <weft/graph/custom_call.hpp>
#include <weft/opencl/device.hpp>
#include <weft/opencl/element_text.hpp>

namespace weft::inline v0 {
namespace opencl {
namespace detail {

// Nothing on the device calls the host.
inline void expect_no_host_call(graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (g[id].code == op::custom_call)
      raise<usage_error>(message("weft: opencl: custom_call ")
                             .add(host_of(g, id).name)
                             .add(" runs on the host only; run this program on the CPU, or call "
                                  "the function between two programs"));
}
inline void expect_supported(graph_view g, device_info const& d) {
  expect_no_host_call(g);
  if (d.has_double) return;
  for (int id = 0; id < g.size(); ++id) {
    dtype const type = g[id].type;
    if (type == dtype::f64)
      raise<usage_error>(message("weft: opencl: float64 on ")
                             .add(d.name.c_str())
                             .add(", which has no double precision; convert to float, or use "
                                  "another device"));
    if (g[id].code != op::convert) continue;
    dtype const from = g[g.operand(id, 0)].type;
    if (converts_by_double(from, type))
      raise<usage_error>(message("weft: opencl: a conversion of ")
                             .add(name_of(from))
                             .add(" to ")
                             .add(name_of(type))
                             .add(" on ")
                             .add(d.name.c_str())
                             .add(", which has no double precision; convert by way of i32, or "
                                  "use another device"));
  }
}

} // namespace detail
} // namespace opencl
} // namespace weft::inline v0
