// SPDX-License-Identifier: BSL-1.0
// build: alone
// Generated from the op table: every elementwise op at every type it takes, over edge values and
// every length from 0 to 130 and one of many blocks, on the block executor against the definition.
// And every op after every other: what the recorded graph means is what the optimised graph means
// and what the block executor computes of either. Each pair with numbers for extents and with a
// name, of two types that take turns; with WEFT_CONFORMANCE_FULL set, of all (three minutes).
#include "conformance/edge_values.hpp"
#include "conformance/op_cases.hpp"
#include "conformance/op_writer.hpp"
#include "random/run_blocks.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/handle.hpp>
#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using namespace test;

// One op over arrays of n elements; every operand is a parameter, every result an output.
weft::graph one_op(op code, dtype from, dtype to) {
  weft::op_info const& info = weft::info_of(code);
  extents const shape{1, {weft::pack_name("n")}};
  weft::recorder r;
  growing<weft::handle> operands, outputs;
  for (int i = 0; i < info.arity; ++i) {
    bool const condition = i == 0 && info.result == weft::type_rule::choose;
    operands.push(r.input(condition ? dtype::boolean : from, shape, {i, 0, false}));
  }
  weft::handle const result = r.emit(code, to, shape, operands);
  if (weft::result_count(r.result, result.id) == 1) outputs.push(result);
  else
    for (int i = 0; i < 2; ++i) outputs.push(get(result, i, to, shape));
  r.finish(outputs);
  return r.result;
}

template <class Target>
testing::AssertionResult conforms(weft::graph const& g, dtype from, extent n, extent offset,
                                  block_runner<Target> const& blocks) {
  weft::cpu::serial here;
  growing<dense> inputs;
  auto const base = static_cast<extent>(edges(from).size());
  for (int i = 0; i < g.inputs.size(); ++i)
    inputs.push(walk(g[weft::graph_view(g).parameters_of(0)[i]].type, n, i, base, offset));
  return same_bits(static_cast<std::uint64_t>(n), g, blocks.run(inputs, here),
                   test::meaning_of(g, inputs));
}

class block_op : public testing::TestWithParam<op_case> {
protected:
  template <class Target> void run() const {
    auto const [code, from, to] = GetParam();
    weft::graph const g = one_op(code, from, to);
    ASSERT_FALSE(weft::verify(g)) << weft::print(g);
    block_runner<Target> const blocks(g, true);
    extent offset = 0;
    for (extent n = 0; n <= 130; offset += n++)
      ASSERT_TRUE(conforms(g, from, n, offset, blocks)) << "length " << n;
    auto const base = static_cast<extent>(edges(from).size());
    ASSERT_TRUE(conforms(g, from, g.inputs.size() < 3 ? base * base + 5 : 20011, 0, blocks));
  }
};
TEST_P(block_op, means_what_the_table_says) {
  run<weft::cpu::native_target>();
  if constexpr (!std::is_same_v<weft::cpu::native_target, test::narrow_target>)
    run<test::narrow_target>();
}
std::string name_of_case(testing::TestParamInfo<op_case> const& one) {
  auto const [code, from, to] = one.param;
  return std::string(weft::name_of(code)) + "_" + weft::name_of(from) + "_" + weft::name_of(to);
}
INSTANTIATE_TEST_SUITE_P(of_the_table, block_op, testing::ValuesIn(every_case()), name_of_case);

// ======== pairs
// ---- which pairs there are, by rule
bool has_operand(op o) {
  return o == op::get || (weft::info_of(o).kind != weft::op_kind::source && o != op::rank);
}
// May `o` over type d give elements of type t?
bool gives(op o, dtype d, dtype t) {
  weft::op_info const& info = weft::info_of(o);
  if (o == op::constant || o == op::parameter || o == op::iota || o == op::get)
    return d == t && weft::accepts(info.accepts, d);
  if (weft::is_elementwise(o)) return weft::is_typed(o, d, t);
  if (o == op::rank) return d == dtype::u32 && t == d;
  if (!weft::accepts(info.accepts, d)) return false;
  if (o == op::arg_sort || o == op::arg_reduce) return t == dtype::i32;
  return t == d || ((o == op::contract || o == op::convolve) && t == weft::accumulator_of(d));
}
bool share_a_type(op first, op second) {
  for (int d = 0; d < weft::dtype_count; ++d)
    for (int t = 0; t < weft::dtype_count; ++t)
      if (gives(first, static_cast<dtype>(d), static_cast<dtype>(t)) &&
          takes(second, static_cast<dtype>(t)))
        return true;
  return false;
}

// ---- one pair
struct pair_case {
  op first, second;
  dtype type;
  int turn;
  bool named;
};
bool write(op_writer& w, pair_case const& c) {
  extents const shape{2, {c.named ? weft::pack_name("n") : c.turn % 7 == 6 ? 0 : 5, 9}};
  if (c.named) w.input(dtype::i8, {1, {shape[0]}}); // binds the name where no operand does
  growing<handle> const made = w.made_by(c.first, c.type, shape, c.turn);
  if (made.empty()) return false;
  if (c.second == op::get) {
    if (!weft::has_several_results(c.first)) return false;
    w.r.finish(made);
    return true;
  }
  growing<handle> outputs = w.reading(c.second, made[c.turn % made.size()], c.turn);
  if (outputs.empty()) return false;
  if (c.turn % 3 == 0) outputs.append(made); // is stored, besides
  w.r.finish(outputs);
  return true;
}
constexpr int most_turns = weft::dtype_count; // of a convert: one for each type

struct counts {
  int pairs = 0, graphs = 0, no_operand = 0, one_result = 0, no_type = 0;
  bool met[weft::op_count][weft::dtype_count]{}; // as the first of a pair
};
// Names of what passed, for tools/ops_table.py.
void record(counts const& seen) {
  for (int d = 0; d < weft::dtype_count; ++d) {
    std::string names;
    for (int o = 0; o < weft::op_count; ++o)
      if (seen.met[o][d])
        names += std::string(names.empty() ? "" : " ") + weft::name_of(static_cast<op>(o));
    testing::Test::RecordProperty(std::string("block_") + weft::name_of(static_cast<dtype>(d)),
                                  names);
  }
}

void expect_meaning(weft::graph const& g, std::uint64_t seed, bool named) {
  weft::cpu::serial here;
  block_runner<weft::cpu::native_target> const optimised(g), recorded(g, true);
  ASSERT_FALSE(weft::verify(optimised.code().graph)) << weft::print(optimised.code().graph);
  for (extent n : {extent{7}, extent{0}}) {
    growing<dense> const inputs = inputs_for(g, n, seed + static_cast<std::uint64_t>(n));
    growing<dense> const meant = test::meaning_of(g, inputs);
    ASSERT_TRUE(same_bits(seed, g, test::meaning_of(optimised.code().graph, inputs), meant))
        << "optimised" << weft::print(optimised.code().graph);
    ASSERT_TRUE(same_bits(seed, g, recorded.run(inputs, here), meant)) << "blocks, as recorded";
    ASSERT_TRUE(same_bits(seed, g, optimised.run(inputs, here), meant))
        << "blocks, optimised" << weft::print(optimised.code().graph);
    if (!named) break;
  }
}

// The pair's graphs, of as many types as wanted.
void expect_pair(op first, op second, bool named, int wanted, counts& seen) {
  int const start = static_cast<int>(first) * 31 + static_cast<int>(second) * 7 + named;
  int met = 0;
  for (int k = 0; k < most_turns * weft::dtype_count && met < wanted; ++k) {
    dtype const d = static_cast<dtype>((start + k) % weft::dtype_count);
    op_writer w;
    if (!write(w, {first, second, d, start + k / weft::dtype_count, named})) continue;
    ++met, ++seen.graphs;
    seen.met[static_cast<int>(first)][static_cast<int>(d)] = true;
    weft::verify_error const e = weft::verify(w.r.result);
    ASSERT_FALSE(e) << weft::name_of(e.broken) << weft::print(w.r.result);
    ASSERT_EQ(w.r.result.error, weft::trace_error::clean);
    expect_meaning(w.r.result, static_cast<std::uint64_t>(start + k), named);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(met, 0) << "not written";
}

TEST(pairs, of_all_ops_mean_the_same_everywhere) {
  int const wanted = std::getenv("WEFT_CONFORMANCE_FULL") != nullptr ? 1000 : 2;
  counts seen;
  for (int i = 0; i < weft::op_count; ++i)
    for (int j = 0; j < weft::op_count && !HasFatalFailure(); ++j) {
      op const first = static_cast<op>(i), second = static_cast<op>(j);
      if (!has_operand(second)) ++seen.no_operand;
      else if (second == op::get && !weft::has_several_results(first)) ++seen.one_result;
      else if (!share_a_type(first, second)) ++seen.no_type;
      else {
        ++seen.pairs;
        SCOPED_TRACE(std::string(weft::name_of(second)) + " after " + weft::name_of(first));
        for (bool named : {false, true}) expect_pair(first, second, named, wanted, seen);
      }
    }
  std::printf("%d pairs in %d graphs; impossible: %d read nothing, %d get one result, %d share no "
              "type\n",
              seen.pairs, seen.graphs, seen.no_operand, seen.one_result, seen.no_type);
  EXPECT_EQ(seen.pairs + seen.no_operand + seen.one_result + seen.no_type,
            weft::op_count * weft::op_count);
  if (!HasFailure()) record(seen);
}

} // namespace
