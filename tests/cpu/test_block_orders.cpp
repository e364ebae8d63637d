// SPDX-License-Identifier: BSL-1.0
// build: alone
// What the block executor makes of a group (cpu/block_orders.hpp), against the interpreter, bit for bit:
// every tree of additions, subtractions and products, each operand an array or a number; random lists of
// instructions whose values are read again later; lines of every length that share a block, elementwise
// and reduced; operands that are spread along one axis or the other, read across, or counted; lines and
// columns longer than a block. And how many orders there are.
#include "cpu/joined_case.hpp"
#include "random/random_source.hpp"

#include <weft/pass/donation.hpp>

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
// Of the graph as it was recorded, without the passes.
template <class Build> void expect_recorded_bits(growing<dense> const& inputs, Build const& build) {
  recorder r;
  r.finish(build(inputs_for(r, inputs)));
  block_runner<cpu::native_target> const blocks(r.result, true);
  cpu::serial one;
  EXPECT_TRUE(same_bits(blocks.run(inputs, one), meaning_of(r.result, inputs)));
}

TEST(block_orders, every_tree) {
  random_source rng(1);
  for (extent n : {1, 15, 100, 5000})
    for (int numbers = 0; numbers < 16; ++numbers) { // which of the operands are numbers
      if (n == 15 && numbers % 3 != 0) continue;
      growing<dense> inputs;
      for (int i = 0; i < 4; ++i) inputs.push(random_dense(rng, dtype::f32, dims({n})));
      inputs.push(random_dense(rng, dtype::f32, dims({1})));
      for (int t = 0; t < 3 * 4 * 4; ++t) {
        int const root = t / 16, left = t / 4 % 4, right = t % 4;
        SCOPED_TRACE(testing::Message() << n << ' ' << numbers << ' ' << t);
        auto const build = [&](auto const& x) {
          handle const number = broadcast_to(reshape(x[4], {}), x[0].shape());
          auto const at = [&](int k) { return (numbers >> k & 1) != 0 ? number : x[k]; };
          return list({node(root, node(left, at(0), at(1)), node(right, at(2), at(3)))});
        };
        expect_bits(inputs, build);
        bool const shared = numbers == 15 && left == right && left != leaf; // one value twice
        EXPECT_EQ(orders_of(inputs, build), shared ? 2 : 1);
      }
    }
}
// A member of a tree reads its operands where the tree is, which may be behind others' last use of them.
TEST(block_orders, operands_live_until_their_tree) {
  random_source rng(5);
  growing<dense> inputs;
  for (int i = 0; i < 4; ++i) inputs.push(random_dense(rng, dtype::f32, dims({700})));
  expect_bits(inputs, [](auto const& x) {
    return list({x[0] * x[1] + unary(op::tanh, unary(op::exp, x[0]))});
  });
  expect_bits(inputs, [](auto const& x) {
    handle const t = unary(op::exp, unary(op::tanh, x[0] * x[2] + x[3]));
    return list({x[0] * x[1] + t, reduce(op::reduce_max, x[2] * t, 1)});
  });
  expect_bits(inputs, [](auto const& x) {
    handle const a = unary(op::abs, x[0]), b = a * x[1];
    return list({b - unary(op::sqrt, unary(op::exp, a) / x[1])});
  });
}
TEST(block_orders, random_lists) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    random_source rng(seed);
    extent const n = 1 + rng.below(200), rows = 1 + rng.below(5);
    growing<dense> inputs;
    for (int i = 0; i < 3; ++i) inputs.push(random_dense(rng, dtype::f32, dims({rows, n})));
    inputs.push(random_dense(rng, dtype::f32, dims({1, 1})));
    expect_bits(inputs, [&](auto const& x) {
      growing<handle> v = list({x[0], x[1], x[2]});
      v.push(broadcast_to(x[3], x[0].shape()));
      v.push(constant(*x[0].where, 0.75, dtype::f32, x[0].shape()));
      auto const any = [&] { return v[rng.below(v.size())]; };
      for (int i = 0; i < 14; ++i) {
        int const kind = rng.below(10);
        handle const a = any(), b = any();
        v.push(kind < 6    ? node(kind % 3, a, b)
               : kind == 6 ? unary(op::abs, a)
               : kind == 7 ? binary(op::maximum, dtype::f32, a, b)
               : kind == 8 ? select(less(a, b), any(), any())
                           : a / b);
      }
      growing<handle> out = list({v.back(), any()});
      out.push(reduce(op::reduce_sum, any(), 2));
      out.push(reduce(op::reduce_max, any(), 1));
      return out;
    });
  }
}
// What is taken twice, or is a result, is computed once and stays; of thirty operations ten trees.
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
  std::vector<dtype> const types = {dtype::f32, dtype::f64, dtype::bf16, dtype::i8,
                                    dtype::u64, dtype::i32, dtype::f16};
  for (extent n = 1; n <= 140; ++n)
    expect_lines(rng, types[static_cast<std::size_t>(n) % types.size()], 1 + n * 7 % 43, n);
  for (dtype type : {dtype::f32, dtype::i32}) // read where they lie, four rows abreast
    for (extent n : {16, 48, 63, 64, 65, 128, 192})
      for (extent rows : {1, 3, 4, 5, 9}) expect_lines(rng, type, rows, n);
}
// Of a result that is one number, and of a draw whose words are.
TEST(block_orders, one_number_everywhere) {
  random_source rng(6);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({})));
  inputs.push(random_dense(rng, dtype::f32, dims({40, 70})));
  expect_bits(inputs, [](auto const& x) {
    handle const y = broadcast_to(x[0], x[1].shape()), z = unary(op::exp, y) * y;
    return list({z, z + x[1], reduce(op::reduce_sum, z, 2), reduce(op::reduce_sum, z, 1),
                 convert(z, dtype::bf16)});
  });
}

// Two words of numbers, of which the second alone is a result, or an operand.
TEST(block_orders, words_of_numbers) {
  random_source rng(7);
  growing<dense> inputs;
  for (int i = 0; i < 4; ++i) inputs.push(random_dense(rng, dtype::u32, dims({})));
  inputs.push(random_dense(rng, dtype::u32, dims({9, 100})));
  auto const second = [](auto const& x) {
    extents const shape = x[4].shape();
    handle words[4];
    for (int i = 0; i < 4; ++i) words[i] = broadcast_to(x[i], shape);
    return get(emit(op::threefry2x32, dtype::u32, shape, {words, 4}), 1, dtype::u32, shape);
  };
  expect_recorded_bits(inputs, [&](auto const& x) { return list({second(x)}); });
  expect_recorded_bits(inputs, [&](auto const& x) { return list({x[4] + second(x)}); });
  expect_recorded_bits(inputs, [&](auto const& x) {
    return list({x[4] * (x[4] - second(x)), unary(op::bit_not, second(x)) + x[4]});
  });
  expect_recorded_bits(inputs,
                       [&](auto const& x) { return list({reduce(op::reduce_sum, second(x), 2)}); });
}
// An output that is an input, while another one is written over that.
TEST(block_orders, an_input_that_is_an_output_is_read_before_it_is_written_over) {
  growing<dense> inputs;
  inputs.push(dense(dtype::f32, dims({256})));
  recorder r;
  handle const x = inputs_for(r, inputs)[0];
  handle const one = constant(r, 1, dtype::f32, x.shape());
  r.finish(list({unary(op::stop_gradient, x), x + one}));
  cpu::block_program<cpu::native_target> const program(r.result, true);
  cpu::engine e(program.code(), {}, 1);
  ASSERT_TRUE(may_overwrite(e.bound(), e.reads(), e.plan(), e.memory(), 0, 1));
  std::vector<float> in(256), copy(256), before;
  for (float& number : in) number = static_cast<float>(&number - in.data());
  before = in;
  void const* const from[] = {in.data()};
  void* const to[] = {copy.data(), in.data()};
  cpu::serial here;
  e.run({from, 1}, {to, 2}, here);
  EXPECT_EQ(copy, before);
  for (float& number : before) ++number;
  EXPECT_EQ(in, before);
}

// Sums of more than 16,384 elements, in tiles of rows that do not divide it; of rows in several lines.
// Numbers whose sums are rounded, so that their order shows.
dense thirds(random_source& rng, dtype type, extents const& shape) {
  dense x(type, shape);
  for (int i = 0; i < x.size(); ++i) {
    double const third = rng.between(-1000000, 1000000) / 3e5;
    x.words[i] = type == dtype::f64 ? word_of(third) : word_of(static_cast<float>(third));
  }
  return x;
}
TEST(block_orders, beyond_a_block_of_sums) {
  random_source rng(8);
  for (dtype type : {dtype::f32, dtype::f64})
    for (extent n : {24, 40, 48, 100}) {
      SCOPED_TRACE(n);
      growing<dense> inputs;
      inputs.push(thirds(rng, type, dims({33000, n})));
      expect_bits(inputs, [](auto const& x) { return list({reduce(op::reduce_sum, x[0], 1)}); });
      expect_bits(inputs, [](auto const& x) { // read where it lies by one, taken by another
        return list({reduce(op::reduce_sum, x[0], 1), reduce(op::reduce_sum, x[0] * x[0], 1)});
      });
    }
  for (extent n : {77, 130, 1000}) {
    SCOPED_TRACE(n);
    growing<dense> inputs;
    inputs.push(thirds(rng, dtype::f32, dims({40000 / n, n + 3})));
    expect_bits(inputs, [&](auto const& x) {
      handle const some = slice_axis(x[0], 1, 2, n);
      return list({reduce(op::reduce_sum, some, 3), reduce(op::reduce_sum, some * some, 3)});
    });
  }
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
