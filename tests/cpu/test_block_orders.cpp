// SPDX-License-Identifier: BSL-1.0
// build: alone
// What the block executor makes of a group (cpu/block_orders.hpp), against the interpreter, bit for bit:
// every tree of additions, subtractions and products, of arrays and of numbers; lines of every length
// that share a block, elementwise and reduced; operands that are spread along one axis or the other, read
// across, or counted; lines and columns longer than a block. And how many orders there are.
#include "cpu/joined_case.hpp"
#include "random/random_source.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace weft;
using namespace test;

constexpr op arithmetic[] = {op::add, op::sub, op::mul};
constexpr int leaf = 3;
handle node(int form, handle a, handle b) {
  return form == leaf ? a : binary(arithmetic[form], a.type(), a, b);
}

// Orders of all groups together: those that compute.
int orders_of(graph_view g) {
  cpu::block_program<cpu::native_target> const program(g);
  cpu::program_code const c = program.code();
  int count = 0;
  for (kernel const& k : c.code.kernels) {
    cpu::block_orders<cpu::native_target> const all(c.code.instructions_of(k),
                                                    c.code.outputs_of(k));
    for (cpu::block_order const& o : all.all()) count += o.kind == instruction_kind::compute;
  }
  return count;
}
template <class Build> int orders_of(growing<dense> const& inputs, Build const& build) {
  recorder r;
  r.finish(build(inputs_for(r, inputs)));
  return orders_of(r.result);
}
template <class Build> void expect_bits(growing<dense> const& inputs, Build const& build) {
  expect_meaning(inputs, build, [](cpu::engine const&) { return 0; });
}

TEST(block_orders, every_tree) {
  random_source rng(1);
  for (extent n : {1, 15, 100, 5000})
    for (bool with_number : {false, true}) {
      growing<dense> inputs;
      for (int i = 0; i < 4; ++i) inputs.push(random_dense(rng, dtype::f32, dims({n})));
      for (int t = 0; t < 3 * 4 * 4; ++t) {
        int const root = t / 16, left = t / 4 % 4, right = t % 4;
        SCOPED_TRACE(t);
        auto const build = [&](auto const& x) {
          handle const number = constant(*x[0].where, 1.5, dtype::f32, x[0].shape());
          handle const last = with_number ? number : x[3];
          handle const b = right == leaf ? node(leaf, last, last) : node(right, x[2], last);
          return list({node(root, node(left, x[0], x[1]), b)});
        };
        expect_bits(inputs, build);
        EXPECT_EQ(orders_of(inputs, build), 1);
      }
    }
}
// What is taken twice, or is a result, is computed once and stays; a chain is half as many trees.
TEST(block_orders, counts) {
  random_source rng(2);
  growing<dense> inputs;
  for (int i = 0; i < 2; ++i) inputs.push(random_dense(rng, dtype::f32, dims({3000})));
  auto const expect = [&](int count, auto const& build) {
    expect_bits(inputs, build);
    EXPECT_EQ(orders_of(inputs, build), count);
  };
  expect(10, [](auto const& x) {
    handle y = x[0];
    for (int i = 0; i < 10; ++i)
      y = y * x[1] + (x[0] - constant(*y.where, i + 2, dtype::f32, y.shape()));
    return list({y});
  });
  expect(2, [](auto const& x) {
    handle const p = x[0] * x[1];
    return list({p + p});
  });
  expect(2, [](auto const& x) {
    handle const p = x[0] * x[1];
    return list({p + x[0], p});
  });
  expect(2, [](auto const& x) { // a tree of three levels
    return list({((x[0] * x[1]) + x[0]) * x[1]});
  });
}

// Lines beside one another in one block, and operands of every kind.
handle mixed(handle x, handle row, handle column, handle across) {
  extent const order[] = {1, 0};
  handle const y = x * broadcast_to(row, x.shape()) + spread_over(column, x.shape(), 2);
  return y - transpose(across, {order, 2}) +
         convert(iota(*x.where, dtype::i32, x.shape(), 1), x.type());
}
growing<dense> matrices(random_source& rng, dtype type, extent rows, extent n) {
  growing<dense> inputs;
  inputs.push(random_dense(rng, type, dims({rows, n})));
  inputs.push(random_dense(rng, type, dims({n})));
  inputs.push(random_dense(rng, type, dims({rows})));
  inputs.push(random_dense(rng, type, dims({n, rows})));
  return inputs;
}
void expect_lines(random_source& rng, dtype type, extent rows, extent n) {
  SCOPED_TRACE(testing::Message() << name_of(type) << ' ' << rows << 'x' << n);
  growing<dense> const inputs = matrices(rng, type, rows, n);
  expect_bits(inputs, [](auto const& x) {
    handle const y = mixed(x[0], x[1], x[2], x[3]);
    growing<handle> all = list({y, equal(y, x[0])});
    for (extent axes : {1, 2, 3})
      for (op code : {op::reduce_sum, op::reduce_max, op::reduce_prod})
        all.push(reduce(code, y, axes));
    return all;
  });
  expect_bits(inputs, [](auto const& x) { // alone: read where they lie
    growing<handle> all = list({});
    for (extent axes : {1, 2, 3})
      for (op code : {op::reduce_sum, op::reduce_min}) all.push(reduce(code, x[0], axes));
    return all;
  });
}
TEST(block_orders, lines_of_every_length) {
  random_source rng(3);
  std::vector<dtype> const types = {dtype::f32, dtype::f64, dtype::bf16,
                                    dtype::i8,  dtype::u64, dtype::i32};
  for (extent n = 1; n <= 140; ++n)
    expect_lines(rng, types[static_cast<std::size_t>(n) % types.size()], 1 + n * 7 % 43, n);
}
TEST(block_orders, around_the_length_of_a_block) {
  random_source rng(4);
  for (extent n : {255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4500})
    for (dtype type : {dtype::f32, dtype::f64}) {
      expect_lines(rng, type, 3, n);
      expect_lines(rng, type, n, 3);
    }
  expect_lines(rng, dtype::f32, 70, 33000);
  expect_lines(rng, dtype::f32, 33000, 70);
}

} // namespace
