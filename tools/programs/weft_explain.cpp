// SPDX-License-Identifier: BSL-1.0
// weft-explain: what weft makes of a StableHLO module, as text: its arguments and results, the
// optimised graph, what runs together, memory and arithmetic.
//   weft-explain m.mlir
#include "block_executor.hpp"

#include <weft/stablehlo.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>

namespace {

void print_value(char const* what, int i, weft::value_info const& v) {
  std::printf("%s %d: %s %s%s%s\n", what, i, weft::name_of(v.type),
              weft::message().add(v.shape).c_str(), v.name.empty() ? "" : " ", v.name.c_str());
}

} // namespace

int main(int count, char** arguments) {
  CLI::App app(
      "Prints what weft makes of a StableHLO module: graph, schedule, memory, arithmetic.");
  std::string module;
  app.add_option("module", module, "the module's text, .mlir")->required();
  CLI11_PARSE(app, count, arguments);
  try {
    weft::model const m = weft::stablehlo::load(module);
    for (int i = 0; i < m.inputs(); ++i) print_value("argument", i, m.input(i));
    for (int k = 0; k < m.outputs(); ++k) print_value("result", k, m.output(k));
    std::fputs(weft::explain(m).c_str(), stdout);
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "weft-explain: %s\n", e.what());
    return 1;
  }
}
