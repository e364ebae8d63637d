// SPDX-License-Identifier: BSL-1.0
// Every string of lang/einsum_table.hpp, and its gradient: passes and block executor leave the
// interpreter's bits, for every kind of element, with static and with named extents.
#include "lang/einsum_cases.hpp"
#include "random_source.hpp"
#include "run_blocks.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/cpu/executor.hpp>
#include <weft/transform/grad.hpp>

namespace einsum_cases {
namespace {

growing<dense> inputs_of(einsum const& e, dtype type) {
  growing<dense> r;
  test::random_source rng(static_cast<std::uint64_t>(e.in.size()) + 3);
  for (shape const& s : e.shapes) {
    dense d(type, numbers_of(s));
    for (word& w : d.words) w = test::random_word(rng, type, false);
    r.push(d);
  }
  return r;
}
void expect_same(char const* spec, graph_view g, view<dense> inputs) {
  test::block_runner<cpu::native_target> const blocks(g);
  cpu::serial here;
  EXPECT_TRUE(test::same_bits(0, g, blocks.run(inputs, here), test::meaning_of(g, inputs))) << spec;
}
void check(char const* spec, growing<extents> const& shapes, einsum const& e, dtype in, dtype out) {
  graph const g = recorded(spec, shapes, in, out);
  expect_same(spec, g, inputs_of(e, in));
}
template <class F> void for_rows(long most, F const& f) {
  for (auto const& row : einsum_table::values)
    if (einsum const e(row.spec, shapes_of(row.shapes)); small(e, most)) {
      f(row.spec, extents_of(e.shapes), e);
      f(row.spec, names_of(e), e);
    }
}

TEST(einsum_blocks, floats) {
  for_rows(3000, [](char const* spec, auto const& shapes, einsum const& e) {
    check(spec, shapes, e, dtype::f32, dtype::f32);
  });
}
TEST(einsum_blocks, other_elements) {
  for_rows(300, [](char const* spec, auto const& shapes, einsum const& e) {
    check(spec, shapes, e, dtype::bf16, dtype::bf16);
    check(spec, shapes, e, dtype::bf16, dtype::f32);
    check(spec, shapes, e, dtype::i32, dtype::i32);
    check(spec, shapes, e, dtype::boolean, dtype::boolean);
  });
}
TEST(einsum_blocks, gradients) {
  for_rows(300, [](char const* spec, auto const& shapes, einsum const& e) {
    growing<int> wrt;
    for (int k = 0; k < shapes.size(); ++k) wrt.push(k);
    graph const d = value_and_grad(recorded(spec, shapes, dtype::f32, dtype::f32, true), wrt);
    expect_same(spec, d, inputs_of(e, dtype::f32));
  });
}

} // namespace
} // namespace einsum_cases
