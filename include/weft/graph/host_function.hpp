// SPDX-License-Identifier: BSL-1.0
// host_function: what a custom_call node calls where it runs, and how it is differentiated.
//   constexpr host_function norms{"row_norms", [](host_call const& at) { ... }};
// `run` is called once for every item: an element of the batch axes that all operands and results
// share (one, where there are none). It reads at.operands and writes every element of at.results,
// all dense and row-major; results depend on the operands alone, since a call may be moved, merged
// with an equal one, or left out. It may be called by any thread that runs a program; what it throws
// leaves the program, which can be run again.
// `vjp`, `jvp` record derivatives over handles; null: there is none. Operands and results are those
// of one item where batch_axes is 0; else all have that many axes more, in front. Handles of results
// that have no cotangent, and of operands that have no tangent, are zeros. Invalid handles among
// what comes back stand for zeros.
// lang/custom_call.hpp makes one of a struct of the user's.
#pragma once

#include <weft/graph/recorder.hpp>

#include <cstddef>

namespace weft::inline v0 {

// Dense, row-major, of one item; no address where there is no element.
struct host_operand {
  std::byte const* data;
  dtype type;
  extents shape; // numbers
};
struct host_result {
  std::byte* data;
  dtype type;
  extents shape;
};
struct host_call {
  view<host_operand> operands;
  view<host_result> results;
  extents batch;   // the batch axes
  extent item = 0; // which of their elements this is
};
struct host_derivative {
  int batch_axes;
  view<handle> operands, results;
  view<handle> given; // vjp: a cotangent per result; jvp: a tangent per operand
};

struct host_function {
  char const* name;
  void (*run)(host_call const&);
  growing<handle> (*vjp)(recorder&, host_derivative const&) = nullptr; // one per operand
  growing<handle> (*jvp)(recorder&, host_derivative const&) = nullptr; // one per result
};

} // namespace weft::inline v0
