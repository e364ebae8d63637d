// SPDX-License-Identifier: BSL-1.0
// Modules from and to strings, the files of the golden folder, and one operation in a function.
#pragma once

#include <weft/stablehlo/parse.hpp>
#include <weft/stablehlo/print.hpp>
#include <weft/stablehlo/same.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace texts {

using weft::view;
using namespace weft::stablehlo;

inline module_ir read(std::string const& text) {
  return parse({text.data(), static_cast<int>(text.size())});
}
inline std::string write(module_ir const& m, text_form form) {
  auto const text = print(m, form);
  return {text.data(), static_cast<std::size_t>(text.size())};
}
// "3:7: weft: stablehlo: ...", or nothing.
inline std::string mistake(module_ir const& m) {
  if (!m.error.failed) return {};
  return std::to_string(m.error.line) + ":" + std::to_string(m.error.column) + ": " +
         m.error.text.c_str();
}

inline std::string file(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}
// Those of the golden folder, sorted; none where there is no folder.
inline std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> r;
  std::filesystem::path const folder = WEFT_SHARED_DIR "/golden/stablehlo";
  if (!std::filesystem::exists(folder)) return r;
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".mlir") r.push_back(entry.path());
  std::sort(r.begin(), r.end());
  return r;
}
inline bool is_global(std::filesystem::path const& p) { return p.stem().extension() == ".global"; }
inline bool is_generic(std::filesystem::path const& p) {
  return p.stem().extension() == ".generic";
}

// A text of one function around operations.
inline std::string around(std::string const& signature, std::string const& operations) {
  return "func.func @main" + signature + " {\n  " + operations + "\n  return\n}\n";
}

} // namespace texts
