// SPDX-License-Identifier: BSL-1.0
// Errors of extents that names hid until the run, raised by the interpreter and by executors, in
// the words that the doors have for numbers.
#pragma once

#include <weft/core/error.hpp>
#include <weft/graph/gather_dims.hpp>

namespace weft::inline v0 {
namespace detail {

[[noreturn]] WEFT_NOINLINE inline void raise_extents(char const* op, extents const& computed,
                                                     extents const& shape) {
  raise<shape_error>(message("weft: ")
                         .add(op)
                         .add(": extents ")
                         .add(computed)
                         .add(" do not fit ")
                         .add(shape)
                         .add("; bind names so that they do"));
}
[[noreturn]] WEFT_NOINLINE inline void raise_no_element(extents const& shape, bool smallest) {
  raise<shape_error>(message("weft: ")
                         .add(smallest ? "arg_min" : "arg_max")
                         .add(": there is no element to choose in ")
                         .add(shape));
}
// A window that is larger than its array. top_k's is one of an order.
[[noreturn]] WEFT_NOINLINE inline void raise_window(graph_view g, int id, extents const& window,
                                                    extents const& whole) {
  bool const slices = g[id].code == op::dynamic_slice;
  bool const best = slices && g[g.operand(id, 0)].code == op::arg_sort;
  message text("weft: ");
  if (best) text.add("top_k: the last axis has fewer elements: ");
  else
    text.add(slices ? "dynamic_slice" : "dynamic_update_slice")
        .add(": the window has another rank than the array, or is larger: ");
  raise<shape_error>(text.add(window).add(" of ").add(whole));
}
[[noreturn]] WEFT_NOINLINE inline void raise_empty(extents const& window, extents const& whole) {
  raise<shape_error>(message("weft: take, at, set or pad: the axis has no element to take: ")
                         .add(window)
                         .add(" of ")
                         .add(whole));
}
// The clamped windows of gather and scatter in x, one element along each axis that is indexed: a
// named extent may be too small, which is no matter where no element of a window is read.
constexpr void expect_windows(gather_dims const& d, extents const& x, extent elements) {
  if (elements > 0 && !windows_fit(d, x)) raise_empty(window_extents(d), x);
}

} // namespace detail
} // namespace weft::inline v0
