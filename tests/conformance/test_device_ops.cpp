// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Generated from the op table: every op at every type it takes, on an OpenCL device against the
// definition, in the forms for CPUs and for GPUs. Elementwise ops over edge values, many of them in
// one kernel: a program takes a compiler 0.1 s and more, whatever is in it. The others over arrays
// by chance whose first extent is a name, in variants that take turns among the types. The form for
// GPUs of a type of each width and kind; with WEFT_CONFORMANCE_FULL set, all variants of both forms at
// every type.
#include "conformance/edge_values.hpp"
#include "conformance/op_cases.hpp"
#include "conformance/op_writer.hpp"
#include "random/run_device.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/handle.hpp>
#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>

namespace {

using namespace test;
using weft::opencl::device_traits;

constexpr device_traits gpu{false, 32 * 1024, 1024};
constexpr int together = 40; // ops of one kernel: as many buffers as every device takes arguments

bool runs_all() { return std::getenv("WEFT_CONFORMANCE_FULL") != nullptr; }

// Ops from one type over the same operands, arrays of n elements; a condition is the first.
weft::graph several_ops(std::span<op_case const> cases) {
  extents const shape{1, {weft::pack_name("n")}};
  weft::recorder r;
  growing<handle> operands, outputs;
  handle const condition = r.input(dtype::boolean, shape, {0, 0, false});
  for (int i = 0; i < 4; ++i) operands.push(r.input(cases[0].from, shape, {i + 1, 0, false}));
  for (op_case const& c : cases) {
    weft::op_info const& info = weft::info_of(c.code);
    growing<handle> read;
    for (int i = 0; i < info.arity; ++i)
      read.push(i == 0 && info.result == weft::type_rule::choose ? condition : operands[i]);
    handle const result = r.emit(c.code, c.to, shape, read);
    if (weft::result_count(r.result, result.id) == 1) outputs.push(result);
    else
      for (int i = 0; i < 2; ++i) outputs.push(get(result, i, c.to, shape));
  }
  r.finish(outputs);
  return r.result;
}

// Every op that is not elementwise over a new array of type d, by turns.
weft::graph other_ops(dtype d, int turn, bool (&met)[weft::op_count]) {
  extents const shape{2, {weft::pack_name("n"), 9}};
  op_writer w;
  w.input(dtype::i8, {1, {shape[0]}}); // binds the name
  growing<handle> outputs;
  for (int o = 0; o < weft::op_count; ++o) {
    op const code = static_cast<op>(o);
    if (weft::is_elementwise(code) || code == op::custom_call) continue; // the host's alone
    bool const source = weft::info_of(code).kind == weft::op_kind::source || code == op::rank;
    growing<handle> const made = source ? w.made_by(code, d, shape, turn)
                                        : w.reading(code, w.input(d, shape), turn);
    met[o] = met[o] || !made.empty();
    outputs.append(made);
  }
  w.r.finish(outputs);
  return w.r.result;
}

class device_op : public testing::TestWithParam<dtype> {
protected:
  std::optional<weft::opencl::device> on_;
  bool met_[weft::op_count]{};

  void SetUp() override {
    if (weft::opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
    on_.emplace();
    if (GetParam() == dtype::f64 && !on_->info().has_double) GTEST_SKIP() << "no double precision";
  }
  bool in_both_forms() const {
    constexpr dtype types[] = {dtype::f32, dtype::f64, dtype::bf16,
                               dtype::i32, dtype::u8,  dtype::boolean};
    return runs_all() || std::ranges::find(types, GetParam()) != std::end(types);
  }
  // The forms of the graph on each of the lists.
  void conforms(weft::graph const& g, std::vector<growing<dense>> const& lists) {
    ASSERT_FALSE(weft::verify(g)) << weft::print(g);
    for (device_traits const& traits : {weft::opencl::traits_of(on_->info()), gpu}) {
      if (!traits.is_cpu && !in_both_forms()) continue;
      device_runner runner(*on_, g, true, traits);
      for (growing<dense> const& inputs : lists)
        ASSERT_TRUE(same_bits(0, g, runner.run(inputs), test::meaning_of(g, inputs)))
            << (traits.is_cpu ? "form of CPUs" : "form of GPUs");
    }
  }
  void elementwise(std::span<op_case const> cases) {
    weft::graph const g = several_ops(cases);
    auto const base = static_cast<extent>(edges(GetParam()).size());
    std::vector<growing<dense>> lists;
    extent from = 0;
    for (extent n : {0, 1, 5, 67, 20011}) {
      growing<dense>& inputs = lists.emplace_back();
      inputs.push(walk(dtype::boolean, n, 0, base, from));
      for (int i = 0; i < 4; ++i) inputs.push(walk(GetParam(), n, i, base, from));
      from += n;
    }
    conforms(g, lists);
    for (op_case const& c : cases) met_[static_cast<int>(c.code)] = true;
  }
};

TEST_P(device_op, means_what_the_table_says) {
  std::vector<op_case> cases = every_case();
  std::erase_if(cases, [](op_case const& c) { return c.from != GetParam(); });
  std::span<op_case const> left = cases;
  while (!left.empty() && !HasFatalFailure()) {
    std::size_t const count = std::min<std::size_t>(left.size(), together);
    elementwise(left.first(count));
    left = left.subspan(count);
  }
  int const first = static_cast<int>(GetParam()), turns = runs_all() ? 60 : 1;
  for (int turn = first; turn < first + turns && !HasFatalFailure(); ++turn) {
    weft::graph const g = other_ops(GetParam(), turn, met_);
    std::vector<growing<dense>> lists;
    for (extent n : {0, 1, 7, 2001})
      lists.push_back(inputs_for(g, n, static_cast<std::uint64_t>(turn)));
    conforms(g, lists);
  }
  for (int o = 0; o < weft::op_count; ++o)
    EXPECT_EQ(met_[o],
              static_cast<op>(o) != op::custom_call && takes(static_cast<op>(o), GetParam()))
        << weft::name_of(static_cast<op>(o));
}
std::vector<dtype> all_types() {
  std::vector<dtype> all;
  for (int d = 0; d < weft::dtype_count; ++d) all.push_back(static_cast<dtype>(d));
  return all;
}
INSTANTIATE_TEST_SUITE_P(of_the_table, device_op, testing::ValuesIn(all_types()),
                         [](auto const& one) { return weft::name_of(one.param); });

} // namespace
