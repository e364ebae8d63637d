// SPDX-License-Identifier: BSL-1.0
// build: alone
// Prefix scans as one step against the interpreter, bit for bit: every length up to 130 and long ones,
// along rows and columns, forward and in reverse, of several types, on one thread and two; of views;
// beside, inside and behind each other; and what only looks like one.
#include "cpu/joined_case.hpp"
#include "random/random_source.hpp"

#include <weft/graph/handle_loop.hpp>
#include <weft/graph/handle_prefix.hpp>

#include <gtest/gtest.h>

namespace {

using namespace weft;
using namespace test;

struct scan_kind {
  op code{};
  int axis = 0;
  bool reverse = false;
};
// The levels below `reach`, as lang/associative_scan.hpp records them.
handle scanned(handle y, scan_kind k, extent reach = extent{1} << 40, extent first = 1) {
  recorder& r = *y.where;
  extent const n = y.shape()[k.axis];
  for (extent d = first; d < n && d < reach; d *= 2) {
    handle const before = detail::half_ends(y, k.axis, d, k.reverse);
    handle const mask = detail::in_upper_half(r, y.shape(), k.axis, d, k.reverse);
    y = select(mask, binary(k.code, y.type(), before, y), y);
  }
  return y;
}

// How many scans ran as one step.
template <class Build> int expect_meaning(growing<dense> const& inputs, Build const& build) {
  return test::expect_meaning(inputs, build, [](cpu::engine const& e) {
    int scans = 0;
    for (int s = 0; s < e.plan().steps.size(); ++s) scans += e.joined().prefixes().place_of(s) == s;
    return scans;
  });
}
int expect_scan(random_source& rng, dtype type, extents const& shape, scan_kind k) {
  growing<dense> inputs;
  inputs.push(random_dense(rng, type, shape));
  return expect_meaning(inputs, [&](auto const& x) { return list({scanned(x[0], k)}); });
}

constexpr op codes[] = {op::add, op::mul, op::maximum, op::minimum};
constexpr dtype types[] = {dtype::f32, dtype::f64, dtype::i32, dtype::u64, dtype::u32, dtype::i64};

TEST(prefix, every_length) {
  random_source rng(1);
  for (extent n = 0; n <= 130; ++n)
    for (int k = 0; k < 4; ++k) {
      SCOPED_TRACE(testing::Message() << n << ", " << k);
      op const code = codes[(n + k) % 4];
      dtype const type = types[(n / 4 + k) % 6];
      int const scans = n < 3 ? 0 : 1; // of two elements one group
      EXPECT_EQ(expect_scan(rng, type, dims({3, n}), {code, 1, k % 2 == 1}), scans);
      EXPECT_EQ(expect_scan(rng, type, dims({n, 1 + n * 7 % 37}), {code, 0, k % 2 == 1}), scans);
    }
}
TEST(prefix, long_lines) {
  random_source rng(2);
  for (bool reverse : {false, true})
    for (dtype type : {dtype::f32, dtype::f64}) {
      EXPECT_EQ(expect_scan(rng, type, dims({20000}), {op::add, 0, reverse}), 1);
      EXPECT_EQ(expect_scan(rng, type, dims({37, 1025}), {op::add, 1, reverse}), 1);
      EXPECT_EQ(expect_scan(rng, type, dims({1025, 37}), {op::mul, 0, reverse}), 1);
      EXPECT_EQ(expect_scan(rng, type, dims({3, 513, 2, 17}), {op::add, 1, reverse}), 1);
      EXPECT_EQ(expect_scan(rng, type, dims({5, 7, 300}), {op::minimum, 2, reverse}), 1);
    }
}
TEST(prefix, small_types_are_steps_as_before) {
  random_source rng(3);
  for (dtype type : {dtype::bf16, dtype::f16, dtype::i8, dtype::u16})
    EXPECT_EQ(expect_scan(rng, type, dims({3, 50}), {op::maximum, 1, false}), 0);
}

// Starts that lie in other orders, backwards, apart, or over each other.
TEST(prefix, of_views) {
  random_source rng(4);
  for (bool reverse : {false, true})
    for (int axis = 0; axis < 3; ++axis) {
      SCOPED_TRACE(testing::Message() << axis << reverse);
      growing<dense> inputs;
      inputs.push(random_dense(rng, dtype::f32, dims({9, 20, 35})));
      inputs.push(random_dense(rng, dtype::f32, dims({20})));
      expect_meaning(inputs, [&](auto const& x) {
        scan_kind const k{op::add, axis, reverse};
        extent const order[] = {2, 0, 1}, map[] = {1};
        return list({scanned(transpose(x[0], {order, 3}), k),
                     scanned(weft::reverse(x[0], extent{1} << axis), k),
                     scanned(slice_axis(x[0], 2, 3, 30), k), scanned(slice_axis(x[0], 0, 2, 5), k),
                     scanned(broadcast(x[1], dims({9, 20, 35}), {map, 1}), k)});
      });
    }
}
TEST(prefix, among_other_work) {
  random_source rng(5);
  growing<dense> inputs;
  for (int i = 0; i < 2; ++i) inputs.push(random_dense(rng, dtype::f32, dims({11, 45})));
  scan_kind const sum{op::add, 1, false}, back{op::add, 1, true}, most{op::maximum, 1, false};
  scan_kind const down{op::add, 0, false};
  // Computed before and after: the last level is in the group that goes on.
  EXPECT_EQ(
      expect_meaning(
          inputs, [&](auto const& x) { return list({scanned(unary(op::exp, x[0]), sum) * x[1]}); }),
      1);
  // One behind the other, beside the other, along other axes.
  EXPECT_EQ(expect_meaning(
                inputs, [&](auto const& x) { return list({scanned(scanned(x[0], sum), back)}); }),
            2);
  EXPECT_EQ(expect_meaning(inputs,
                           [&](auto const& x) {
                             return list({scanned(x[0], sum), scanned(x[1], most)});
                           }),
            2);
  EXPECT_EQ(expect_meaning(inputs,
                           [&](auto const& x) {
                             return list({scanned(scanned(x[0], sum), down), scanned(x[1], down)});
                           }),
            3);
  // Levels that start at different stages share groups.
  EXPECT_EQ(expect_meaning(inputs,
                           [&](auto const& x) {
                             handle const first = scanned(x[0], down);
                             return list({scanned(first, sum), scanned(x[1], sum), first});
                           }),
            3);
}
TEST(prefix, values_that_others_read) {
  random_source rng(6);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({6, 40})));
  scan_kind const sum{op::add, 1, false};
  // The scan ends where its value is a result, too; the levels behind it are steps of their own.
  EXPECT_EQ(expect_meaning(inputs,
                           [&](auto const& x) {
                             handle const some = scanned(x[0], sum, 8);
                             return list({some, scanned(some, sum, 64, 8)});
                           }),
            1);
  // Two scans of one array share the reshape of their first level: neither is one step.
  EXPECT_EQ(
      expect_meaning(inputs,
                     [&](auto const& x) {
                       return list({scanned(x[0], sum), scanned(x[0], {op::maximum, 1, false})});
                     }),
      0);
}
TEST(prefix, what_only_looks_like_one) {
  random_source rng(7);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({6, 16})));
  inputs.push(random_dense(rng, dtype::f32, dims({6, 16})));
  auto const level = [&](handle y, handle other, extent by, extent bit, int along) {
    handle const before = detail::half_ends(y, 1, by, false);
    handle const mask = detail::in_upper_half(*y.where, y.shape(), along, bit, false);
    return select(mask, before + y, other);
  };
  auto const scans = [&](auto const& f) {
    return expect_meaning(inputs, [&](auto const& x) { return list({f(x[0], x[1])}); });
  };
  EXPECT_EQ(scans([&](handle x, handle) { return level(x, x, 1, 1, 1); }), 1);
  EXPECT_EQ(scans([&](handle x, handle) { return level(x, x, 1, 2, 1); }), 0);
  EXPECT_EQ(scans([&](handle x, handle) { return level(x, x, 1, 1, 0); }), 0);
  EXPECT_EQ(scans([&](handle x, handle) { return level(x, x, 3, 2, 1); }), 0);
  EXPECT_EQ(scans([&](handle x, handle y) { return level(x, y, 1, 1, 1); }), 0);
  // A second level of the first one's distance; one in the other direction.
  EXPECT_EQ(scans([&](handle x, handle) {
              handle const y = level(x, x, 1, 1, 1);
              return level(y, y, 1, 1, 1);
            }),
            2);
  EXPECT_EQ(scans([&](handle x, handle) {
              return scanned(scanned(x, {op::add, 1, false}, 4), {op::add, 1, true}, 64, 4);
            }),
            1);
}

// In each turn of a loop.
TEST(prefix, in_a_loop) {
  random_source rng(8);
  growing<dense> inputs;
  inputs.push(random_dense(rng, dtype::f32, dims({5, 33})));
  inputs.push(random_dense(rng, dtype::f32, dims({4, 5, 33})));
  EXPECT_EQ(
      expect_meaning(
          inputs,
          [](auto const& x) {
            recorder& r = *x[0].where;
            int const body = r.begin_body();
            extents const shape = dims({5, 33});
            handle const carry = r.parameter(dtype::f32, shape);
            handle const step = r.parameter(dtype::f32, shape);
            handle const next = scanned(carry, {op::maximum, 1, false});
            handle outs[] = {next, scanned(step, {op::add, 0, true})};
            r.end_body(body, {outs, 2});
            handle operands[] = {x[0], x[1]};
            handle const s = r.emit(op::scan, dtype::f32, {}, {operands, 2},
                                    encode(loop{1, 1, 1, 4, false}), body);
            r.set_owner(body, s.id);
            return list({get(s, 0, dtype::f32, shape), get(s, 1, dtype::f32, dims({4, 5, 33}))});
          }),
      2);
}

// Nothing between the levels has memory: the ends of halves instead, of a line or a strip.
TEST(prefix, memory) {
  for (int axis : {0, 1}) {
    recorder r;
    handle const x = r.input(dtype::f32, dims({256, 256}), {0, 0, false});
    handle const out = scanned(x, {op::add, axis, false});
    r.finish({&out, 1});
    cpu::block_program<narrow_target> const program(r.result);
    // A line is 64 blocks of 4 rows, or 32 of 8 with packs of 16; or blocks of 8 packs, whose number
    // has so many bits.
    constexpr int lanes = narrow_target::lanes;
    int const of_rows = lanes == 16 ? 5 : 6, of_packs = lanes == 4 ? 3 : lanes == 8 ? 2 : 1;
    int const levels = axis == 0 ? of_rows : of_packs;
    int const bytes = 4 * levels * (axis == 0 ? 256 : lanes), whole = (bytes + 63) / 64 * 64;
    EXPECT_EQ(cpu::engine(program.code(), {}, 1).arena_bytes(), whole);
    EXPECT_EQ(cpu::engine(program.code(), {}, 2).arena_bytes(), 2 * whole);
  }
}

} // namespace
