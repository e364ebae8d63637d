// SPDX-License-Identifier: BSL-1.0
// build: alone
// Texts that were changed at random: each ends in a graph that verify accepts, or in a failure that
// says where. No text may take long.
#include "stablehlo/imports.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace weft;

class mutator {
public:
  explicit mutator(unsigned seed) : rng_(seed) {}

  std::string changed(std::string text) {
    for (int n = 1 + pick(2); n > 0; --n) change(text);
    return text;
  }
  int pick(std::size_t n) { return n == 0 ? 0 : static_cast<int>(rng_() % n); }

private:
  static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  // The word at a place, or behind it.
  std::pair<std::size_t, std::size_t> word(std::string const& t) {
    std::size_t from = static_cast<std::size_t>(pick(t.size()));
    while (from < t.size() && !is_word(t[from])) ++from;
    while (from > 0 && is_word(t[from - 1])) --from;
    std::size_t to = from;
    while (to < t.size() && is_word(t[to])) ++to;
    return {from, to - from};
  }
  void change(std::string& t) {
    static char const* const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "5",
                                          "8",
                                          "-1",
                                          "63",
                                          "2147483647",
                                          "2147483648",
                                          "9223372036854775807",
                                          "1073741824"};
    static char const* const types[] = {"f32", "i32", "i1", "f64", "bf16", "ui8", "i64", "ui32"};
    static char const* const ops[] = {
        "add",  "compare",         "select",        "reduce",      "slice",   "pad",
        "not",  "transpose",       "reshape",       "concatenate", "convert", "reverse",
        "tanh", "bitcast_convert", "dynamic_slice", "clamp",       "tuple"};
    auto const [from, length] = word(t);
    bool const digits = from < t.size() && t[from] >= '0' && t[from] <= '9';
    switch (pick(5)) {
      case 0:
      case 1:
        if (digits) t.replace(from, length, numbers[pick(std::size(numbers))]);
        return;
      case 2: return replace(t, "f32", types[pick(std::size(types))], 3);
      case 3: {
        std::size_t const at = t.find("stablehlo.", static_cast<std::size_t>(pick(t.size())));
        if (at == std::string::npos) return;
        std::size_t to = at + 10;
        while (to < t.size() && is_word(t[to])) ++to;
        t.replace(at + 10, to - at - 10, ops[pick(std::size(ops))]);
        return;
      }
      default: t.erase(from, length);
    }
  }
  void replace(std::string& t, char const* what, char const* by, std::size_t length) {
    std::size_t const at = t.find(what, static_cast<std::size_t>(pick(t.size())));
    if (at != std::string::npos) t.replace(at, length, by);
  }

  std::mt19937 rng_;
};

// Numbers in attributes and extents of types, where the text's own checks see nothing.
void change_module(stablehlo::module_ir& m, mutator& by) {
  static constexpr long long numbers[] = {0,  1,  2,       3,          4,          5,
                                          -1, 63, 1 << 20, 2147483647, 2147483648, 1ll << 62};
  auto const pick = [&by](int n) { return by.pick(static_cast<std::size_t>(n)); };
  for (int n = 1 + pick(3); n > 0; --n) {
    int const a = pick(m.attributes.size()), t = pick(m.types.size());
    stablehlo::attribute& one = m.attributes[a];
    stablehlo::value_type& type = m.types[t];
    long long const number = numbers[pick(pick(3) == 0 ? 12 : 6)];
    if (pick(2) == 0 && one.kind == stablehlo::attribute_kind::numbers && one.count > 0 &&
        is_wide(m.types[one.type].element))
      m.words[one.first + pick(one.count)] = static_cast<word>(number);
    else if (pick(2) == 0 && one.kind == stablehlo::attribute_kind::integer) one.integer = number;
    else if (type.kind == stablehlo::type_kind::tensor && type.shape.rank > 0 && number >= 0)
      type.shape[pick(type.shape.rank)] = number;
  }
}

std::vector<std::string> sources() {
  std::vector<std::string> all;
  for (auto const& path : texts::golden_files()) all.push_back(texts::file(path));
  for (auto const& entry :
       std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/tests/stablehlo/modules"))
    all.push_back(texts::file(entry.path()));
  return all;
}
// Of imports: how many gave graphs.
struct tally {
  int graphs = 0, failures = 0;

  void add(stablehlo::imported const& i) {
    if (!i.error.failed) {
      ++graphs;
      ASSERT_FALSE(verify(i.program));
      return;
    }
    ++failures;
    ASSERT_GT(i.error.line, 0);
    ASSERT_NE(std::string(i.error.text.c_str()), "");
  }
};

TEST(StablehloHostile, ChangedTextsEndInAGraphOrAFailure) {
  std::vector<std::string> const all = sources();
  mutator by(20261122);
  tally seen;
  for (int n = 0; n < 3000; ++n)
    seen.add(imports::read(by.changed(all[static_cast<std::size_t>(by.pick(all.size()))])));
  EXPECT_GT(seen.graphs, 100);
  EXPECT_GT(seen.failures, 1000);
}
TEST(StablehloHostile, ChangedModulesEndInAGraphOrAFailure) {
  std::vector<stablehlo::module_ir> all;
  for (std::string const& text : sources())
    if (stablehlo::module_ir m = texts::read(text); !m.error.failed && !m.attributes.empty())
      all.push_back(std::move(m));
  mutator by(1811);
  tally seen;
  for (int n = 0; n < 6000; ++n) {
    stablehlo::module_ir m = all[static_cast<std::size_t>(by.pick(all.size()))];
    change_module(m, by);
    seen.add(stablehlo::to_graph(m));
  }
  EXPECT_GT(seen.graphs, 500);
  EXPECT_GT(seen.failures, 1000);
}

} // namespace
