// SPDX-License-Identifier: BSL-1.0
// copy_rate: what a device's memory can do, to compare kernels with: bytes per nanosecond (GB/s) of
// a kernel that copies a large array, read and written bytes together. Measured once per device.
// Needs: a device on which nothing else runs meanwhile. Leaves: no memory in use.
#pragma once

#include <weft/opencl/device.hpp>

#include <algorithm>
#include <memory>

namespace weft::inline v0 {
namespace opencl {
namespace detail {

inline double measured_copy_rate(device& on) {
  device_info const& d = on.info();
  constexpr extent piece = 16 * 256; // one group's
  extent const wanted = d.is_cpu ? extent{1} << 26 : extent{1} << 29;
  extent const bytes = std::min({wanted, d.largest_buffer, d.memory_bytes / 8}) / piece * piece;
  memory const a = on.allocate(bytes), b = on.allocate(bytes);
  kernel k = on.build(
      "__kernel void copy_rate(__global const float4* from, __global float4* to) {\n"
      "  to[get_global_id(0)] = from[get_global_id(0)];\n}\n",
      "copy_rate", detail::advice_on_own);
  extent const items[] = {bytes / 16}, group[] = {256};
  auto const copy = [&](memory const& from, memory const& to) {
    k.set(0, from);
    k.set(1, to);
    on.launch(k, 1, items, group);
  };
  copy(a, b); // pages are there from now on
  copy(b, a);
  on.start_profile();
  for (int i = 0; i < 8; ++i) copy(a, b);
  std::int64_t best = 0;
  for (kernel_time const& t : on.stop_profile())
    if (best == 0 || t.nanoseconds < best) best = t.nanoseconds;
  return best > 0 ? 2 * static_cast<double>(bytes) / static_cast<double>(best) : 0;
}

} // namespace detail

inline double copy_rate(device& on) {
  return *on.kept<double>("copy rate", [&] {
    auto rate = std::make_shared<double>(detail::measured_copy_rate(on));
    on.trim();
    return rate;
  });
}

} // namespace opencl
} // namespace weft::inline v0
