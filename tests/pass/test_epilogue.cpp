// SPDX-License-Identifier: BSL-1.0
// Which groups products may compute, and where they stand in the schedule then.
#include <weft/graph/handle.hpp>
#include <weft/pass/epilogue.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;

// Steps of a graph of products x w of (4, 8) by (8, 8).
fused_schedule scheduled(graph_view g) {
  accesses const reads = accesses_of(g);
  return with_epilogues(g, reads, make_schedule(g, reads));
}
handle product(handle x, handle w) {
  contraction c;
  c.rank_a = c.rank_b = c.rank_out = 2;
  c.a[0] = 0, c.a[1] = 1, c.b[0] = 1, c.b[1] = 2, c.out[0] = 0, c.out[1] = 2;
  return contract(x, w, c, dtype::f32);
}
template <class F> graph recorded(F const& f) {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {4, 8}}, {0, 0, false}),
               w = r.input(dtype::f32, {2, {8, 8}}, {1, 0, false});
  handle const y = f(x, w);
  r.finish(growing<handle>(1, y));
  return std::move(r.result);
}
int epilogues(fused_schedule const& s) {
  int count = 0;
  for (int e : s.epilogue_of) count += e >= 0;
  return count;
}

TEST(epilogue, follows_the_last_of_several_products) {
  fused_schedule const s = scheduled(recorded([](handle x, handle w) {
    handle const a = product(x, w), b = product(unary(op::tanh, x), w);
    return unary(op::tanh, a + b);
  }));
  ASSERT_EQ(epilogues(s), 1);
  for (int c = 0; c < s.plan.steps.size(); ++c)
    if (s.epilogue_of[c] >= 0) {
      EXPECT_EQ(s.epilogue_of[c], c + 1);
      EXPECT_EQ(c, 2); // tanh(x), a, b
      EXPECT_FALSE(s.product_kept[c]);
    }
}
TEST(epilogue, reads_its_product_element_on_element) {
  EXPECT_EQ(epilogues(scheduled(recorded([](handle x, handle w) {
              handle const a = product(product(x, w), w); // (4, 8)
              growing<extent> const back = [] {
                growing<extent> r;
                r.push(1), r.push(0);
                return r;
              }();
              handle const square = product(transpose(a, back), a); // (8, 8)
              return square + transpose(square, back);
            }))),
            0);
}
TEST(epilogue, does_not_reduce) {
  EXPECT_EQ(epilogues(scheduled(recorded([](handle x, handle w) {
              return reduce(op::reduce_sum, unary(op::tanh, product(x, w)), 2);
            }))),
            0);
}

} // namespace
