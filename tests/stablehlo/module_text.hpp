// SPDX-License-Identifier: BSL-1.0
// Exports as tests look at them.
#pragma once

#include <weft/stablehlo/export.hpp>
#include <weft/stablehlo/print.hpp>

#include <string>

namespace test {

inline std::string text_of(weft::stablehlo::module_ir const& m) {
  weft::growing<char> const text = weft::stablehlo::print(m);
  return {text.data(), static_cast<std::size_t>(text.size())};
}
inline std::string exported(weft::graph_view g, weft::stablehlo::export_names const& names = {}) {
  return text_of(weft::stablehlo::to_module(g, names));
}

} // namespace test
