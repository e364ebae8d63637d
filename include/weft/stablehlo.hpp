// SPDX-License-Identifier: BSL-1.0
// StableHLO, the exchange format of JAX, PyTorch/XLA and IREE, in both directions (docs/stablehlo.md):
//   std::string text = stablehlo::write<step, params<tensor>, tensor<float, 32, 64>, key>();
//   model m = stablehlo::load("model.mlir");               // at run time, on the block executor
//   struct net : stablehlo::program<[] { return R"(module { ... })"; }> {};   // at compile time
//   auto y = jit<net>(x);
// Needs: the standard library. Errors: value_error with line, column and words for a text that weft
// does not read; io_error for a file.
#pragma once

#include <weft/io/file_bytes.hpp>
#include <weft/run/stablehlo.hpp>

namespace weft::inline v0::stablehlo {

// The program of a module in a file. `calls` are custom calls that weft does not know.
inline model load(std::string const& path, view<custom_call> calls = {}) {
  weft::detail::file_at const at{"stablehlo", path};
  weft::detail::file_bytes const file(at);
  std::string_view const text = file.bytes();
  return read(view<char>{text.data(), static_cast<int>(text.size())}, calls, path.c_str());
}

} // namespace weft::inline v0::stablehlo
