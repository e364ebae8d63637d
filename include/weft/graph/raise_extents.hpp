// SPDX-License-Identifier: BSL-1.0
// Errors of extents that names hid until the run, raised by the interpreter and by executors in the
// same words.
#pragma once

#include <weft/core/error.hpp>

namespace weft::inline v0 {
namespace detail {

[[noreturn]] WEFT_NOINLINE inline void raise_extents(char const* op, extents const& computed,
                                                     extents const& shape) {
  raise<shape_error>(message(op)
                         .add(": extents ")
                         .add(computed)
                         .add(" do not fit ")
                         .add(shape)
                         .add("; bind names so that they do"));
}
[[noreturn]] WEFT_NOINLINE inline void raise_no_element(extents const& shape) {
  raise<shape_error>(message("arg_reduce: no element to choose in ")
                         .add(shape)
                         .add("; the reduced axes must not be empty"));
}

} // namespace detail
} // namespace weft::inline v0
