// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Twelve layers, unrolled and scanned: both compile under default limits, and a training step of
// one has the bits of the other. Equal layers share kernels.
#include "../benchmarks/compile/block_model.hpp"

#include <gtest/gtest.h>

namespace {

using namespace block_model;
using unrolled = unrolled_model<weft::tensor>;
using scanned = scanned_model<weft::tensor>;

float number(int i) { return static_cast<float>((i * 37) % 101 - 50) * 0.004f; }

unrolled some_model() {
  unrolled m;
  int n = 0;
  weft::for_each_leaf(m, [&n](auto& leaf) {
    auto view = leaf.mutate();
    for (auto& x : view) x = number(++n);
  });
  return m;
}
// Layer l's arrays become slice l.
scanned stacked(unrolled const& m) {
  scanned s;
  for (std::size_t l = 0; l < layers; ++l)
    weft::for_each_leaf(s.blocks, m.blocks[l], [l](auto& stack, auto const& one) {
      auto view = stack.mutate();
      std::copy(one.begin(), one.end(), view.begin() + static_cast<std::ptrdiff_t>(l) * one.size());
    });
  return s;
}
data some_data(int seed) {
  data d;
  auto view = d.mutate();
  int n = seed;
  for (auto& x : view) x = number(n += 3);
  return d;
}

// Twelve layers forward and backward, and the sharing of kernels keeps the number of functions
// near that of one layer.
static_assert(weft::stages<unrolled_step>::code.kernels.size() > 12 * 8);

int distinct_kernels() {
  int n = 0;
  for (int k = 0; k < weft::stages<unrolled_step>::code.kernels.size(); ++k)
    n += weft::stages<unrolled_step>::code.kernels[k].canonical == k;
  return n;
}

TEST(block_model, equal_layers_share_kernels) {
  EXPECT_LT(distinct_kernels() * 5, weft::stages<unrolled_step>::code.kernels.size());
}

TEST(block_model, scan_and_unrolled_agree) {
  unrolled p = some_model();
  scanned q = stacked(p);
  data const x = some_data(5), target = some_data(11);
  for (int step = 0; step < 3; ++step) {
    auto [p_next, p_value] = weft::jit<unrolled_step>(std::move(p), x, target);
    auto [q_next, q_value] = weft::jit<scanned_step>(std::move(q), x, target);
    p = p_next;
    q = q_next;
    EXPECT_EQ(p_value(), q_value());
    scanned const expected = stacked(p);
    weft::for_each_leaf(q, expected, [](auto const& a, auto const& b) { EXPECT_EQ(a, b); });
  }
}

} // namespace
