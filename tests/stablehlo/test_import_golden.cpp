// SPDX-License-Identifier: BSL-1.0
// build: alone
// The golden modules: both forms of the text are one graph, which gives the results of the data
// within its tolerances; modules of several devices are refused by name.
#include "golden/data.hpp"
#include "stablehlo/imports.hpp"

#include <gtest/gtest.h>

namespace {

using namespace weft;

std::string const folder = WEFT_SHARED_DIR "/golden/stablehlo";

// What the list of cases says of one: names to texts between the quotes or brackets behind them.
class json_case {
public:
  explicit json_case(std::string text) : text_(std::move(text)) {}

  std::string word(std::string const& name) const {
    std::size_t const at = text_.find("\"" + name + "\":\"");
    if (at == std::string::npos) return {};
    std::size_t const from = at + name.size() + 4;
    return text_.substr(from, text_.find('"', from) - from);
  }
  std::string list(std::string const& name) const {
    std::size_t const at = text_.find("\"" + name + "\":[");
    if (at == std::string::npos) return {};
    std::size_t const from = at + name.size() + 4;
    int depth = 1;
    std::size_t to = from;
    for (; depth > 0 && to < text_.size(); ++to)
      depth += text_[to] == '[' ? 1 : text_[to] == ']' ? -1 : 0;
    return text_.substr(from, to - from - 1);
  }
  double number(std::string const& name, double otherwise) const {
    std::size_t const at = text_.find("\"" + name + "\":");
    return at == std::string::npos ? otherwise : std::stod(text_.substr(at + name.size() + 3));
  }

private:
  std::string text_;
};
std::vector<json_case> parts_of(std::string const& text, std::string const& start) {
  std::vector<json_case> parts;
  std::size_t at = text.find(start);
  while (at != std::string::npos) {
    std::size_t const next = text.find(start, at + 1);
    parts.emplace_back(text.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return parts;
}
golden::array array_of(json_case const& c) {
  golden::reference r{
      c.word("file"), static_cast<long>(c.number("offset", 0)), c.word("dtype"), {}};
  std::istringstream extents(c.list("shape"));
  for (std::string e; std::getline(extents, e, ',');) r.shape.push_back(std::stol(e));
  return golden::read(folder, r);
}
std::vector<golden::array> arrays_of(json_case const& c, std::string const& name) {
  std::vector<golden::array> arrays;
  for (json_case const& part : parts_of(c.list(name), "{\"file\""))
    arrays.push_back(array_of(part));
  return arrays;
}
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
  std::vector<golden::array> const in = arrays_of(c, "inputs"), want = arrays_of(c, "outputs");
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
    else { // ./dev test golden runs them on ranks
      stablehlo::imported const i = imports::read(texts::file(folder + "/" + c.word("file")));
      EXPECT_FALSE(i.error.failed) << imports::mistake(i);
      ++collectives;
    }
  }
  EXPECT_GT(modules, 0);
  EXPECT_GT(collectives, 0);
}

} // namespace
