// SPDX-License-Identifier: BSL-1.0
// What is computed again for a later stage instead of being stored for it, and what is not; then
// random graphs of sums and what is normalised by them.
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "sample.hpp"
#include "support/meaning.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/rematerialise.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace test;

// Sums of rows, at every element of them.
constexpr handle row_sums(handle x) {
  extents const s = x.shape();
  return spread_over(reduce(op::reduce_sum, x, 2), s, 2);
}
// Arrays of 4 x 4 that are stored between groups.
constexpr int stored_arrays(graph_view g) {
  schedule const plan = make_schedule(g, accesses_of(g));
  int n = 0;
  for (int id = 0; id < g.size(); ++id)
    n += plan.stored[id] && g.shape(id) == four_by_four && g.outputs_of(0)[0] != id;
  return n;
}
struct change {
  int stored, stored_before;
  int nodes; // more
};
constexpr change change_of(unary_function f, dtype d = dtype::f32) {
  graph const before = recorded(f, d), after = rematerialise(before);
  return {stored_arrays(after), stored_arrays(before),
          graph_view(after).size() - graph_view(before).size()};
}
constexpr bool is_computed_again(unary_function f, int more = 1, dtype d = dtype::f32) {
  change const c = change_of(f, d);
  return c.stored_before == 1 && c.stored == 0 && c.nodes == more;
}
constexpr bool stays(unary_function f, dtype d = dtype::f32) {
  change const c = change_of(f, d);
  return c.stored == c.stored_before && c.nodes == 0;
}

constexpr unary_function standard_scores = [](recorder&, handle x) {
  handle const c = x - row_sums(x);
  return c / row_sums(c * c);
};
constexpr unary_function thrice = [](recorder&, handle x) { // at three stages
  handle const c = x - row_sums(x);
  return c / (row_sums(c * row_sums(c)) + c);
};
constexpr unary_function of_halves = [](recorder&, handle x) { // float comes from 16 bits
  handle const wide = convert(x, dtype::f32), c = wide - row_sums(wide);
  return c / row_sums(c * c);
};
constexpr unary_function exponentials = [](recorder&, handle x) {
  handle const e = unary(op::exp, x);
  return e / row_sums(e);
};
constexpr unary_function of_two_arrays = [](recorder& r, handle x) {
  handle const c = x * r.input(x.type(), four_by_four, {1, 0, false});
  return c / row_sums(c);
};
constexpr unary_function squares = [](recorder&, handle x) { // of one array, read once
  handle const c = x * x;
  return c / row_sums(c);
};
constexpr unary_function of_a_register = [](recorder&, handle x) {
  handle const c = unary(op::exp, x) + row_sums(x); // x's exponential is nowhere
  return c / row_sums(c);
};
constexpr unary_function an_output = [](recorder&, handle x) { return x - row_sums(row_sums(x)); };
constexpr unary_function read_through_a_view = [](recorder&, handle x) {
  handle const c = x - row_sums(x);
  extent const turned[] = {1, 0};
  return transpose(c, {turned, 2}) / row_sums(c);
};
constexpr unary_function copied_elsewhere = [](recorder&, handle x) { // by a reshape, as it lies
  handle const c = x - row_sums(x);
  extent const turned[] = {1, 0};
  handle const t = reshape(transpose(c, {turned, 2}), {1, {16}});
  return c / row_sums(c * c) + broadcast_to(reduce(op::reduce_sum, t, 1), four_by_four);
};
constexpr unary_function with_a_table = [](recorder& r, handle x) {
  handle const c = x + r.input(x.type(), four_by_four, {1, 0, false});
  return c / row_sums(c * c);
};
constexpr unary_function of_more_bytes = [](recorder&, handle x) { // bf16 is less to read
  handle const c = convert(x, dtype::bf16);
  return convert(c / row_sums(c), x.type());
};
constexpr unary_function behind_a_product = [](recorder&, handle x) { // which is not stored itself
  handle const c = product(x, x) + row_sums(x);
  return c / row_sums(c * c);
};
constexpr unary_function square_of_a_register = [](recorder&, handle x) {
  handle const d = x - row_sums(x), q = d * d;
  return q / row_sums(q);
};
constexpr unary_function stages_by_turns = [](recorder&, handle x) { // two, one, two
  handle const c = x - row_sums(x);
  handle const two = row_sums(c * row_sums(c)), late = c / two, early = c / row_sums(c);
  return late + c * two + early;
};
constexpr unary_function one_stage = [](recorder&, handle x) {
  handle const c = x - row_sums(x);
  return c * c + c;
};

static_assert(is_computed_again(standard_scores) && is_computed_again(squares));
static_assert(change_of(thrice).stored_before == 1 && change_of(thrice).stored == 0 &&
              change_of(thrice).nodes == 2);
static_assert(stays(exponentials) && stays(of_two_arrays) && stays(of_a_register));
static_assert(stays(an_output) && stays(read_through_a_view) && stays(one_stage));
static_assert(stays(copied_elsewhere) && stays(with_a_table) && stays(of_more_bytes) &&
              stays(behind_a_product));
// d goes along with its square, once.
static_assert(change_of(square_of_a_register).stored == 0 &&
              change_of(square_of_a_register).nodes == 2);
static_assert(change_of(stages_by_turns).stored == 0 && change_of(stages_by_turns).nodes <= 2);

TEST(rematerialise, takes_conversions_along) {
  change const c = change_of(of_halves, dtype::bf16);
  EXPECT_EQ(c.stored, 0);
  EXPECT_EQ(c.nodes, 3); // for the difference, and with its copy
}

// x of (n, 4), n a name.
constexpr graph of_a_name() {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {pack_name("n"), 4}}, {0, 0, false});
  handle const c = x - row_sums(x);
  handle y = c / row_sums(c * c);
  r.finish({&y, 1});
  return std::move(r.result);
}
static_assert(count(rematerialise(of_a_name()), op::sub) == 2);

constexpr graph in_a_loop() {
  recorder r;
  handle const x = r.input(dtype::f32, {3, {5, 4, 4}}, {0, 0, false});
  handle const first = r.input(dtype::f32, four_by_four, {1, 0, false});
  handle y = fold_steps(r, first, x, [&](handle carry, handle row) {
    handle const c = row - row_sums(carry);
    return c / row_sums(c * c);
  });
  r.finish({&y, 1});
  return std::move(r.result);
}
static_assert(count(rematerialise(in_a_loop()), op::sub, 1) == 2);

// Sums of what was made before, and elementwise ops of arrays and such sums.
graph random_scores(std::uint64_t seed, dtype d) {
  random_source rng(seed);
  extents const s{2, {rng.between(1, 6), rng.between(1, 9)}};
  recorder r;
  std::vector<handle> all{r.input(d, s, {0, 0, false}), r.input(d, s, {1, 0, false})};
  auto const some = [&] { return all[rng.next() % all.size()]; };
  for (int i = 0; i < 14; ++i) {
    handle const a = some(), b = some();
    int const axis = rng.below(2);
    switch (rng.below(8)) {
      case 0: all.push_back(a - b); break;
      case 1: all.push_back(a * b); break;
      case 2: all.push_back(a / b); break;
      case 3: all.push_back(-a); break;
      case 4: all.push_back(convert(convert(a, dtype::f32), d)); break;
      default:
        all.push_back(
            a - spread_over(reduce(op::reduce_sum, b, extent{1} << axis), s, extent{1} << axis));
    }
  }
  std::vector<handle> const out{all[all.size() - 1], all[all.size() - 3]};
  r.finish({out.data(), 2});
  return std::move(r.result);
}
TEST(rematerialise, keeps_the_meaning_of_random_scores) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    graph const g = random_scores(seed, seed % 3 == 0 ? dtype::bf16 : dtype::f32);
    graph const after = rematerialise(g);
    ASSERT_FALSE(verify(after)) << print(g) << print(after);
    growing<dense> const inputs = random_inputs(g, seed);
    ASSERT_TRUE(same_bits(seed, g, meaning_of(after, inputs), meaning_of(g, inputs)))
        << print(after);
    changed += graph_view(after).size() != graph_view(g).size();
  }
  EXPECT_GT(changed, 200);
}

} // namespace
