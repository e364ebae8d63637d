// SPDX-License-Identifier: BSL-1.0
// The whole text of small kernels, as in the files beside this one: elementwise groups, a reduction,
// a chain over rows, a recurrence. With WEFT_WRITE_TEXTS set, the files are written anew.
#include "support/opencl.hpp"

#include <weft/graph/handle.hpp>
#include <weft/opencl/group_text.hpp>
#include <weft/opencl/recurrence_text.hpp>
#include <weft/opencl/row_chain_text.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

using namespace weft;

constexpr opencl::device_traits cpu{true, 32 * 1024, 4096};
constexpr opencl::device_traits gpu{false, 32 * 1024, 1024};

struct prepared {
  explicit prepared(graph made)
      : g(std::move(made)), reads(accesses_of(g)), plan(make_schedule(g, reads)),
        code(lower(g, reads, plan)) {}
  graph const g;
  accesses const reads;
  schedule const plan;
  lowered const code;

  std::string group(opencl::device_traits const& on) const {
    return opencl::group_text(g, reads, plan, code, code.kernels[0], on).kernels[0].source;
  }
  std::string chain(opencl::device_traits const& on) const {
    opencl::row_chains const all = opencl::find_row_chains(g, reads, plan, code, on);
    return opencl::row_chain_text(g, reads, plan, code, all.chains.at(0), all.stored, on)
        .kernels[0]
        .source;
  }
  std::string recurrence() const {
    return opencl::recurrence_text(g, reads, plan, code, plan.steps[0].node).kernels[0].source;
  }
};

constexpr char const* first_lines = "// SPDX-License-Identifier: BSL-1.0\n"
                                    "// What test_group_text.cpp expects.\n";
void expect_text(std::string const& name, std::string const& text) {
  std::string const path = std::string(WEFT_SOURCE_DIR) + "/tests/opencl/" + name;
  if (std::getenv("WEFT_WRITE_TEXTS") != nullptr) std::ofstream(path) << first_lines << text;
  std::ostringstream kept;
  kept << std::ifstream(path).rdbuf();
  EXPECT_EQ(kept.str(), first_lines + text);
}

// x * w - x, w a bf16 for every column.
TEST(group_text, of_an_elementwise_group) {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {6, 8}}, {0, 0, false});
  handle const w = r.input(dtype::bf16, {1, {8}}, {1, 0, false});
  handle const y = x * convert(broadcast_to(w, {2, {6, 8}}), dtype::f32) - x;
  r.finish({&y, 1});
  expect_text("elementwise.cl", prepared(std::move(r.result)).group(cpu));
}
TEST(group_text, of_four_elements_at_once) {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {6, 8}}, {0, 0, false});
  handle const w = r.input(dtype::bf16, {2, {6, 8}}, {1, 0, false});
  handle const y = x * convert(w, dtype::f32) - x;
  r.finish({&y, 1});
  expect_text("four_elements.cl", prepared(std::move(r.result)).group(gpu));
}
// The sum of squares of every row.
TEST(group_text, of_a_reduction_by_items) {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {6, 300}}, {0, 0, false});
  handle const y = reduce(op::reduce_sum, x * x, 2);
  r.finish({&y, 1});
  expect_text("rows_by_items.cl", prepared(std::move(r.result)).group(cpu));
}
// Groups lie along dimension 0, where CUDA has room for 2^31 of them, in others for 65535.
TEST(group_text, of_columns_has_any_number_of_groups) {
  recorder r;
  handle const x = r.input(dtype::f32, {3, {70000, 5, 40}}, {0, 0, false});
  handle const y = reduce(op::reduce_sum, x, 2);
  r.finish({&y, 1});
  prepared const p(std::move(r.result));
  opencl::launch const l =
      opencl::group_text(p.g, p.reads, p.plan, p.code, p.code.kernels[0], gpu).launches[0];
  EXPECT_EQ(l.global[0] / l.local[0], 70000 * 2);
  EXPECT_EQ(l.global[1] / l.local[1], 1);
}
// x minus the row's maximum, over the sum of that: elements stay in local memory.
TEST(group_text, of_a_chain_over_rows) {
  recorder r;
  extents const shape{2, {6, 300}};
  handle const x = r.input(dtype::f32, shape, {0, 0, false});
  handle const below = x - spread_over(reduce(op::reduce_max, x, 2), shape, 2);
  handle const y = below / spread_over(reduce(op::reduce_sum, below, 2), shape, 2);
  r.finish({&y, 1});
  expect_text("row_chain.cl", prepared(std::move(r.result)).chain(gpu));
}
// A running sum of products.
TEST(group_text, of_a_recurrence) {
  recorder r;
  extents const shape{1, {8}};
  handle operands[] = {r.input(dtype::f32, shape, {0, 0, false}),
                       r.input(dtype::f32, {2, {5, 8}}, {1, 0, false})};
  loop const l{.carries = 1, .xs = 1, .ys = 1, .length = 5, .reverse = true};
  int const body = r.begin_body();
  handle const carry = r.parameter(dtype::f32, shape), x = r.parameter(dtype::f32, shape);
  handle const next = carry + x * x;
  handle const results[] = {next, carry};
  growing<handle> all;
  for (handle h : operands) all.push(h);
  all.append(r.end_body(body, {results, 2}));
  handle const scan = r.emit(op::scan, dtype::f32, {}, all, encode(l), body);
  r.set_owner(body, scan.id);
  handle const outputs[] = {get(scan, 0, dtype::f32, shape), get(scan, 1, dtype::f32, {2, {5, 8}})};
  r.finish({outputs, 2});
  expect_text("recurrence.cl", prepared(std::move(r.result)).recurrence());
}

} // namespace
