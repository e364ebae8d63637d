// SPDX-License-Identifier: BSL-1.0
// compiled_graph<Maker, Target>: a graph that constant evaluation makes, as a compiled program,
// from and to the interpreter's arrays. Maker::make() gives the graph.
// Leaves: every array in memory of exactly its size, so that sanitizers see a step outside.
#pragma once

#include "random/run_blocks.hpp"

#include <weft/run/program.hpp>

namespace test {

// What run/program.hpp asks of a program without a traced function.
template <class Maker> struct graph_program {
  using traced_result_type = void;
  static constexpr weft::graph make() { return Maker::make(); }
};

template <class Maker, class Target = weft::cpu::native_target> struct compiled_graph {
  using program = graph_program<Maker>;
  static weft::cpu::program_code const& code() {
    return weft::detail::program_functions<program, Target>::code;
  }
  static weft::graph_view recorded() { return weft::stages<program>::recorded; }

  template <class Executor>
  static weft::growing<weft::dense> run(weft::view<weft::dense> inputs, Executor& executor) {
    return run_code(code(), inputs, executor);
  }
};

} // namespace test
