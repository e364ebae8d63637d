// SPDX-License-Identifier: BSL-1.0
// build: alone
// The golden modules: both forms of the text are one graph, which gives the results of the data
// within its tolerances; modules of several devices are refused by name.
#include "golden/case_list.hpp"
#include "stablehlo/imports.hpp"

#include <gtest/gtest.h>

namespace {

using namespace weft;
using golden::json_case, golden::parts_of;

std::string const folder = WEFT_SHARED_DIR "/golden/stablehlo";

dense dense_of(golden::array const& a, dtype type) {
  extents s;
  for (long e : a.shape) s.push(e);
  return imports::array(type, s, reinterpret_cast<unsigned char const*>(a.bytes.data()));
}
golden::array golden_of(dense const& d, golden::array like) {
  int const size = size_of(d.type);
  like.bytes.clear();
  like.shape.clear();
  for (int i = 0; i < d.shape.rank; ++i) like.shape.push_back(d.shape[i]);
  for (word w : d.words)
    for (int k = 0; k < size; ++k) like.bytes.push_back(static_cast<std::byte>(w >> (8 * k)));
  return like;
}

void check(json_case const& c) {
  std::string const text = texts::file(folder + "/" + c.word("file"));
  stablehlo::imported const i = imports::read(text);
  ASSERT_EQ(imports::mistake(i), "");
  ASSERT_FALSE(verify(i.program));
  EXPECT_EQ(imports::graph_text(text),
            imports::graph_text(texts::file(folder + "/" + c.word("generic"))));
  graph_view const g = i.program;
  std::vector<golden::array> const in = golden::arrays_of(folder, c, "inputs"),
                                   want = golden::arrays_of(folder, c, "outputs");
  view<int> const parameters = g.parameters_of(0);
  ASSERT_EQ(static_cast<int>(in.size()), parameters.size());
  growing<dense> inputs;
  for (int k = 0; k < parameters.size(); ++k)
    inputs.push(dense_of(in[static_cast<std::size_t>(k)], g[parameters[k]].type));
  growing<dense> const got = test::meaning_of(g, inputs);
  ASSERT_EQ(static_cast<int>(want.size()), got.size());
  double const scaled = c.number("scaled", -1);
  golden::tolerance const t{scaled < 0 ? golden::measure::exact : golden::measure::scaled, scaled};
  for (int k = 0; k < got.size(); ++k) {
    golden::array const& w = want[static_cast<std::size_t>(k)];
    EXPECT_EQ(golden::difference(golden_of(got[k], w), w, t), "") << "result " << k;
  }
}

TEST(StablehloImport, GoldenModulesGiveTheirResults) {
  std::string const list = texts::file(folder + "/stablehlo.json");
  if (list.empty()) GTEST_SKIP() << "no golden data";
  int modules = 0, collectives = 0;
  for (json_case const& c : parts_of(list, "{\"name\"")) {
    SCOPED_TRACE(c.word("name"));
    if (c.word("kind") == "module") check(c), ++modules;
    else { // tests/golden and tests/mpi run them on ranks
      stablehlo::imported const i = imports::read(texts::file(folder + "/" + c.word("file")));
      EXPECT_FALSE(i.error.failed) << imports::mistake(i);
      ++collectives;
    }
  }
  EXPECT_GT(modules, 0);
  EXPECT_GT(collectives, 0);
}

} // namespace
