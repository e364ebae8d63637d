// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Contractions on a device, as CPUs and as GPUs compute them, leave the interpreter's bits.
#include "contraction_cases.hpp"
#include "random/same_bits.hpp"
#include "step_runner.hpp"
#include "support/meaning.hpp"
#include "text_functions.hpp"

#include <weft/graph/verify.hpp>
#include <weft/opencl/contraction_text.hpp>

#include <optional>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>

namespace {

using namespace weft;
using namespace contraction_cases;
using opencl::device_traits, opencl::step_text;

constexpr device_traits cpu{true, 32 * 1024, 256};
constexpr device_traits gpu{false, 48 * 1024, 256};
constexpr device_traits medium_gpu{false, 20 * 1024, 256};
constexpr device_traits small_gpu{false, 12 * 1024, 64};

// None where there is no device.
std::optional<opencl::device> any_device() {
  try {
    return opencl::device();
  } catch (opencl::no_device const&) {
    return std::nullopt;
  }
}
// The same step with indices of 64 bits.
step_text widened(step_text step) {
  for (opencl::kernel_text& k : step.kernels) {
    std::string const narrow = "typedef int index;";
    k.source.replace(k.source.find(narrow), narrow.size(), "typedef long index;");
    k.wide_numbers = true;
  }
  return step;
}

class contraction_text : public testing::Test {
protected:
  std::optional<opencl::device> device_ = any_device();

  void SetUp() override {
    if (!device_) GTEST_SKIP() << "no OpenCL device";
  }
  // Out lies where `out` does, or in memory of its own.
  void check(graph_view g, int node, step_text const& step, std::uint64_t seed, int out = -1) {
    ASSERT_FALSE(verify(g)) << "seed " << seed << " breaks " << text_of(verify(g).broken);
    test::random_source rng(seed);
    growing<dense> inputs;
    for (int id : g.parameters_of(0)) inputs.push(test::random_dense(rng, g[id].type, g.shape(id)));
    growing<dense> const expected = test::meaning_of(g, inputs);
    test::step_runner run(*device_);
    for (int i = 0; i < inputs.size(); ++i)
      run.memory[g.parameters_of(0)[i]] = run.filled(inputs[i]);
    run.memory[node] = out >= 0 ? run.memory.at(out)
                                : run.filled(dense(g[node].type, g.shape(node)));
    ASSERT_EQ(step.launches.size(), expected[0].size() == 0 ? 0u : 1u);
    run(step);
    growing<dense> actual;
    actual.push(run.array(node, g[node].type, g.shape(node)));
    EXPECT_TRUE(test::same_bits(seed, g, actual, expected))
        << (step.kernels.empty() ? "" : step.kernels[0].source);
  }
  static step_text written(graph_view g, int node, device_traits const& on) {
    return opencl::contraction_text(g, accesses_of(g), node, on);
  }
  void check_random(dtype in, int count, std::uint64_t first) {
    for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
      writer w(seed);
      test::random_source rng(seed);
      handle const h = product_of(w, rng, random_labels(rng, 30000), in, rng.chance(50) ? 0 : 30);
      for (device_traits const& on : {cpu, gpu, small_gpu}) {
        check(w.r.result, h.id, written(w.r.result, h.id, on), seed);
        if (HasFailure()) return;
      }
    }
  }
  // The step of this product is of the form that these parts of its text show, and right.
  void check_form(product_case const& p, device_traits const& on,
                  std::initializer_list<char const*> parts) {
    recorder r;
    handle const h = p.recorded(r);
    step_text const step = written(r.result, h.id, on);
    for (char const* part : parts)
      EXPECT_NE(step.kernels[0].source.find(part), std::string::npos) << step.kernels[0].source;
    check(r.result, h.id, step, 1);
    check(r.result, h.id, widened(step), 2);
  }
  void check_form(product_case const& p, device_traits const& on, char const* part) {
    check_form(p, on, {part});
  }
};

TEST_F(contraction_text, floats) { check_random(dtype::f32, 20, 1); }
TEST_F(contraction_text, halves) {
  check_random(dtype::bf16, 6, 100);
  check_random(dtype::f16, 5, 200);
}
TEST_F(contraction_text, doubles) { check_random(dtype::f64, 6, 300); }
TEST_F(contraction_text, integers) {
  for (dtype d : {dtype::i8, dtype::u16, dtype::i32, dtype::u64})
    check_random(d, 2, 400 + 10 * static_cast<std::uint64_t>(d));
}

// Every form, with indices of 32 and of 64 bits; some of more than one group along every axis.
TEST_F(contraction_text, forms) {
  check_form({.batch = 32, .m = 130, .n = 129, .k = 19}, gpu, "tile_rows = 128");
  check_form({.batch = 33, .m = 66, .n = 65, .k = 33}, medium_gpu, "tile_rows = 64");
  for (bool down : {false, true}) {
    auto const check_fours = [&](product_case const& p, device_traits const& on, char const* tile) {
      check_form(p, on, {tile, "load_four_a(a, ", "load_four_b(b, "});
    };
    product_case p{.batch = 32, .m = 132, .n = 132, .k = 20, .a_down = down, .start = down};
    check_fours(p, gpu, "tile_rows = 128");
    p.m = 68, p.n = 68, p.k = 36;
    check_fours(p, medium_gpu, "tile_rows = 64");
    p.batch = 2, p.m = 132, p.k = 44;
    for (dtype type : {dtype::f32, dtype::f16, dtype::bf16})
      p.type = type, check_fours(p, small_gpu, "tile_rows = 32");
  }
  check_form({.batch = 2, .m = 70, .n = 65, .k = 41}, small_gpu, "tile_rows = 32");
  check_form({.batch = 2, .m = 70, .n = 65, .k = 41}, cpu, "block_rows = 32");
  check_form({.batch = 2, .m = 37, .n = 5, .k = 67}, cpu, "block_rows = 32");
  check_form({.batch = 3, .m = 9, .n = 31, .k = 67}, gpu, "z_m_n");
  check_form({.batch = 1, .m = 2, .n = 3, .k = 67}, cpu, "z_m_n");
  check_form({.batch = 2, .m = 37, .k = 150}, gpu, "rows = 4,");
  check_form({.batch = 2, .m = 37, .k = 40}, gpu, "rows = 16,");
  check_form({.batch = 2, .m = 37, .k = 150, .a_down = true}, gpu, "rows = 32,");
  check_form({.batch = 2, .m = 37, .k = 150}, cpu, "sum lanes[64]");
  check_form({.batch = 2, .m = 137, .k = 150, .a_down = true}, cpu, "strip = 64");
}
// Small enough for oclgrind (--gtest_filter=*.small), which looks for races and strays.
TEST_F(contraction_text, small) {
  for (bool down : {false, true}) {
    product_case const matrix{
        .m = 34, .n = 33, .k = 9, .a_down = down, .start = true, .bias = true};
    check_form(matrix, small_gpu, "tile_rows = 32");
    check_form({.m = 36, .n = 36, .k = 12, .a_down = down}, small_gpu, "load_four_b(b, ");
    check_form(matrix, cpu, "block_rows = 32");
    product_case const vector{.type = dtype::bf16, .m = 5, .k = 70, .a_down = down, .bias = true};
    check_form(vector, gpu, "lanes_each");
    check_form(vector, cpu, "sum_n");
    check_form({.batch = 2, .m = 3, .n = 4, .k = 5, .a_down = down}, gpu, "z_m_n");
  }
}
TEST_F(contraction_text, nothing_to_sum) {
  for (device_traits const& on : {cpu, gpu, small_gpu}) {
    check_form({.batch = 2, .m = 40, .n = 33, .k = 0}, on, "weft_product");
    check_form({.batch = 2, .m = 40, .n = 33, .k = 0, .start = true, .bias = true}, on, "start");
    check_form({.batch = 2, .m = 4, .n = 3, .k = 0, .bias = true}, on, "bias");
    check_form({.batch = 2, .m = 40, .k = 0}, on, "lanes");
  }
}
// A chain goes on in its own memory.
TEST_F(contraction_text, in_place) {
  for (device_traits const& on : {cpu, gpu, small_gpu})
    for (product_case const& p :
         {product_case{.batch = 2, .m = 70, .n = 65, .k = 41, .start = true},
          product_case{.batch = 2, .m = 3, .n = 5, .k = 7, .start = true}}) {
      recorder r;
      handle const h = p.recorded(r);
      graph_view const g = r.result;
      check(g, h.id, written(g, h.id, on), 3, g.operand(h.id, 2));
    }
}

// What a text depends on: ranks, types, the form, strides of 0 and 1, whether tiles may read four
// elements at once, but no number.
TEST(contraction_texts, other_numbers_need_no_other_text) {
  auto source = [](product_case const& p, device_traits const& on) {
    recorder r;
    handle const h = p.recorded(r);
    return opencl::contraction_text(r.result, accesses_of(r.result), h.id, on).kernels[0].source;
  };
  for (device_traits const& on : {cpu, small_gpu}) {
    EXPECT_EQ(source({.batch = 2, .m = 70, .n = 65, .k = 41}, on),
              source({.batch = 7, .m = 50, .n = 47, .k = 13}, on));
    EXPECT_EQ(source({.batch = 2, .m = 72, .n = 64, .k = 40}, on),
              source({.batch = 7, .m = 52, .n = 48, .k = 12}, on));
    EXPECT_EQ(source({.batch = 2, .m = 37, .k = 150}, on),
              source({.batch = 3, .m = 2, .k = 70}, on));
  }
}

contraction of_matrices() { // mk,kn->mn
  contraction c;
  c.a[0] = 1, c.a[1] = 3, c.rank_a = 2;
  c.b[0] = 3, c.b[1] = 2, c.rank_b = 2;
  c.out[0] = 1, c.out[1] = 2, c.rank_out = 2;
  c.order = contract_order::chain;
  return c;
}
// A product of 36 x 36 matrices of which b is read through this view of an input, in tiles.
template <class View> std::string product_with(extents const& input, View const& view_of_b) {
  recorder r;
  handle const a = r.input(dtype::f32, {2, {36, 36}}, {0, 0, false});
  handle const b = view_of_b(r.input(dtype::f32, input, {1, 0, false}));
  handle const h = contract(a, b, of_matrices(), dtype::f32);
  return opencl::contraction_text(r.result, accesses_of(r.result), h.id, small_gpu)
      .kernels[0]
      .source;
}
bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}
handle part_of(handle x, std::initializer_list<extent> numbers) {
  return slice(x, {numbers.begin(), static_cast<int>(numbers.size())});
}
TEST(contraction_texts, four_elements_at_once_where_they_are_aligned) {
  auto const square = [](handle x) { return reshape(x, {2, {36, 36}}); };
  auto const cut = [&](extent first) {
    return [=](handle x) { return square(part_of(x, {first, first + 1296, 1})); };
  };
  auto const columns = [](extent first) {
    return [=](handle x) { return part_of(x, {0, first, 36, first + 36, 1, 1}); };
  };
  EXPECT_TRUE(has(product_with({1, {1296}}, square), "load_four_b(b, "));
  EXPECT_TRUE(has(product_with({1, {1304}}, cut(8)), "load_four_b(b, "));
  EXPECT_TRUE(has(product_with({1, {1304}}, cut(2)), "load_b(b, ")); // from an odd place on
  EXPECT_TRUE(has(product_with({2, {36, 44}}, columns(4)), "load_four_b(b, "));
  EXPECT_TRUE(has(product_with({2, {36, 44}}, columns(3)), "load_b(b, "));
  EXPECT_TRUE(has(product_with({2, {36, 38}}, columns(0)), "load_b(b, ")); // lines of 38
  auto const transposed = [](handle x) {
    constexpr extent order[] = {1, 0};
    return transpose(x, {order, 2});
  };
  EXPECT_TRUE(has(product_with({2, {36, 36}}, transposed), "load_four_b(b, "));
  EXPECT_TRUE(has(product_with({1, {1297}},
                               [&](handle x) {
                                 return square(part_of(x, {1, 1297, 1}));
                               }),
                  "load_b(b, "));
}
// What a body reads of its surroundings begins where the loop's operand does: c' = c W.
TEST(contraction_texts, four_elements_at_once_in_loops) {
  auto const source = [](extent first, int xs) {
    recorder r;
    extents const square{2, {36, 36}};
    handle const c = r.input(dtype::f32, square, {0, 0, false});
    handle const all = r.input(dtype::f32, {1, {3 * 1296 + 8}}, {1, 0, false});
    handle const w = reshape(part_of(all, {first, first + 3 * 1296, 1}), {3, {3, 36, 36}});
    int const body = r.begin_body();
    handle const carry = r.parameter(dtype::f32, square);
    handle const x = xs == 1 ? r.parameter(dtype::f32, square)
                             : reshape(part_of(w, {0, 0, 0, 1, 36, 36, 1, 1, 1}), square);
    handle const next = contract(carry, x, of_matrices(), dtype::f32);
    growing<handle> operands;
    operands.push(c);
    if (xs == 1) operands.push(w);
    operands.append(r.end_body(body, {&next, 1}));
    handle const s = r.emit(op::scan, dtype::f32, {}, operands, encode(loop{1, xs, 0, 3, false}),
                            body);
    r.set_owner(body, s.id);
    handle const result = get(s, 0, dtype::f32, square);
    r.finish({&result, 1});
    return opencl::contraction_text(r.result, accesses_of(r.result), next.id, small_gpu)
        .kernels[0]
        .source;
  };
  for (int xs : {0, 1}) {
    EXPECT_TRUE(has(source(0, xs), "load_four_b(b, ")) << xs;
    EXPECT_TRUE(has(source(8, xs), "load_four_b(b, ")) << xs;
    EXPECT_TRUE(has(source(2, xs), "load_b(b, ")) << xs;
    EXPECT_TRUE(has(source(2, xs), "load_four_a(a, ")) << xs; // the carry is the loop's own
  }
}

// Indices have 64 bits where 32 do not hold all places, or all elements.
TEST(contraction_texts, wide_where_they_must_be) {
  auto wide = [](product_case const& p) {
    recorder r;
    handle const h = p.recorded(r);
    return opencl::contraction_text(r.result, accesses_of(r.result), h.id, gpu)
        .kernels[0]
        .wide_numbers;
  };
  EXPECT_FALSE(wide({.m = 40000, .n = 40000, .k = 2}));
  EXPECT_TRUE(wide({.m = 50000, .n = 50000, .k = 2}));
  EXPECT_TRUE(wide({.m = 2, .n = 3, .k = extent{1} << 30}));
  EXPECT_TRUE(wide({.m = 2, .k = extent{1} << 30}));
}

std::string contents(std::string const& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}
void expect_golden(product_case const& p, device_traits const& on, std::string const& name) {
  recorder r;
  handle const h = p.recorded(r);
  std::string const path = WEFT_SOURCE_DIR "/tests/opencl/" + name;
  step_text const step = opencl::contraction_text(r.result, accesses_of(r.result), h.id, on);
  EXPECT_EQ(step.kernels[0].source, contents(path)) << path;
}
TEST(contraction_texts, golden) {
  expect_golden({.batch = 2, .m = 3, .n = 5, .k = 7, .start = true, .bias = true}, gpu,
                "contraction_items.cl");
  expect_golden({.type = dtype::bf16, .batch = 2, .m = 37, .k = 150, .bias = true}, gpu,
                "contraction_lanes.cl");
}

TEST(contraction_texts, a_compiler_accepts_them) {
  if (!test::has_opencl_compiler()) GTEST_SKIP() << "clang-16 is not installed";
  for (dtype type : {dtype::f32, dtype::f16, dtype::bf16, dtype::f64, dtype::i8, dtype::u64})
    for (device_traits const& on : {cpu, gpu})
      for (extent n : {1, 40})
        for (bool down : {false, true}) {
          recorder r;
          handle const h =
              product_case{
                  .type = type, .batch = 2, .m = 40, .n = n, .k = 9, .a_down = down, .bias = true}
                  .recorded(r);
          step_text const step = opencl::contraction_text(r.result, accesses_of(r.result), h.id,
                                                          on);
          EXPECT_TRUE(test::compiles(step.kernels[0].source)) << step.kernels[0].source;
        }
}

} // namespace
