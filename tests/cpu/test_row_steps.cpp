// SPDX-License-Identifier: BSL-1.0
// build: alone
// Groups that walk the same rows, a few rows at a time through all of them, against the interpreter,
// bit for bit: softmax and layer_norm of rows of every length up to 130, of several axes and types, on
// one, two and three threads; values inside that somebody else reads, too; groups that do not walk the
// rows; a loop. And what needs no memory any more.
#include "cpu/joined_case.hpp"
#include "random/random_source.hpp"

#include <weft/graph/einsum_record.hpp>
#include <weft/graph/handle_loop.hpp>
#include <weft/pass/donation.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;
using namespace test;

handle over(handle numbers, handle x, extent axes) { return spread_over(numbers, x.shape(), axes); }
handle softmax(handle x, extent axes) {
  handle const e = unary(op::exp, x - over(reduce(op::reduce_max, x, axes), x, axes));
  return e / over(reduce(op::reduce_sum, e, axes), x, axes);
}
handle layer_norm(handle x, handle scale, handle shift, extent axes) {
  recorder& r = *x.where;
  handle const n = constant(r, 3.0, x.type(), {}), small = constant(r, 0.01, x.type(), {});
  auto const mean = [&](handle y) {
    handle const sum = reduce(op::reduce_sum, y, axes);
    return sum / broadcast_to(n, sum.shape());
  };
  handle const apart = x - over(mean(x), x, axes), var = mean(apart * apart);
  handle const by = unary(op::sqrt, var + broadcast_to(small, var.shape()));
  return apart / over(by, x, axes) * broadcast_to(scale, x.shape()) +
         broadcast_to(shift, x.shape());
}

struct counts {
  int runs = 0, steps = 0; // runs of joined groups, and their groups
};
template <class Build> counts expect_meaning(growing<dense> const& inputs, Build const& build) {
  return test::expect_meaning(inputs, build, [](cpu::engine const& e) {
    counts c;
    for (int s = 0; s < e.plan().steps.size(); ++s) {
      int const place = e.joined().rows().place_of(s);
      c.runs += place == s;
      c.steps += place >= 0;
    }
    return c;
  });
}
void expect_counts(counts const& c, int runs, int steps) {
  EXPECT_EQ(c.runs, runs);
  EXPECT_EQ(c.steps, steps);
}

TEST(row_steps, every_length) {
  random_source rng(1);
  for (extent n = 1; n <= 130; ++n) {
    SCOPED_TRACE(n);
    dtype const type = n % 3 == 0 ? dtype::f64 : dtype::f32;
    growing<dense> inputs;
    inputs.push(random_dense(rng, type, dims({32000 / n + 3, n})));
    for (int i = 0; i < 2; ++i) inputs.push(random_dense(rng, type, dims({n})));
    int const runs = n > 1; // of one element each, they are no rows
    expect_counts(expect_meaning(inputs, [](auto const& x) { return list({softmax(x[0], 2)}); }),
                  runs, 3 * runs);
    expect_counts(
        expect_meaning(inputs,
                       [](auto const& x) { return list({layer_norm(x[0], x[1], x[2], 2)}); }),
        runs, 5 * runs);
  }
}
TEST(row_steps, long_rows) {
  random_source rng(2);
  for (extent n : {1024, 4097, 20000}) {
    growing<dense> inputs;
    inputs.push(random_dense(rng, dtype::f32, dims({100000 / n, n})));
    expect_counts(expect_meaning(inputs, [](auto const& x) { return list({softmax(x[0], 2)}); }), 1,
                  3);
  }
}
TEST(row_steps, several_axes_and_types) {
  random_source rng(3);
  for (dtype type : {dtype::f32, dtype::bf16, dtype::f16, dtype::f64}) {
    growing<dense> inputs;
    inputs.push(random_dense(rng, type, dims({1, 50, 1, 30, 1, 6, 7})));
    auto const of = [&](extent axes) {
      return expect_meaning(inputs, [&](auto const& x) { return list({softmax(x[0], axes)}); });
    };
    expect_counts(of(64), 1, 3);
    expect_counts(of(64 + 32), 1, 3);
    expect_counts(of(64 + 32 + 16 + 4), 1, 3);
    expect_counts(of(64 + 32 + 8), 1, 3);
    expect_counts(of(32), 0, 0);     // columns
    expect_counts(of(64 + 8), 0, 0); // rows that do not lie in one piece
    expect_counts(of(2), 0, 0);      // columns
    expect_counts(of(127), 0, 0);    // one row
  }
}
// A view as the input; numbers of rows computed from several groups; results that the next reads.
TEST(row_steps, among_other_work) {
  random_source rng(4);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({450, 90})));
  inputs.push(random_dense(rng, dtype::f32, dims({90, 450})));
  extent const order[] = {1, 0};
  expect_counts(expect_meaning(inputs,
                               [&](auto const& x) {
                                 return list({softmax(transpose(x[1], {order, 2}), 2)});
                               }),
                1, 3);
  expect_counts(expect_meaning(inputs,
                               [&](auto const& x) {
                                 handle const s = softmax(x[0], 2);
                                 handle const sum = reduce(op::reduce_sum, s * x[0], 2);
                                 return list({s, (x[0] - over(sum, s, 2)) * s, sum});
                               }),
                1, 4);
  // Two in one another's stages are the same groups; one behind the other is one run.
  expect_counts(
      expect_meaning(inputs,
                     [&](auto const& x) {
                       return list({softmax(softmax(x[0], 2), 2), softmax(x[0] * x[0], 2)});
                     }),
      1, 5);
}
// A run ends before a group that reads other rows of what it computed, and before another step.
TEST(row_steps, other_rows) {
  random_source rng(5);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({250, 250})));
  auto const of = [&](auto const& read) {
    return expect_meaning(inputs, [&](auto const& x) {
      handle const s = softmax(x[0], 2);
      return list({unary(op::tanh, read(s)) + x[0]});
    });
  };
  extent const order[] = {1, 0}, map[] = {1};
  expect_counts(of([&](handle s) { return transpose(s, {order, 2}); }), 1, 3);
  expect_counts(of([&](handle s) { return weft::reverse(s, 1); }), 1, 3);
  expect_counts(of([&](handle s) { return over(reduce(op::reduce_sum, s, 1), s, 1); }), 1, 2);
  expect_counts(of([&](handle s) { // numbers of rows, along the columns
                  return broadcast(reduce(op::reduce_max, s, 2), dims({250, 250}), {map, 1});
                }),
                1, 3);
}
// Numbers of rows that a later group of the run reads are not written over by an earlier one.
TEST(row_steps, numbers_read_twice) {
  random_source rng(7);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({50, 400})));
  inputs.push(random_dense(rng, dtype::f32, dims({400, 130})));
  inputs.push(random_dense(rng, dtype::f32, dims({400, 7})));
  auto const of = [&](auto const& read) {
    return expect_meaning(inputs, [&](auto const& x) {
      handle const c = reduce(op::reduce_sum, x[0], 1);
      handle const q = reduce(op::reduce_max, x[1], 2) + c;
      handle const factors[] = {q, x[2]};
      return list({read(x[1], q, c), record_einsum({"i,ij->j", 7}, {factors, 2}, dtype::f32)});
    });
  };
  of([](handle x, handle q, handle c) { return (x - over(q, x, 2)) * over(c, x, 2); });
  of([](handle x, handle q, handle c) { return (x * over(c, x, 2)) - over(q * c, x, 2); });
}
TEST(row_steps, in_a_loop) {
  random_source rng(6);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({350, 100})));
  inputs.push(random_dense(rng, dtype::f32, dims({3, 350, 100})));
  counts const c = expect_meaning(inputs, [](auto const& x) {
    recorder& r = *x[0].where;
    int const body = r.begin_body();
    extents const shape = dims({350, 100});
    handle const carry = r.parameter(dtype::f32, shape), step = r.parameter(dtype::f32, shape);
    handle outs[] = {softmax(carry + step, 2), softmax(carry * step, 2)};
    r.end_body(body, {outs, 2});
    handle operands[] = {x[0], x[1]};
    handle const s = r.emit(op::scan, dtype::f32, {}, {operands, 2},
                            encode(loop{1, 1, 1, 3, false}), body);
    r.set_owner(body, s.id);
    return list({get(s, 0, dtype::f32, shape), get(s, 1, dtype::f32, dims({3, 350, 100}))});
  });
  expect_counts(c, 1, 3);
}

// Exponentials lie in the quotient's memory until that is written; but not if there, as it is read for
// the last time where the quotient is, another array lies.
TEST(row_steps, memory_of_a_result) {
  random_source rng(8);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({250, 250})));
  inputs.push(random_dense(rng, dtype::f32, dims({250, 250})));
  auto const of = [&](auto const& last) {
    return expect_meaning(inputs, [&](auto const& x) {
      extent const pads[] = {1, 0, -1, 0, 0, 0};
      handle const zero = constant(*x[1].where, 0, dtype::f32, {});
      handle const t = pad(x[1], zero, {pads, 6});
      handle const e = unary(op::exp, x[0] - over(reduce(op::reduce_max, x[0], 2), x[0], 2));
      return list({unary(op::tanh, weft::reverse(last(e, t, reduce(op::reduce_sum, e, 2)), 1))});
    });
  };
  expect_counts(of([](handle e, handle, handle sum) { return e / over(sum, e, 2); }), 1, 3);
  expect_counts(of([](handle e, handle t, handle sum) { return e / over(sum, e, 2) * t; }), 1, 2);
  expect_counts(of([](handle e, handle t, handle sum) { // both are read twice
                  return e / over(sum, e, 2) * t - e * t;
                }),
                1, 2);
}
// Exponentials need memory for the rows at hand, a thread; small arrays are as they were. What the
// first group of a run reads is not written over by the last one, which is under way with it.
TEST(row_steps, memory) {
  auto const bytes = [](extents const& shape, int threads) {
    recorder r;
    handle const out = softmax(r.input(dtype::f32, shape, {0, 0, false}), 2);
    r.finish({&out, 1});
    cpu::block_program<test::narrow_target> const program(r.result);
    cpu::engine const e(program.code(), {}, threads);
    EXPECT_FALSE(may_overwrite(e.bound(), e.reads(), e.plan(), e.memory(), 0, 0) &&
                 e.joined().rows().place_of(0) >= 0);
    return e.arena_bytes();
  };
  extent const places = 64, numbers = 2 * 256, rows = 64; // of two arrays in 256 KiB
  EXPECT_EQ(bytes(dims({512, 512}), 1), places + numbers + rows * 512 * 4);
  EXPECT_EQ(bytes(dims({512, 512}), 3), 3 * (places + numbers + rows * 512 * 4));
  EXPECT_EQ(bytes(dims({50, 50}), 1), 2 * 256 + (50 * 50 * 4 + 63) / 64 * 64);
}

} // namespace
