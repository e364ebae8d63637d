// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// Kernels of every form over small arrays under oclgrind, which sees races, steps outside of memory,
// reads of what nobody wrote, barriers that not all items reach, and wrong calls of OpenCL. It is
// 10000 times slower than a device, and is an OpenCL device itself: this program runs itself again
// with no other. Skipped where oclgrind is not installed.
#include "conformance/op_writer.hpp"
#include "opencl/host.hpp"
#include "random/random_source.hpp"
#include "random/run_device.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/handle.hpp>

#include <sstream>

namespace {

using namespace test;
using weft::opencl::device_traits;

constexpr char const* driver = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";
constexpr device_traits cpu{true, 32 * 1024, 256}, gpu{false, 32 * 1024, 1024};
constexpr device_traits small_gpu{false, 2 * 1024, 256}; // sorts in several blocks

bool is_inside() { return std::getenv("WEFT_INSIDE_OCLGRIND") != nullptr; }

// What oclgrind says when this program runs `test` there: all that is neither GoogleTest's nor the
// compiler's count of warnings. (Of optimised programs, oclgrind 21.10 does not know the instruction
// of rotations, and crashes as it watches vectors for unwritten parts.)
std::string found_in(std::string const& test, bool watch_unwritten = true) {
  host_test::outcome const o = host_test::run(host_test::again(
      std::string("WEFT_INSIDE_OCLGRIND=1 WEFT_CACHE_DIR= OCL_ICD_VENDORS=") + driver +
          " OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1" +
          (watch_unwritten ? " OCLGRIND_UNINITIALIZED=1" : ""),
      test));
  EXPECT_EQ(o.code, 0) << o.output;
  EXPECT_TRUE(host_test::has(o.output, "[  PASSED  ] 1 test")) << o.output;
  std::string said;
  std::istringstream lines(o.output);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] != '[' && !line.starts_with("Running main") &&
        !line.starts_with("Note: Google Test") && !host_test::has(line, " generated."))
      said += line + '\n';
  return said;
}

// ---- graphs
void expect_meaning(op_writer& w, growing<handle> const& outputs,
                    std::initializer_list<device_traits> forms) {
  w.r.finish(outputs);
  weft::graph const& g = w.r.result;
  growing<dense> const inputs = random_inputs(g, 1);
  growing<dense> const meant = test::meaning_of(g, inputs);
  weft::opencl::device const on;
  for (device_traits const& traits : forms)
    EXPECT_TRUE(same_bits(1, g, device_runner(on, g, true, traits).run(inputs), meant));
}
growing<handle> one(handle h) { return weft::view<handle>{&h, 1}; }

void elementwise(dtype d, extents const& shape) {
  op_writer w;
  expect_meaning(w, w.reading(op::mul, w.input(d, shape), 0), {cpu, gpu});
}
void reduce(op code, dtype d, extents const& shape, extent axes) {
  op_writer w;
  expect_meaning(w, one(weft::reduce(code, w.input(d, shape), axes)), {cpu, gpu});
}
void move(op code, int turn) {
  op_writer w;
  expect_meaning(w, w.reading(code, w.input(dtype::f32, {2, {5, 9}}), turn), {cpu, gpu});
}
void sort(extents const& shape, device_traits const& traits) {
  op_writer w;
  expect_meaning(w, one(weft::arg_sort(one(w.input(dtype::f32, shape)), 0, false)), {traits});
}
// a [m, k] times b [k, n], or [k]; and what comes after it.
void product(extent m, extent k, extent n, bool fused) {
  op_writer w;
  weft::contraction c;
  c.a[0] = c.out[0] = 0, c.a[1] = c.b[0] = 1;
  c.rank_a = 2, c.rank_b = c.rank_out = 1;
  extents const rows{2, {m, k}};
  extents other{1, {k}};
  if (n > 1) c.b[c.rank_b++] = c.out[c.rank_out++] = 2, other.push(n);
  c.order = weft::order_for(c, rows, other);
  handle const p = weft::contract(w.input(dtype::f32, rows), w.input(dtype::f32, other), c,
                                  dtype::f32);
  expect_meaning(w, fused ? w.reading(op::maximum, p, 0) : one(p), {cpu, gpu});
}
void run_kernels() {
  elementwise(dtype::f32, {1, {7}});
  elementwise(dtype::bf16, {1, {6}});
  elementwise(dtype::f64, {2, {3, 3}});
  elementwise(dtype::i8, {1, {9}});
  for (dtype d : {dtype::f32, dtype::bf16}) {
    reduce(op::reduce_sum, d, {2, {3, 70}}, 2);
    reduce(op::reduce_max, d, {2, {70, 5}}, 1);
  }
  reduce(op::reduce_sum, dtype::f32, {2, {9, 5}}, 2);
  reduce(op::reduce_sum, dtype::f32, {1, {16390}}, 1);
  reduce(op::reduce_sum, dtype::f32, {2, {16390, 2}}, 1);
  for (bool fused : {false, true}) {
    product(3, 5, 4, fused);
    product(9, 6, 17, fused);
    product(33, 9, 34, fused);
    product(3, 70, 1, fused);
  }
  for (int o = 0; o < weft::op_count; ++o)
    if (weft::info_of(static_cast<op>(o)).kind == weft::op_kind::move &&
        static_cast<op>(o) != op::custom_call) // which no device runs
      for (int turn = 0; turn < 6; ++turn) move(static_cast<op>(o), turn);
  sort({1, {600}}, cpu);
  sort({1, {300}}, small_gpu);
  move(op::reshape, 1);
}

TEST(oclgrind, finds_nothing_in_kernels_of_every_form) {
  if (is_inside()) return run_kernels();
  if (!std::filesystem::exists(driver)) GTEST_SKIP() << "oclgrind is not installed";
  EXPECT_EQ(found_in("oclgrind.finds_nothing_in_kernels_of_every_form"), "");
}
// Engines copy the state of a loop. What clEnqueueCopyBuffer copies to another place than the first
// of a buffer is unwritten to oclgrind 21.10.
TEST(oclgrind, finds_nothing_in_loops) {
  if (is_inside()) {
    for (op code : {op::scan, op::while_loop, op::cond})
      for (int turn = 0; turn < 3; ++turn) move(code, turn);
    return;
  }
  if (!std::filesystem::exists(driver)) GTEST_SKIP() << "oclgrind is not installed";
  EXPECT_EQ(found_in("oclgrind.finds_nothing_in_loops", false), "");
}

// ---- and it looks
void run_kernel(char const* body) {
  weft::opencl::device on;
  weft::opencl::memory m = on.allocate(4 * 64);
  weft::opencl::kernel k = on.build(std::string("__kernel void k(__global int* a) {\n"
                                                "  __local int l[64];\n"
                                                "  const int i = (int)get_local_id(0);\n") +
                                        body + "}\n",
                                    "k");
  k.set(0, m);
  extent const items = 64;
  on.launch(k, 1, &items, &items);
  on.finish();
}
struct mistake {
  char const *name, *body, *says;
};
constexpr mistake mistakes[] = {
    {"race", "  l[i] = i;\n  a[i] = l[63 - i];\n", "data race"},
    {"divergence", "  if (i < 32) barrier(CLK_LOCAL_MEM_FENCE);\n  a[i] = i;\n", "divergence"},
    {"outside", "  a[i + 1] = i;\n", "Invalid write"},
    {"unwritten", "  if (a[i] == 3) a[i] = 4;\n", "uninitialized"},
};
class oclgrind_finds : public testing::TestWithParam<mistake> {};
TEST_P(oclgrind_finds, mistakes) {
  if (is_inside()) return run_kernel(GetParam().body);
  if (!std::filesystem::exists(driver)) GTEST_SKIP() << "oclgrind is not installed";
  std::string const said = found_in(std::string("*oclgrind_finds.mistakes/") + GetParam().name);
  EXPECT_TRUE(host_test::has(said, GetParam().says)) << said;
}
INSTANTIATE_TEST_SUITE_P(of_kernels, oclgrind_finds, testing::ValuesIn(mistakes),
                         [](auto const& one) { return one.param.name; });

} // namespace
