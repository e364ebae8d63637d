// SPDX-License-Identifier: BSL-1.0
// StableHLO modules of the golden data as programs.
//   module_graph("a.mlir", "a.generic.mlir")    read in both forms, which give one graph; printed in
//                                               both and read again, the same graph
//   written_graph(...)                          of that graph, exported and read back: exporting it
//                                               again gives the same text
//   compiled_module<[] { return R"(...)"; }>()  read by the compiler, run as a compiled program
// Errors: data_error says what differs.
#pragma once

#include "golden/doors.hpp"

#include <weft/run/stablehlo.hpp>

namespace golden {

weft::graph module_graph(char const* pretty, char const* generic);
weft::graph written_graph(char const* pretty, char const* generic);

template <class... Args>
std::tuple<Args...> arguments_of(weft::type_list<Args...>, arrays const& inputs) {
  std::size_t next = 0;
  return std::tuple<Args...>{argument_of<Args>(inputs, next)...}; // braces keep the order
}
template <auto Text> way compiled_module() {
  return {.call = [](arrays const& inputs) {
    using program = weft::stablehlo::program<Text>;
    auto const all = arguments_of(typename program::arguments{}, inputs);
    return std::apply([](auto const&... a) { return arrays_of(weft::jit<program>(a...)); }, all);
  }};
}

} // namespace golden
