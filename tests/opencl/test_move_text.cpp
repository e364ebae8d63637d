// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Steps that move elements, on the first device, against the definition: every op at every type,
// over views; random graphs of moves; long sorts; updates that meet. Each in the form for CPUs, in
// the form for devices of many items, and with 64-bit numbers. And the texts of two kernels.
#include "opencl/run_moves.hpp"

#include "conformance/op_writer.hpp"
#include "random/random_graph.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

using namespace test;

move_form const forms[] = {{"items", {true, 32768, 256}},
                           {"groups", {false, 2048, 256}}, // blocks of 128 or less
                           {"wide", {false, 32768, 64}, true}};

class moves : public testing::TestWithParam<move_form> {
protected:
  void SetUp() override {
    if (weft::opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
    runner_.emplace(weft::opencl::device(), GetParam());
  }
  testing::AssertionResult agree(weft::graph const& g, std::uint64_t seed) {
    if (auto const e = weft::verify(g)) return testing::AssertionFailure() << weft::print(g);
    return agree(g, random_inputs(g, seed), seed);
  }
  testing::AssertionResult agree(weft::graph_view g, weft::view<dense> inputs, std::uint64_t seed) {
    return same_bits(seed, g, runner_->run(g, inputs), test::meaning_of(g, inputs));
  }

  std::optional<move_runner> runner_;
};
INSTANTIATE_TEST_SUITE_P(forms, moves, testing::ValuesIn(forms),
                         [](auto const& one) { return std::string(one.param.name); });

// x as it is, transposed, reversed, every second element, one of several, repeated.
handle seen(handle x, int turn) {
  extents const s = x.shape();
  growing<extent> back, part;
  for (int i = s.rank - 1; i >= 0; --i) back.push(i);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < s.rank; ++i) part.push(k == 0 ? s[i] / 3 : k == 1 ? s[i] : 1 + (i + turn) % 2);
  switch (turn % 5) {
    case 1: return transpose(x, back);
    case 2: return reverse(x, (extent{1} << s.rank) - 1);
    case 3: return slice(x, part);
    case 4: {
      extents to = s;
      to[0] = 1;
      handle const row = slice_axis(x, 0, s[0] / 2, s[0] == 0 ? 0 : 1);
      return row.shape() == to ? broadcast(row, s, {growing<extent>(back).data(), 0}) : x;
    }
    default: return x;
  }
}
TEST_P(moves, of_every_type_are_the_definition) {
  extents const shapes[] = {{3, {4, 3, 5}}, {1, {37}}, {2, {1, 70}}, {2, {18, 2}}, {2, {0, 3}}};
  int turn = 0;
  for (int o = 0; o < weft::op_count; ++o) {
    op const code = static_cast<op>(o);
    if (weft::info_of(code).kind != weft::op_kind::move) continue;
    for (int d = 0; d < weft::dtype_count; ++d)
      for (extents const& shape : shapes)
        for (int again = 0; again < 3; ++again, ++turn) {
          op_writer w;
          handle const x = seen(w.input(static_cast<dtype>(d), shape), turn);
          growing<handle> const results = w.reading(code, x, turn + again);
          if (results.empty()) continue;
          w.r.finish(results);
          ASSERT_TRUE(agree(w.r.result, static_cast<std::uint64_t>(turn)));
        }
  }
}

TEST_P(moves, of_random_graphs_are_the_definition) {
  graph_options options = graph_options::only(
      {op::constant, op::iota, op::broadcast, op::reshape, op::transpose, op::slice, op::reverse,
       op::pad, op::concat, op::dynamic_slice, op::dynamic_update_slice, op::gather, op::scatter,
       op::arg_sort, op::arg_reduce, op::observe});
  options.nodes = 12;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    ASSERT_TRUE(agree(random_graph(seed, options), seed));
}

// Lines of many blocks, few different numbers among them: equal elements keep their order.
TEST_P(moves, sort_long_lines) {
  for (dtype d : {dtype::f32, dtype::i8, dtype::u64, dtype::f16})
    for (int keys = 1; keys < 3; ++keys)
      for (extent n : {extent{129}, extent{1000}, extent{2500}}) {
        weft::recorder r;
        growing<handle> all;
        for (int k = 0; k < keys; ++k)
          all.push(r.input(k == 0 ? d : dtype::i8, {2, {2, n}}, {k, 0, false}));
        growing<handle> outputs(1, weft::arg_sort(all, 1, n % 2 == 0 ? 1 : 2 * (keys - 1)));
        r.finish(outputs);
        ASSERT_TRUE(agree(r.result, static_cast<std::uint64_t>(n)));
      }
}
TEST_P(moves, choose_among_many) {
  for (dtype d : {dtype::f32, dtype::bf16, dtype::i64, dtype::boolean})
    for (int axes = 1; axes < 4; ++axes) {
      weft::recorder r;
      growing<handle> outputs;
      handle const x = r.input(d, {2, {70, 90}}, {0, 0, false});
      for (bool smallest : {false, true}) outputs.push(weft::arg_reduce(x, axes, smallest));
      r.finish(outputs);
      ASSERT_TRUE(agree(r.result, static_cast<std::uint64_t>(axes)));
    }
}

// Many updates of few places, some outside: whole rows, single elements, windows that overlap.
TEST_P(moves, update_one_place_in_order) {
  for (int d = 0; d < weft::dtype_count; ++d)
    for (int how = 0; how < weft::scatter_combine_count; ++how)
      for (int kind = 0; kind < 3; ++kind) {
        dtype const type = static_cast<dtype>(d);
        weft::gather_dims g;
        g.combine = static_cast<weft::scatter_combine>(how);
        bool const sums = how == 1 || how == 2;
        if (sums && type == dtype::boolean) continue;
        g.rank = 2;
        g.drop = (how + kind) % 2 == 0;
        g.window[0] = g.window[1] = 1;
        g.map[g.mapped++] = 0;
        extents indices{1, {60}};
        if (kind == 0) g.window[1] = 19, g.collapsed = 1, g.window_axes = 2, g.index_axis = 1;
        else g.map[g.mapped++] = 1, indices.push(2), g.index_axis = 1;
        if (kind == 1) g.collapsed = 3;
        if (kind == 2) g.window[0] = 2, g.window[1] = 3, g.window_axes = 5;
        weft::recorder r;
        handle const x = r.input(type, {2, {5, 19}}, {0, 0, false}),
                     updates = r.input(type, weft::gather_shape(g, indices), {1, 0, false}),
                     at = r.input(dtype::i32, indices, {2, 0, false});
        growing<handle> outputs(1, weft::scatter(x, updates, at, g));
        r.finish(outputs);
        ASSERT_FALSE(weft::verify(r.result)) << weft::print(r.result);
        growing<dense> inputs = random_inputs(r.result, static_cast<std::uint64_t>(d + 20 * how));
        random_source rng(static_cast<std::uint64_t>(kind));
        for (weft::word& w : inputs[2].words)
          w = static_cast<std::uint32_t>(rng.between(-1, kind == 0 ? 6 : 8));
        ASSERT_TRUE(agree(r.result, inputs, static_cast<std::uint64_t>(kind)));
      }
}

} // namespace
