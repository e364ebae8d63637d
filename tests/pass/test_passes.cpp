// SPDX-License-Identifier: BSL-1.0
// What each pass does to small graphs, checked while compiling; meanings are tests/random's.
#include "sample.hpp"
#include "support/meaning.hpp"

#include "random/random_source.hpp"
#include "random/same_bits.hpp"

#include <weft/graph/verify.hpp>
#include <weft/pass/inline_graph.hpp>
#include <weft/pass/pipeline.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

// simplify ------------------------------------------------------------------------------------
constexpr handle like(recorder& r, double value, handle x) {
  return constant(r, value, x.type(), x.shape());
}
constexpr bool vanishes(unary_function f, dtype d = dtype::f32) {
  return is_identity(simplify(recorded(f, d)));
}
constexpr unary_function times_one = [](recorder& r, handle x) { return x * like(r, 1, x); };
constexpr unary_function plus_zero = [](recorder& r, handle x) { return x + like(r, 0, x); };
constexpr unary_function minus_zero = [](recorder& r, handle x) { return x - like(r, 0, x); };
constexpr unary_function plus_minus_zero = [](recorder& r, handle x) {
  return like(r, -0.0, x) + x;
};
constexpr unary_function over_one = [](recorder& r, handle x) { return x / like(r, 1, x); };
constexpr unary_function times_zero = [](recorder& r, handle x) { return x * like(r, 0, x); };
constexpr unary_function minus_itself = [](recorder&, handle x) { return x - x; };
constexpr unary_function negated_twice = [](recorder&, handle x) { return -(-x); };
constexpr unary_function stopped = [](recorder&, handle x) { return unary(op::stop_gradient, x); };
constexpr unary_function through_f32 = [](recorder&, handle x) {
  return convert(convert(x, dtype::f32), x.type());
};
constexpr unary_function through_bf16 = [](recorder&, handle x) {
  return convert(convert(x, dtype::bf16), x.type());
};
constexpr unary_function either_way = [](recorder&, handle x) { return select(less(x, -x), x, x); };
constexpr unary_function one_by_view = [](recorder& r, handle x) { // not folded yet
  return x * broadcast(constant(r, 1, x.type(), {}), x.shape(), {});
};
static_assert(vanishes(times_one) && vanishes(times_one, dtype::bf16) &&
              vanishes(times_one, dtype::i32));
static_assert(vanishes(minus_zero) && vanishes(plus_minus_zero) && vanishes(over_one, dtype::u32));
static_assert(vanishes(plus_zero, dtype::i32) && !vanishes(plus_zero) &&
              !vanishes(plus_zero, dtype::bf16));
static_assert(vanishes(negated_twice) && vanishes(either_way) && vanishes(one_by_view));
static_assert(vanishes(through_f32, dtype::bf16) && vanishes(through_f32, dtype::boolean));
static_assert(!vanishes(through_bf16) && !vanishes(through_f32, dtype::i32));
static_assert(vanishes(stopped));
static_assert(count(simplify(recorded(stopped), stop_gradients::kept), op::stop_gradient) == 1);
static_assert(count(simplify(recorded(times_zero)), op::mul) == 1);
static_assert(count(simplify(recorded(times_zero, dtype::i32)), op::mul) == 0);
static_assert(count(simplify(recorded(minus_itself)), op::sub) == 1);

constexpr unary_function turned_twice = [](recorder&, handle x) {
  extent const p[] = {1, 0};
  return transpose(transpose(x, {p, 2}), {p, 2});
};
constexpr unary_function reversed_twice = [](recorder&, handle x) {
  return reverse(reverse(x, 3), 3);
};
constexpr unary_function reshaped_back = [](recorder&, handle x) {
  return reshape(reshape(reshape(x, {1, {16}}), {2, {2, 8}}), x.shape());
};
constexpr unary_function sliced_twice = [](recorder&, handle x) { // rows 1 and 3, then row 3
  extent const odd[] = {1, 0, 4, 4, 2, 1}, last[] = {1, 0, 2, 4, 1, 1};
  return slice(slice(x, {odd, 6}), {last, 6});
};
constexpr bool is_row_three(graph_view g) {
  int s = find(g, op::slice);
  return count(g, op::slice) == 1 && g.attribute(s, 0) == 3 && g.attribute(s, 2) == 4;
}
static_assert(vanishes(turned_twice) && vanishes(reversed_twice) && vanishes(reshaped_back));
static_assert(is_row_three(dce(simplify(recorded(sliced_twice)))));

// fold ----------------------------------------------------------------------------------------
constexpr unary_function three_times = [](recorder& r, handle x) {
  handle three = constant(r, 2, dtype::f32, {}) + constant(r, 1, dtype::f32, {});
  return x * broadcast(three, x.shape(), {});
};
constexpr unary_function log_two = [](recorder& r, handle x) {
  return x * unary(op::log, like(r, 2, x));
};
constexpr bool is_three_times(graph_view g) {
  return g.size() == 3 && g.attribute(find(g, op::constant), 0) == bits_of(3, dtype::f32);
}
static_assert(is_three_times(dce(fold(recorded(three_times)))));
static_assert(count(fold(recorded(log_two)), op::log) == 1);
// What a program compiles for it: add here, and nothing where log keeps its operand.
constexpr op_set folded_of_three = ops_on_splats(recorded(three_times));
static_assert(folded_of_three.size() == 1 && folded_of_three.at(0) == op::add);
static_assert(is_three_times(dce(fold<folded_of_three>(recorded(three_times)))));
static_assert(ops_on_splats(recorded(log_two)).size() == 0);

// cse -----------------------------------------------------------------------------------------
constexpr unary_function two_tanh = [](recorder&, handle x) {
  handle a = unary(op::tanh, x), b = unary(op::tanh, x);
  return a * a + b * b;
};
constexpr unary_function two_ways = [](recorder&, handle x) {
  return reverse(x, 1) + reverse(x, 2);
};
constexpr unary_function two_types = [](recorder&, handle x) {
  return convert(convert(x, dtype::i32), dtype::f32) + convert(convert(x, dtype::u32), dtype::f32);
};
static_assert(count(cse(recorded(two_tanh)), op::tanh) == 1 &&
              count(cse(recorded(two_tanh)), op::mul) == 1);
static_assert(count(cse(recorded(two_ways)), op::reverse) == 2);
static_assert(count(cse(recorded(two_types)), op::convert) == 4);

// loops ---------------------------------------------------------------------------------------
// h' = tanh(h) U + x W, with U and W cast inside the body, as autocast leaves it.
constexpr graph recurrent() {
  recorder r;
  handle u = r.input(dtype::f32, four_by_four, {0, 0, false}),
         w = r.input(dtype::f32, four_by_four, {1, 0, false});
  handle xs = r.input(dtype::bf16, {3, {7, 4, 4}}, {2, 0, false});
  handle h0 = r.input(dtype::bf16, four_by_four, {3, 0, false});
  handle last = fold_steps(r, h0, xs, [&](handle h, handle x) {
    return product(unary(op::tanh, h), convert(u, dtype::bf16)) +
           product(x, convert(w, dtype::bf16));
  });
  r.finish({&last, 1});
  return std::move(r.result);
}
constexpr bool leaves_the_loop() {
  graph before = recurrent(), after = optimise(before);
  graph_view g = after;
  if (verify(before) || verify(after)) return false;
  if (count(before, op::convert, 1) != 2 || count(after, op::convert, 1) != 0) return false;
  if (count(before, op::contract, 1) != 2 || count(after, op::contract, 1) != 1) return false;
  int all = find(g, op::contract, 0); // all steps at once: 7 x 4 x 4
  loop l = loop_of(g, find(g, op::scan));
  return all >= 0 && g.shape(all) == extents{3, {7, 4, 4}} && l.carries == 1 && l.xs == 1 &&
         g[find(g, op::scan)].operand_count == 3 && // h0, x W for all steps, U
         contraction_of(g, all).order == contraction_of(before, find(before, op::contract)).order;
}
static_assert(leaves_the_loop());

// A number, and elementwise work on x alone, stay inside; the number is not passed in.
constexpr graph scaled_steps() {
  recorder r;
  handle xs = r.input(dtype::f32, {3, {7, 4, 4}}, {0, 0, false});
  handle h0 = r.input(dtype::f32, four_by_four, {1, 0, false}),
         half = constant(r, 0.5, dtype::f32, four_by_four);
  handle last = fold_steps(r, h0, xs,
                           [&](handle h, handle x) { return h + unary(op::exp, x) * half; });
  r.finish({&last, 1});
  return std::move(r.result);
}
constexpr bool stays_in_the_loop() {
  graph g = optimise(scaled_steps());
  return count(g, op::exp, 1) == 1 && count(g, op::mul, 1) == 1 && count(g, op::constant, 1) == 1 &&
         count(g, op::constant, 0) == 0 && g[find(g, op::scan)].operand_count == 2;
}
static_assert(stays_in_the_loop());

// A carry that never changes is a constant; its product leaves the loop with it.
constexpr graph idle_carry() {
  recorder r;
  handle xs = r.input(dtype::f32, {3, {7, 4, 4}}, {0, 0, false});
  handle h0 = r.input(dtype::f32, four_by_four, {1, 0, false});
  handle last = fold_steps(r, h0, xs, [&](handle h, handle) { return h; });
  handle y = last + last;
  r.finish({&y, 1});
  return std::move(r.result);
}
static_assert(count(optimise(idle_carry()), op::scan) == 0);
static_assert(optimise(idle_carry()).regions[0].parameter_count == 2); // inputs stay, used or not

// A product of an x of the inner loop with a weight of the program leaves both loops.
constexpr graph nested() {
  recorder r;
  handle w = r.input(dtype::f32, four_by_four, {0, 0, false});
  handle xs = r.input(dtype::f32, {4, {3, 7, 4, 4}}, {1, 0, false});
  handle h0 = r.input(dtype::f32, four_by_four, {2, 0, false});
  handle last = fold_steps(r, h0, xs, [&](handle outer, handle rows) {
    return fold_steps(r, outer, rows, [&](handle h, handle x) {
      return unary(op::tanh, h + product(x, unary(op::exp, w)));
    });
  });
  r.finish({&last, 1});
  return std::move(r.result);
}
constexpr bool leaves_both_loops() {
  graph after = optimise(nested());
  graph_view g = after;
  return !verify(g) && count(g, op::contract, 0) == 1 && count(g, op::contract) == 1 &&
         count(g, op::exp, 0) == 1 && g.shape(find(g, op::contract)) == extents{4, {3, 7, 4, 4}};
}
static_assert(leaves_both_loops());

// Every kind of per-step work that may feed a product of all steps: f(x) W, bit for bit.
using step_function = handle (*)(recorder&, handle x, handle w);
struct step_case {
  char const* name;
  step_function of;
};
constexpr step_case chains[] = {
    {"elementwise",
     [](recorder&, handle x, handle w) { return product(unary(op::exp, x) * x, w); }},
    {"with a constant",
     [](recorder&, handle x, handle w) { return product(x + unary(op::exp, w), w); }},
    {"with a number",
     [](recorder& r, handle x, handle w) { return product(x * like(r, 3, x), w); }},
    {"constant first", [](recorder&, handle x, handle w) { return product(w, x); }},
    {"transpose",
     [](recorder&, handle x, handle w) {
       extent const p[] = {1, 0};
       return product(transpose(x, {p, 2}), w);
     }},
    {"reverse", [](recorder&, handle x, handle w) { return product(reverse(x, 2), w); }},
    {"slice and concat",
     [](recorder&, handle x, handle w) {
       handle const both[] = {slice_axis(x, 0, 2, 2), slice_axis(w, 0, 0, 2)};
       return product(concat({both, 2}, 0), w);
     }},
    {"reshape",
     [](recorder&, handle x, handle w) {
       return product(reshape(reshape(x, {1, {16}}) * reshape(w, {1, {16}}), four_by_four), w);
     }},
    {"sum and broadcast",
     [](recorder&, handle x, handle w) {
       extent const rows[] = {0};
       return product(broadcast(reduce(op::reduce_sum, x, 2), four_by_four, {rows, 1}) - x, w);
     }},
    {"max over columns",
     [](recorder&, handle x, handle w) {
       extent const columns[] = {1};
       return product(broadcast(reduce(op::reduce_max, x, 1), four_by_four, {columns, 1}), w);
     }},
    {"product of a product",
     [](recorder&, handle x, handle w) { return product(product(x, x), w); }},
    {"bias and start",
     [](recorder&, handle x, handle w) {
       contraction c = matrix_product();
       c.has_start = c.has_bias = true;
       return contract(x, w, c, x.type(), unary(op::exp, w), x);
     }},
    {"lanes",
     [](recorder&, handle x, handle w) {
       contraction c = matrix_product();
       c.order = contract_order::lanes;
       return contract(x, w, c, x.type());
     }},
};
constexpr graph loop_over(step_function f, bool reversed, extent length) {
  recorder r;
  handle w = r.input(dtype::f32, four_by_four, {0, 0, false});
  handle xs = r.input(dtype::f32, {3, {length, 4, 4}}, {1, 0, false});
  handle h0 = r.input(dtype::f32, four_by_four, {2, 0, false});
  handle last = fold_steps(
      r, h0, xs, [&](handle h, handle x) { return h * h - f(r, x, w); }, reversed);
  r.finish({&last, 1});
  return std::move(r.result);
}
TEST(hoist, computes_chains_that_feed_a_product_for_all_steps_at_once) {
  for (step_case const& c : chains)
    for (int turn = 0; turn < 6; ++turn) {
      graph before = loop_over(c.of, turn % 2 == 1, turn / 2 == 2 ? 0 : 3),
            after = optimise(before);
      ASSERT_FALSE(verify(after)) << c.name;
      EXPECT_EQ(count(after, op::contract, 1), 0) << c.name;
      growing<dense> inputs = random_inputs(before, static_cast<std::uint64_t>(turn));
      EXPECT_TRUE(
          same_bits(0, after, test::meaning_of(after, inputs), test::meaning_of(before, inputs)))
          << c.name;
    }
}
// Not worth it: a product of two per-step values, and one that sums nothing (elementwise by then).
TEST(hoist, leaves_other_products_in_the_loop) {
  step_function per_step = [](recorder&, handle x, handle) { return product(x, x); };
  step_function no_sum = [](recorder&, handle x, handle w) {
    contraction c = matrix_product(); // ij,ij->ij
    c.b[0] = 0, c.b[1] = 1, c.out[1] = 1;
    return contract(x, w, c, x.type());
  };
  EXPECT_EQ(count(optimise(loop_over(per_step, false, 3)), op::contract, 1), 1);
  EXPECT_EQ(count(optimise(loop_over(no_sum, false, 3)), op::contract), 0);
  EXPECT_EQ(count(optimise(loop_over(no_sum, false, 3)), op::fma, 1), 1);
}
// The steps' label would be the start's alone, and a product has no such label.
TEST(hoist, leaves_products_of_constants_that_start_per_step) {
  step_function of_start = [](recorder&, handle x, handle w) {
    contraction c = matrix_product();
    c.has_start = true;
    return product(contract(w, w, c, x.type(), x), w);
  };
  graph const before = loop_over(of_start, false, 3), after = optimise(before);
  ASSERT_FALSE(verify(after));
  growing<dense> inputs = random_inputs(before, 5);
  EXPECT_TRUE(
      same_bits(0, after, test::meaning_of(after, inputs), test::meaning_of(before, inputs)));
}
// Eight axes leave no room for the steps: neither the product nor what feeds it leaves the loop.
TEST(hoist, leaves_eight_axes_in_the_loop) {
  static constexpr extents eight{8, {4, 1, 1, 1, 1, 1, 1, 4}};
  step_function of_eight = [](recorder&, handle x, handle w) {
    contraction c{.rank_a = 8, .rank_b = 2, .rank_out = 8};
    for (int i = 0; i < 8; ++i) c.a[i] = c.out[i] = i;
    c.b[0] = 7, c.b[1] = c.out[7] = 8;
    return reshape(contract(reshape(x, eight), w, c, x.type()), four_by_four);
  };
  step_function through_eight = [](recorder&, handle x, handle w) {
    extent const ends[] = {0, 7};
    handle wide = broadcast(x, {8, {4, 1, 1, 2, 1, 1, 1, 4}}, {ends, 2});
    return product(reduce(op::reduce_sum, wide, 0b1111110), w);
  };
  for (step_function f : {of_eight, through_eight}) {
    graph const before = loop_over(f, false, 3), after = optimise(before);
    ASSERT_FALSE(verify(before));
    ASSERT_FALSE(verify(after));
    EXPECT_EQ(count(after, op::contract, 1), 1);
    growing<dense> inputs = random_inputs(before, 3);
    EXPECT_TRUE(
        same_bits(0, after, test::meaning_of(after, inputs), test::meaning_of(before, inputs)));
  }
}

// inline_graph --------------------------------------------------------------------------------
// f(g(x)) with loops in g: the same nodes as recorded by hand, and sound.
constexpr bool is_recorded_again() {
  graph inner = recurrent();
  recorder r;
  growing<handle> arguments;
  for (int p : graph_view(inner).parameters_of(0))
    arguments.push(r.input(inner[p].type, inner.shape(p), {arguments.size(), 0, false}));
  growing<handle> y = inline_graph(r, inner, arguments);
  handle z = unary(op::tanh, y[0]);
  r.finish({&z, 1});
  graph_view g = r.result;
  return !verify(g) && g.size() == inner.size() + 1 && count(g, op::contract, 1) == 2 &&
         g.regions.size() == 2 && g.regions[1].parameter_count == 4;
}
static_assert(is_recorded_again());

TEST(optimise, steps_have_names_and_leave_sound_graphs) {
  for (graph g : {recurrent(), scaled_steps(), idle_carry(), nested()})
    for (optimise_step const& step : optimise_steps<>) {
      g = step.run(g);
      verify_error e = verify(g);
      EXPECT_FALSE(e) << step.name << ": " << name_of(e.broken) << " at " << e.node;
    }
}

} // namespace
