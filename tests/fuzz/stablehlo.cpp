// SPDX-License-Identifier: BSL-1.0
// libFuzzer over StableHLO text: whatever comes in, no crash, no endless loop, bounded memory. What
// is read is printed in both forms and read as the same module; what becomes a graph is one that
// verify accepts, and its export is read again.
//   cmake --build build/clang-asan-ubsan --target fuzz_stablehlo
//   build/clang-asan-ubsan/bin/fuzz_stablehlo -max_total_time=3600 new tests/stablehlo/modules
#include <weft/graph/verify.hpp>
#include <weft/stablehlo/export.hpp>
#include <weft/stablehlo/import.hpp>
#include <weft/stablehlo/parse.hpp>
#include <weft/stablehlo/print.hpp>
#include <weft/stablehlo/same.hpp>

#include <cstddef>

using namespace weft::stablehlo;

namespace {

void export_again(weft::graph_view g) {
  if (g.size() > 400) return; // long texts say nothing new
  module_ir m;
  try {
    m = to_module(g);
  } catch (weft::error const&) {
    return; // a named extent that has no form
  }
  auto const text = print(m, text_form::generic);
  imported const in = to_graph(parse(text));
  if (in.error.failed) __builtin_trap();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  module_ir const m = parse({reinterpret_cast<char const*>(data), static_cast<int>(size)});
  if (m.error.failed) return 0;
  for (text_form form : {text_form::generic, text_form::pretty}) {
    auto const text = print(m, form);
    if (!same(m, parse(text))) __builtin_trap();
  }
  imported const in = to_graph(m);
  if (in.error.failed) return 0;
  if (weft::verify(in.program)) __builtin_trap();
  export_again(in.program);
  return 0;
}
