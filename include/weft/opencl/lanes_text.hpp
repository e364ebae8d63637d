// SPDX-License-Identifier: BSL-1.0
// The 64 lanes of a reduction (docs/numerics.md) as text: kept by one item in an array, or by the
// items of a group, which combine theirs in local memory.
// Needs: a group's frame; barriers stand where every item of the group comes by. Leaves: the
// result of output o in w<o>[0], or in local s<o>[0].
#pragma once

#include <weft/core/memory_source.hpp>
#include <weft/op/reduction.hpp>
#include <weft/opencl/group_frame.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

// One lane is a number, w<o>.
inline void declare_lane(group_frame const& f, kernel_writer& w) {
  f.each_reduction([&](int o, std::string const& lane, std::string const& type) {
    w.line(type + ' ' + lane + " = " + f.start(o) + ';');
  });
}
inline void declare_lanes(group_frame const& f, kernel_writer& w, int count) {
  f.each_reduction([&](int o, std::string const& lanes, std::string const& type) {
    std::string const n = std::to_string(count);
    w.line(type + ' ' + lanes + '[' + n + "];");
    w.line("for (int j = 0; j < " + n + "; ++j) " + lanes + "[j] = " + f.start(o) + ';');
  });
}
inline void add_to_lanes(group_frame const& f, kernel_writer& w, std::string const& lane) {
  f.each_reduction([&](int o, std::string const& lanes, std::string const&) {
    w.line(f.combined(o, lanes + lane, numbered("y", o)));
  });
}
// lanes[j] and lanes[j + s * step], halving s from `from`.
inline void combine_lanes(group_frame const& f, kernel_writer& w, int from, int step) {
  std::string const width = step == 1 ? "s" : "s * " + std::to_string(step);
  w.open("for (int s = " + std::to_string(from) + "; s > 0; s /= 2)");
  w.open("for (int j = 0; j < " + width + "; ++j)");
  f.each_reduction([&](int o, std::string const& lanes, std::string const&) {
    w.line(f.combined(o, lanes + "[j]", lanes + "[j + " + width + ']'));
  });
  w.close(), w.close();
}

inline std::string local_lanes(group_frame const& f, int o) {
  return numbered("s", o) + f.point.suffix;
}
// Local memory of so many lanes of every reduction.
inline extent local_bytes(group_frame const& f, int lanes) {
  extent bytes = 0;
  for (output const& o : f.outputs)
    if (reduces(o)) bytes += lanes * size_of(opencl::held_as(o.type));
  return bytes;
}
inline void declare_local(group_frame const& f, kernel_writer& w, int lanes) {
  f.each_reduction([&](int o, std::string const&, std::string const& type) {
    w.line("__local " + type + ' ' + local_lanes(f, o) + '[' + std::to_string(lanes) + "];");
  });
}
// Halves `lanes` times `columns` numbers of local memory until `columns` are left; `combine` writes
// what item `at` does with its own and with the one at its second argument.
template <class Combine>
void halve_local(kernel_writer& w, std::string const& at, int lanes, int columns,
                 Combine const& combine) {
  std::string const width = columns == 1 ? "s" : "s * " + std::to_string(columns);
  w.line("barrier(CLK_LOCAL_MEM_FENCE);");
  w.open("for (int s = " + std::to_string(lanes / 2) + "; s > 0; s /= 2)");
  w.open("if (" + at + " < " + width + ")");
  combine('[' + at + ']', '[' + at + " + " + width + ']');
  w.close();
  w.line("barrier(CLK_LOCAL_MEM_FENCE);");
  w.close();
}
// Items' lanes, `lane` of w<o>; item `at` of `lanes` times `columns`.
inline void combine_local(group_frame const& f, kernel_writer& w, std::string const& lane,
                          std::string const& at, int lanes, int columns) {
  f.each_reduction([&](int o, std::string const& own, std::string const&) {
    w.line(local_lanes(f, o) + '[' + at + "] = " + own + lane + ';');
  });
  halve_local(w, at, lanes, columns, [&](std::string const& mine, std::string const& other) {
    f.each_reduction([&](int o, std::string const&, std::string const&) {
      w.line(f.combined(o, local_lanes(f, o) + mine, local_lanes(f, o) + other));
    });
  });
}

} // namespace detail::opencl_text
} // namespace weft::inline v0
