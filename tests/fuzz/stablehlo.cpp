// SPDX-License-Identifier: BSL-1.0
// libFuzzer over the parser of StableHLO text: whatever comes in, no crash; what is read is printed
// in both forms and read as the same module. Build and run (README of libFuzzer for options):
//   cmake --build build --target fuzz_stablehlo && build/bin/fuzz_stablehlo -max_len=4096 corpus
#include <weft/stablehlo/parse.hpp>
#include <weft/stablehlo/print.hpp>
#include <weft/stablehlo/same.hpp>

#include <cstddef>

using namespace weft::stablehlo;

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  module_ir const m = parse({reinterpret_cast<char const*>(data), static_cast<int>(size)});
  if (m.error.failed) return 0;
  for (text_form form : {text_form::generic, text_form::pretty}) {
    auto const text = print(m, form);
    if (!same(m, parse(text))) __builtin_trap();
  }
  return 0;
}
