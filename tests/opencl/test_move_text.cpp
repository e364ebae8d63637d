// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Steps that move elements, on the first device, against the definition: every op at every type,
// over views; long sorts; updates that meet. Each in the form for CPUs, in the form for devices of
// many items, and with 64-bit numbers. And the texts of two kernels, errors, and what is launched.
#include "conformance/op_writer.hpp"
#include "opencl/run_moves.hpp"
#include "opencl/text_functions.hpp"

#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

using namespace test;

class moves : public moves_on_a_device {};
INSTANTIATE_TEST_SUITE_P(forms, moves, testing::ValuesIn(move_forms), name_of_form);

// A compiler takes 0.1 s for a program, whatever is in it: of types other than float32 every second is
// run, the others by the next op or kind; with WEFT_CONFORMANCE_FULL set, all of them.
bool takes_turn(dtype d, int turn) {
  static bool const all = std::getenv("WEFT_CONFORMANCE_FULL") != nullptr;
  return all || d == dtype::f32 || (static_cast<int>(d) + turn) % 2 == 0;
}
// x as it is, transposed, reversed, every second element, one of several, repeated.
handle seen(handle x, int turn) {
  extents const s = x.shape();
  growing<extent> back, part;
  for (int i = s.rank - 1; i >= 0; --i) back.push(i);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < s.rank; ++i)
      part.push(k == 0 ? s[i] / 3 : k == 1 ? s[i] : 1 + (i + turn) % 2);
  switch (turn % 5) {
    case 1: return transpose(x, back);
    case 2: return reverse(x, (extent{1} << s.rank) - 1);
    case 3: return slice(x, part);
    case 4: { // a row, again and again
      if (s[0] == 0) return x;
      growing<extent> map;
      for (int i = 0; i < s.rank; ++i) map.push(i);
      return broadcast(slice_axis(x, 0, s[0] / 2, 1), s, map);
    }
    default: return x;
  }
}
// Every shape of float32; of other types, fewer: kernels are compiled for each.
TEST_P(moves, of_every_type_are_the_definition) {
  extents const shapes[] = {{3, {4, 3, 5}}, {1, {37}}, {2, {18, 2}}, {2, {1, 70}}, {2, {0, 3}}};
  int turn = 0;
  for (int o = 0; o < weft::op_count; ++o) {
    op const code = static_cast<op>(o);
    if (weft::info_of(code).kind != weft::op_kind::move) continue;
    if (code == op::custom_call) continue; // which no device runs
    for (int d = 0; d < weft::dtype_count; ++d) {
      bool const all = static_cast<dtype>(d) == dtype::f32;
      if (!all && (GetParam().widened || !takes_turn(static_cast<dtype>(d), o))) continue;
      for (int k = 0; k < (all ? 10 : 1); ++k, ++turn) {
        op_writer w;
        handle const x = seen(w.input(static_cast<dtype>(d), shapes[k % 5]), turn);
        growing<handle> const results = w.reading(code, x, turn);
        if (results.empty()) continue;
        w.r.finish(results);
        ASSERT_TRUE(agree(w.r.result, static_cast<std::uint64_t>(turn)));
      }
    }
  }
}

// Lines of many blocks, few different numbers among them: equal elements keep their order.
TEST_P(moves, sort_long_lines) {
  for (dtype d : {dtype::f32, dtype::u64})
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
  for (dtype d : {dtype::f32, dtype::f16, dtype::i64})
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
// Every kind of float32; every type of one kind.
TEST_P(moves, update_one_place_in_order) {
  for (int d = 0; d < weft::dtype_count; ++d)
    for (int how = 0; how < weft::scatter_combine_count; ++how)
      for (int kind = 0; kind < 3; ++kind) {
        dtype const type = static_cast<dtype>(d);
        if (type != dtype::f32 &&
            (GetParam().widened || kind != (d + how) % 3 || !takes_turn(type, how)))
          continue;
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

// One launch of a kernel on a device of many items.
weft::opencl::step_text text_of(weft::graph const& g, bool is_cpu = true) {
  weft::graph_view const v = g;
  return weft::opencl::move_text(v, weft::accesses_of(v), v.outputs_of(0)[0], {is_cpu});
}
std::string golden(char const* name) {
  std::ifstream file(std::string(WEFT_SOURCE_DIR "/tests/opencl/") + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
weft::graph padded_rows(extent rows) {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {2, {rows, 8}}, {0, 0, false});
  extent const around[] = {1, 0, 0, 2, 0, 0};
  growing<handle> outputs(1, weft::pad(x, weft::constant(r, 0, dtype::f32, {}), {around, 6}));
  r.finish(outputs);
  return r.result;
}
weft::graph added_rows(extent count) {
  weft::recorder r;
  weft::gather_dims d;
  d.rank = 2, d.mapped = 1, d.collapsed = 1, d.window_axes = 2, d.index_axis = 1, d.drop = true;
  d.combine = weft::scatter_combine::add;
  d.window[0] = 1, d.window[1] = 48;
  handle const x = r.input(dtype::f32, {2, {10, 48}}, {0, 0, false}),
               updates = r.input(dtype::f32, {2, {count, 48}}, {1, 0, false}),
               at = r.input(dtype::i32, {1, {count}}, {2, 0, false});
  growing<handle> outputs(1, weft::scatter(x, updates, at, d));
  r.finish(outputs);
  return r.result;
}
TEST(move_text, is_this_of_a_pad_on_a_cpu) {
  weft::opencl::step_text const text = text_of(padded_rows(5));
  ASSERT_EQ(text.kernels.size(), 2u); // the filler, the elements
  EXPECT_EQ(text.kernels[1].source, golden("pad.cl"));
  EXPECT_EQ(text.launches[1].global[0], 64);
}
TEST(move_text, is_this_of_a_scatter_on_a_gpu) {
  weft::opencl::step_text const text = text_of(added_rows(30), false);
  ASSERT_EQ(text.kernels.size(), 2u); // a copy, the updates
  EXPECT_EQ(text.kernels[1].source, golden("scatter.cl"));
  EXPECT_EQ(text.launches[1].global[0], 16 * 48); // a power of two of items share a column's places
}
TEST(move_text, is_the_same_for_other_numbers) {
  for (bool is_cpu : {true, false}) {
    auto const few = text_of(added_rows(30), is_cpu), many = text_of(added_rows(7), is_cpu);
    EXPECT_EQ(few.kernels[1].source, many.kernels[1].source);
    auto const small = text_of(padded_rows(5)), large = text_of(padded_rows(900));
    EXPECT_EQ(small.kernels[1].source, large.kernels[1].source);
  }
}
TEST(move_text, counts_in_64_bits_where_32_do_not_do) {
  EXPECT_FALSE(text_of(padded_rows(1 << 26)).kernels[0].wide_numbers);
  EXPECT_TRUE(text_of(padded_rows(1 << 28)).kernels[0].wide_numbers);
  EXPECT_TRUE(text_of(padded_rows(1 << 28)).kernels[1].wide_numbers);
  for (extent const rows : {3 << 27, 1 << 30}) { // a window of half an array
    weft::recorder r;
    handle const x = r.input(dtype::i8, {2, {rows, 3}}, {0, 0, false});
    growing<handle> starts(2, weft::constant(r, 1, dtype::i32, {}));
    growing<handle> outputs(1, weft::dynamic_slice(x, {2, {rows / 2, 3}}, starts));
    r.finish(outputs);
    EXPECT_EQ(text_of(r.result).kernels[0].wide_numbers, 3 * rows > INT32_MAX);
  }
}
TEST(move_text, launches_nothing_for_no_element) {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {2, {0, 8}}, {0, 0, false});
  growing<handle> outputs(1, weft::arg_sort({&x, 1}, 1, 0));
  r.finish(outputs);
  EXPECT_TRUE(text_of(r.result).launches.empty());
}
// Of every op, in both forms.
TEST(move_text, is_accepted_by_a_compiler) {
  if (!test::has_opencl_compiler()) GTEST_SKIP() << "no clang-16";
  for (int o = 0; o < weft::op_count; ++o) {
    op const code = static_cast<op>(o);
    if (weft::info_of(code).kind != weft::op_kind::move) continue;
    if (code == op::custom_call) continue;
    op_writer w;
    dtype const type = o % 2 == 0 ? dtype::f32 : dtype::bf16;
    w.r.finish(w.reading(code, seen(w.input(type, {2, {30, 41}}), o), o));
    for (move_form const& form : move_forms)
      for (auto const& kernel : text_of(w.r.result, form.traits.is_cpu).kernels)
        EXPECT_TRUE(test::compiles(kernel.source, "-Wno-unused-variable")) << kernel.source;
  }
}
TEST(move_text, refuses_what_the_definition_refuses) {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {2, {0, 3}}, {0, 0, false});
  growing<handle> outputs(1, weft::arg_reduce(x, 1, true));
  r.finish(outputs);
  EXPECT_THROW(weft::opencl::expect_elements(r.result, outputs[0].id), weft::shape_error);
  weft::recorder second;
  weft::gather_dims d;
  d.rank = 1, d.mapped = 1, d.collapsed = 1, d.index_axis = 1;
  d.window[0] = 1;
  handle const none = second.input(dtype::f32, {1, {0}}, {0, 0, false}),
               at = second.input(dtype::i32, {1, {4}}, {1, 0, false});
  outputs[0] = weft::gather(none, at, d);
  second.finish(outputs);
  EXPECT_THROW(weft::opencl::expect_elements(second.result, outputs[0].id), weft::shape_error);
}

} // namespace
