// SPDX-License-Identifier: BSL-1.0
// Collectives by hand, on ranks that are threads; their derivatives; and what one rank alone does.
#include "dense_values.hpp"

#include <weft/graph/handle_collective.hpp>
#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>
#include <weft/pass/pipeline.hpp>
#include <weft/testing/interpret_ranks.hpp>
#include <weft/transform/grad.hpp>
#include <weft/transform/jvp.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace test;
using kind = collective_kind;
using combine = collective_combine;
using numbers = std::initializer_list<extent>;

collective over(kind k, growing<extent> const& ranks, extent world, extent group, extent axis = 0,
                extent to = 0, combine how = combine::add) {
  return {k, how, axis, to, world, group, ranks};
}
growing<extent> list(numbers n) {
  growing<extent> r;
  for (extent x : n) r.push(x);
  return r;
}
// A program of one collective, of an input like x.
graph program(dense const& x, collective const& c) {
  recorder r;
  handle const in = r.input(x.type, x.shape, {0, 0, false});
  handle const out = exchange(in, c);
  r.finish({&out, 1});
  EXPECT_EQ(verify(r.result).broken, rule::unbroken) << print(r.result);
  return std::move(r.result);
}
std::vector<dense> results(std::vector<dense> const& values, collective const& c) {
  std::vector<growing<dense>> inputs;
  for (dense const& x : values) inputs.emplace_back(1, x);
  std::vector<dense> outputs;
  for (growing<dense> const& out : weft::testing::interpret_ranks(program(values[0], c), inputs))
    outputs.push_back(out[0]);
  return outputs;
}
using values = std::vector<dense>;

TEST(collective, all_reduce) {
  growing<extent> const all = list({0, 1, 2, 3}), halves = list({0, 2, 1, 3});
  values const x = {vector({1, 8}), vector({2, 7}), vector({3, 6}), vector({5, 4})};
  dense const sum = vector({11, 25}), largest = vector({5, 8});
  EXPECT_EQ(results(x, over(kind::all_reduce, all, 4, 4)), (values{sum, sum, sum, sum}));
  EXPECT_EQ(results(x, over(kind::all_reduce, all, 4, 4, 0, 0, combine::max)),
            (values{largest, largest, largest, largest}));
  dense const even = vector({4, 14}), odd = vector({7, 11});
  EXPECT_EQ(results(x, over(kind::all_reduce, halves, 4, 2)), (values{even, odd, even, odd}));
}
// In the order of the group, in float, rounded once: 1 + 2^-8 + 2^-8 of bf16.
TEST(collective, sums_round_once) {
  bf16 const one(1.0f), small(0x1p-8f);
  growing<extent> const all = list({0, 1, 2});
  values const x = {vector({one}), vector({small}), vector({small})};
  EXPECT_EQ(results(x, over(kind::all_reduce, all, 3, 3))[0], vector({bf16(1 + 0x1p-7f)}));
  values const y = {vector({0x1p30f}), vector({1.0f}), vector({-0x1p30f})};
  growing<extent> const far_first = list({0, 2, 1});
  EXPECT_EQ(results(y, over(kind::all_reduce, all, 3, 3))[2], vector({0.0f}));
  EXPECT_EQ(results(y, over(kind::all_reduce, far_first, 3, 3))[2], vector({1.0f}));
}
TEST(collective, parts) {
  growing<extent> const two = list({0, 1}), turned = list({1, 0});
  values const x = {array({2, 2}, {1, 2, 3, 4}), array({2, 2}, {5, 6, 7, 8})};
  dense const rows = array({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
              turned_rows = array({4, 2}, {5, 6, 7, 8, 1, 2, 3, 4}),
              columns = array({2, 4}, {1, 2, 5, 6, 3, 4, 7, 8});
  EXPECT_EQ(results(x, over(kind::all_gather, two, 2, 2)), (values{rows, rows}));
  EXPECT_EQ(results(x, over(kind::all_gather, turned, 2, 2)), (values{turned_rows, turned_rows}));
  EXPECT_EQ(results(x, over(kind::all_gather, two, 2, 2, 1)), (values{columns, columns}));
  EXPECT_EQ(results(x, over(kind::reduce_scatter, two, 2, 2)),
            (values{array({1, 2}, {6, 8}), array({1, 2}, {10, 12})}));
  EXPECT_EQ(results(x, over(kind::reduce_scatter, turned, 2, 2, 1)),
            (values{array({2, 1}, {8, 12}), array({2, 1}, {6, 10})}));
  EXPECT_EQ(results(x, over(kind::all_to_all, two, 2, 2, 0, 1)),
            (values{array({1, 4}, {1, 2, 5, 6}), array({1, 4}, {3, 4, 7, 8})}));
  EXPECT_EQ(results(x, over(kind::all_to_all, two, 2, 2, 1, 1)),
            (values{array({2, 2}, {1, 5, 3, 7}), array({2, 2}, {2, 6, 4, 8})}));
}
TEST(collective, sends) {
  growing<extent> const pairs = list({0, 1, 1, 2}), roots = list({2, 0});
  values const x = {vector({1}), vector({2}), vector({3})};
  EXPECT_EQ(results(x, over(kind::permute, pairs, 3, 2)),
            (values{vector({0}), vector({1}), vector({2})}));
  EXPECT_EQ(results(x, over(kind::broadcast, roots, 3, 2)),
            (values{vector({3}), vector({0}), vector({3})}));
  // Nobody's NaN reaches anybody.
  float const nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(results({vector({nan}), vector({2.0f}), vector({3.0f})},
                    over(kind::broadcast, roots, 3, 2))[0],
            vector({3.0f}));
}
TEST(collective, rank_is_a_place_in_a_mesh) {
  recorder r;
  handle const out[] = {rank_of_mesh(r, 1, 6, 6), rank_of_mesh(r, 3, 2, 6),
                        rank_of_mesh(r, 1, 3, 6)};
  r.finish({out, 3});
  EXPECT_EQ(verify(r.result).broken, rule::unbroken);
  auto const of = weft::testing::interpret_ranks(r.result, std::vector<growing<dense>>(6));
  for (std::uint32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(of[k][0], scalar_value(k));
    EXPECT_EQ(of[k][1], scalar_value(k / 3));
    EXPECT_EQ(of[k][2], scalar_value(k % 3));
  }
}
TEST(collective, prints) {
  growing<extent> const halves = list({0, 2, 1, 3});
  std::string const text = print(
      program(array({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), over(kind::all_to_all, halves, 4, 2, 1, 0)));
  EXPECT_NE(text.find("collective %0 {all_to_all, axis 1 to 0, 2 of 4 ranks: 0 2, 1 3}"),
            std::string::npos)
      << text;
}

// A program of one rank keeps none: each is its operand, or zeros where nobody sends.
TEST(collective, alone) {
  growing<extent> const self = list({0}), pair = list({0, 0}), none;
  dense const x = array({2, 2}, {1, 2, 3, 4});
  for (kind k : {kind::all_reduce, kind::all_gather, kind::reduce_scatter, kind::all_to_all,
                 kind::broadcast}) {
    graph const g = program(x, over(k, self, 1, 1));
    EXPECT_EQ(interpret(g, arrays(x))[0], x);
    EXPECT_EQ(graph_view(optimise(g)).size(), 1) << name_of(k);
  }
  EXPECT_EQ(interpret(program(x, over(kind::permute, pair, 1, 2)), arrays(x))[0], x);
  graph const nobody = program(x, over(kind::permute, none, 1, 2));
  dense const zeros = array({2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(interpret(nobody, arrays(x))[0], zeros);
  EXPECT_EQ(interpret(optimise(nobody), arrays(x))[0], zeros);
}
TEST(collective, wants_its_world) {
  growing<extent> const two = list({0, 1});
  dense const x = vector({1});
  graph const g = program(x, over(kind::all_reduce, two, 2, 2));
  try {
    interpret(g, arrays(x));
    FAIL();
  } catch (usage_error const& e) {
    EXPECT_STREQ(
        e.what(),
        "weft: all_reduce: the program is for 2 ranks, and 1 runs it; start as "
        "many (as threads: testing::run_ranks; under MPI: jit<f>(job, ...)), or trace it for "
        "another mesh");
  }
  EXPECT_THROW(
      weft::testing::interpret_ranks(g, std::vector<growing<dense>>(3, growing<dense>(1, x))),
      usage_error);
}
TEST(collective, a_place_wants_the_world_of_its_mesh) {
  recorder r;
  handle const inner = rank_of_mesh(r, 1, 3, 6); // of 2 x 3 ranks, three of which there are, too
  r.finish({&inner, 1});
  EXPECT_THROW(weft::testing::interpret_ranks(r.result, std::vector<growing<dense>>(3)),
               usage_error);
  EXPECT_EQ(weft::testing::interpret_ranks(r.result, std::vector<growing<dense>>(6))[5][0],
            scalar_value(2u));
}
// A rank that leaves its loop early lets nobody wait.
TEST(collective, ranks_that_part_are_an_error) {
  recorder r;
  handle const n = r.input(dtype::i32, {}, {0, 0, false});
  handle const zero = constant(r, 0, dtype::i32, {}), start = less(zero, n);
  growing<handle> operands;
  operands.push(start);
  operands.push(n);
  int const body = r.begin_body();
  r.parameter(dtype::boolean, {});
  handle const left = r.parameter(dtype::i32, {});
  growing<extent> const two = list({0, 1});
  handle const same = exchange(left, over(kind::broadcast, two, 2, 2));
  handle const next = left - constant(r, 1, dtype::i32, {});
  handle const used = next + (same - same);
  handle const outputs[] = {less(constant(r, 0, dtype::i32, {}), used), used};
  for (handle h : r.end_body(body, {outputs, 2})) operands.push(h);
  loop const l{.carries = 2};
  handle const node = r.emit(op::while_loop, dtype::boolean, {}, operands, encode(l), body);
  r.set_owner(body, node.id);
  handle const out = get(node, 1, dtype::i32, {});
  r.finish({&out, 1});
  ASSERT_EQ(verify(r.result).broken, rule::unbroken);
  auto const run = [&r](int a, int b) {
    return weft::testing::interpret_ranks(
        r.result, {growing<dense>(1, scalar_value(a)), growing<dense>(1, scalar_value(b))});
  };
  EXPECT_EQ(run(3, 3)[1][0], scalar_value(0));
  EXPECT_THROW(run(3, 5), usage_error);
}

// ---- derivatives: of the sum over all ranks of y * w, by every x; against differences in double.
double at(dense const& x, int i) { return std::bit_cast<double>(x[i]); }

struct example {
  std::string name;
  collective c;
};
void expect_derivatives(example const& e, extents const& shape, bool with_zeros) {
  int const world = static_cast<int>(e.c.world);
  recorder r;
  handle const in = r.input(dtype::f64, shape, {0, 0, false});
  handle const y = exchange(in, e.c);
  handle const w = r.input(dtype::f64, y.shape(), {1, 0, false});
  handle const loss = sum_all(y * w);
  r.finish({&loss, 1});
  std::mt19937 rng(7);
  auto const values_of = [&](extents const& s, bool zeros) {
    dense x(dtype::f64, s);
    for (int i = 0; i < x.size(); ++i)
      x[i] = word_of(zeros && rng() % 3 == 0 ? 0.0 : static_cast<double>(rng() % 997) / 499 - 1);
    return x;
  };
  std::vector<growing<dense>> inputs;
  for (int k = 0; k < world; ++k) {
    growing<dense> both(1, values_of(shape, with_zeros));
    both.push(values_of(graph_view(r.result).shape(y.id), false));
    inputs.push_back(both);
  }
  auto const total = [&](std::vector<growing<dense>> const& x) {
    double sum = 0;
    for (auto const& out : weft::testing::interpret_ranks(r.result, x)) sum += at(out[0], 0);
    return sum;
  };
  int const of_x[] = {0};
  graph const gradient = value_and_grad(r.result, {of_x, 1});
  ASSERT_EQ(verify(gradient).broken, rule::unbroken) << e.name;
  auto const gradients = weft::testing::interpret_ranks(gradient, inputs);
  double const step = 1e-6;
  for (int k = 0; k < world; ++k)
    for (int i = 0; i < inputs[0][0].size(); ++i) {
      auto above = inputs, below = inputs;
      auto const u = static_cast<unsigned>(k);
      above[u][0][i] = word_of(at(inputs[u][0], i) + step);
      below[u][0][i] = word_of(at(inputs[u][0], i) - step);
      double const expected = (total(above) - total(below)) / (2 * step);
      EXPECT_NEAR(at(gradients[u].back(), i), expected, 1e-6) << e.name << " rank " << k;
    }
}
TEST(collective, reverse_derivatives) {
  growing<extent> const halves = list({0, 2, 3, 1}), pairs = list({0, 1, 1, 3, 3, 0}),
                        some = list({2, 0, 3});
  for (combine how : {combine::add, combine::mul, combine::min, combine::max}) {
    std::string const name = name_of(how);
    expect_derivatives({"all_reduce " + name, over(kind::all_reduce, halves, 4, 2, 0, 0, how)},
                       dims({2, 3}), how == combine::mul);
    expect_derivatives(
        {"reduce_scatter " + name, over(kind::reduce_scatter, halves, 4, 2, 1, 0, how)},
        dims({3, 4}), how == combine::mul);
  }
  expect_derivatives({"all_gather", over(kind::all_gather, halves, 4, 2, 1)}, dims({2, 3}), false);
  expect_derivatives({"all_to_all", over(kind::all_to_all, halves, 4, 2, 0, 1)}, dims({4, 3}),
                     false);
  expect_derivatives({"permute", over(kind::permute, pairs, 4, 2)}, dims({3}), false);
  expect_derivatives({"broadcast", over(kind::broadcast, some, 4, 3)}, dims({3}), false);
}

} // namespace
