// SPDX-License-Identifier: BSL-1.0
// build: alone
// Modules that JAX 0.10.2 made of functions (modules/): each runs on the interpreter and gives what
// JAX gave. Their first lines are comments: arrays as bytes in hexadecimal, one after the other, in
// the order of the arguments and results; the extents of arguments that the text calls `?`.
#include "stablehlo/imports.hpp"

#include <gtest/gtest.h>

namespace {

using namespace weft;

imports::bytes of_hex(std::string const& line) {
  imports::bytes all;
  for (std::size_t i = 0; i + 1 < line.size(); i += 2)
    all.push_back(static_cast<unsigned char>(std::stoi(line.substr(i, 2), nullptr, 16)));
  return all;
}
// What follows "// name ", or nothing.
std::string note(std::string const& text, std::string const& name) {
  std::size_t const at = text.find("// " + name);
  if (at == std::string::npos) return {};
  std::size_t const from = at + name.size() + 4, to = text.find('\n', at);
  return from < to ? text.substr(from, to - from) : std::string();
}
growing<dense> inputs_of(graph_view g, std::string const& text) {
  imports::bytes const all = of_hex(note(text, "inputs"));
  std::istringstream given(note(text, "extents"));
  growing<dense> inputs;
  std::size_t at = 0;
  for (int id : g.parameters_of(0)) {
    extents s = g.shape(id);
    long long e = 0;
    for (int i = 0; i < s.rank; ++i)
      if (given >> e) s[i] = e;
    inputs.push(imports::array(g[id].type, s, all.data() + at));
    at += static_cast<std::size_t>(count_of(s)) * static_cast<std::size_t>(size_of(g[id].type));
  }
  EXPECT_EQ(at, all.size());
  return inputs;
}

TEST(StablehloImport, ModulesOfJaxGiveItsResults) {
  int modules = 0;
  for (auto const& entry :
       std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/tests/stablehlo/modules")) {
    SCOPED_TRACE(entry.path().stem().string());
    std::string const text = texts::file(entry.path());
    stablehlo::imported const i = imports::read(text);
    ASSERT_EQ(imports::mistake(i), "");
    ASSERT_FALSE(verify(i.program));
    growing<dense> const got = test::meaning_of(i.program, inputs_of(i.program, text));
    imports::bytes const want = of_hex(note(text, "outputs"));
    double const tolerance = std::stod(note(text, "tolerance"));
    std::size_t at = 0;
    for (int k = 0; k < got.size(); ++k) {
      std::size_t const size = static_cast<std::size_t>(got[k].size()) *
                               static_cast<std::size_t>(size_of(got[k].type));
      ASSERT_LE(at + size, want.size());
      dense const expected = imports::array(got[k].type, got[k].shape, want.data() + at);
      EXPECT_EQ(imports::difference(got[k], expected, tolerance), "") << "result " << k;
      at += size;
    }
    EXPECT_EQ(at, want.size());
    ++modules;
  }
  EXPECT_GE(modules, 60);
}

} // namespace
