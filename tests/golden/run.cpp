// SPDX-License-Identifier: BSL-1.0
// Golden cases as GoogleTest tests: <family>.<case>. A traced program runs on the interpreter, on the
// block executor and, where there is one, on an OpenCL device, and all have to meet the expected
// values; one of several ranks on both, its ranks being threads.
#include "golden/case.hpp"
#include "golden/device.hpp"
#include "random/run_blocks.hpp"
#include "support/meaning.hpp"

#include <weft/cpu/rank_member.hpp>
#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>
#include <weft/testing/interpret_ranks.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace golden {
namespace {

struct expected {
  bool compared = true;
  reference where;
  tolerance within;
};
struct case_data {
  int ranks = 1;
  arrays inputs;
  std::vector<expected> outputs;
};

std::vector<long> read_shape(std::string const& text) {
  std::vector<long> shape;
  if (text == "-") return shape;
  std::istringstream in(text);
  for (std::string e; std::getline(in, e, 'x');) shape.push_back(std::stol(e));
  return shape;
}
reference read_reference(std::istream& in) {
  reference r;
  std::string shape;
  in >> r.file >> r.offset >> r.type >> shape;
  r.shape = read_shape(shape);
  return r;
}
// exact | bits | bits_and_nan_sign | close RTOL ATOL | ulp N SHARE | ulp_and_zero_sign N SHARE |
// scaled FACTOR
tolerance read_tolerance(std::istream& in) {
  std::string word;
  tolerance t;
  in >> word;
  t.signs = word.ends_with("_sign");
  if (word.starts_with("bits")) t.how = measure::bits;
  else if (word.starts_with("ulp")) t.how = measure::ulp, in >> t.first >> t.second;
  else if (word == "close") t.how = measure::close, in >> t.first >> t.second;
  else if (word == "scaled") t.how = measure::scaled, in >> t.first;
  else if (word != "exact") throw data_error("no measure " + word);
  return t;
}
array key_of(std::istream& in) {
  std::uint32_t words[2]{};
  in >> words[0] >> words[1];
  array a{"u32", {2}, std::vector<std::byte>(sizeof words)};
  std::memcpy(a.bytes.data(), words, sizeof words);
  return a;
}
case_data read_data(std::string const& folder, char const* text) {
  case_data d;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "in") d.inputs.push_back(read(folder, read_reference(in)));
    else if (word == "key") d.inputs.push_back(key_of(in));
    else if (word == "ranks") in >> d.ranks;
    else if (word == "any") d.outputs.push_back({.compared = false, .where = {}, .within = {}});
    else if (word == "out") {
      reference const where = read_reference(in);
      d.outputs.push_back({true, where, read_tolerance(in)});
    } else throw data_error("a line that starts with '" + word + "'");
    if (!in) throw data_error("cannot read '" + line + "'");
  }
  return d;
}

weft::dense dense_of(array const& a, weft::dtype type, weft::extents const& shape) {
  test::packed_array packed(type, shape);
  if (!a.bytes.empty()) std::memcpy(packed.data(), a.bytes.data(), a.bytes.size());
  return packed.unpacked();
}
array array_of(weft::dense const& d) {
  array a{type_name(d.type), {}, {}};
  for (int i = 0; i < d.shape.rank; ++i) a.shape.push_back(static_cast<long>(d.shape[i]));
  a.bytes.resize(static_cast<std::size_t>(weft::size_of(d.type)) *
                 static_cast<std::size_t>(d.size()));
  test::packed_array packed(d);
  if (!a.bytes.empty()) std::memcpy(a.bytes.data(), packed.data(), a.bytes.size());
  return a;
}

// The program's inputs; the generator and the trace agree on their types.
weft::growing<weft::dense> bound_inputs(weft::graph_view g, arrays const& inputs) {
  weft::growing<weft::dense> bound;
  weft::view<int> const parameters = g.parameters_of(0);
  if (parameters.size() != static_cast<int>(inputs.size()))
    throw data_error("the program has " + std::to_string(parameters.size()) + " inputs");
  for (int i = 0; i < parameters.size(); ++i) {
    array const& given = inputs[static_cast<std::size_t>(i)];
    weft::dense const want(g[parameters[i]].type, g.shape(parameters[i]));
    array const like = array_of(want);
    if (like.type != given.type || like.shape != given.shape)
      throw data_error("input " + std::to_string(i) + " is " + print_type(given.type, given.shape) +
                       ", the program takes " + print_type(like.type, like.shape));
    bound.push(dense_of(given, want.type, want.shape));
  }
  return bound;
}

void compare(std::string const& who, arrays const& got, std::string const& folder,
             std::vector<expected> const& want) {
  ASSERT_EQ(got.size(), want.size()) << who << ": number of outputs";
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!want[i].compared) continue;
    std::string const wrong = difference(got[i], read(folder, want[i].where), want[i].within);
    EXPECT_EQ(wrong, "") << who << ": output " << i;
  }
}
arrays arrays_of(weft::view<weft::dense> results) {
  arrays r;
  for (weft::dense const& d : results) r.push_back(array_of(d));
  return r;
}

class golden_test : public testing::Test {
public:
  explicit golden_test(test_case const& c)
      : case_(c), folder_(std::string(WEFT_GOLDEN_DIR) + "/" + c.family) {}

private:
  void TestBody() override {
    way const& run = case_.run;
    if (run.holds != nullptr) EXPECT_EQ(run.holds(), "");
    else if (run.call == nullptr && run.trace == nullptr && run.ranks == nullptr)
      GTEST_SKIP() << case_.data;
    else try {
        case_data const d = read_data(folder_, case_.data);
        if (run.call != nullptr) compare("call", run.call(d.inputs), folder_, d.outputs);
        else if (run.ranks != nullptr) run_ranks(run.ranks(), d);
        else run_program(run.trace(), d);
      } catch (std::exception const& e) {
        ADD_FAILURE() << e.what();
      }
  }
  // All ranks as threads, of the interpreter and of the block executor.
  void run_ranks(weft::graph const& g, case_data const& d) const {
    ASSERT_FALSE(weft::verify(g)) << weft::print(g);
    std::size_t const ranks = static_cast<std::size_t>(d.ranks), each = d.inputs.size() / ranks;
    std::vector<weft::growing<weft::dense>> inputs;
    for (std::size_t r = 0; r < ranks; ++r) {
      auto const first = d.inputs.begin() + static_cast<long>(r * each);
      inputs.push_back(bound_inputs(g, arrays(first, first + static_cast<long>(each))));
    }
    arrays all;
    for (auto const& of_rank : weft::testing::interpret_ranks(g, inputs))
      for (array const& a : arrays_of(of_rank)) all.push_back(a);
    compare("ranks", all, folder_, d.outputs);
    std::vector<arrays> of_rank(ranks);
    weft::cpu::block_program<weft::cpu::native_target> const blocks(g);
    weft::testing::on_rank_threads(d.ranks, [&](weft::rank_transport& others) {
      auto const r = static_cast<std::size_t>(others.rank());
      weft::cpu::rank_member member(others);
      weft::cpu::serial here;
      of_rank[r] = arrays_of(test::run_code(blocks.code(), inputs[r], here, &member));
    });
    all.clear();
    for (arrays const& results : of_rank) all.insert(all.end(), results.begin(), results.end());
    compare("ranks of the block executor", all, folder_, d.outputs);
  }
  void run_program(weft::graph const& g, case_data const& d) const {
    ASSERT_EQ(g.error, weft::trace_error::clean);
    weft::verify_error const v = weft::verify(g);
    ASSERT_FALSE(v) << "rule " << static_cast<int>(v.broken) << " node " << v.node << "\n"
                    << weft::print(g);
    weft::growing<weft::dense> const inputs = bound_inputs(g, d.inputs);
    compare("interpreter", arrays_of(test::meaning_of(g, inputs)), folder_, d.outputs);
    weft::cpu::serial here;
    test::block_runner<weft::cpu::native_target> const blocks(g);
    compare("block executor", arrays_of(blocks.run(inputs, here)), folder_, d.outputs);
    if (auto const results = run_on_device(g, inputs))
      compare("device", arrays_of(*results), folder_, d.outputs);
  }

  test_case case_;
  std::string folder_;
};

} // namespace

listed list(std::vector<test_case> const& cases) {
  for (test_case const& c : cases)
    testing::RegisterTest(c.family, c.name, nullptr, nullptr, __FILE__, __LINE__,
                          [c]() -> testing::Test* { return new golden_test(c); });
  return {};
}

} // namespace golden
