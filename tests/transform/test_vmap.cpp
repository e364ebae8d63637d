// SPDX-License-Identifier: BSL-1.0
// vmap of small graphs: what becomes of each form of node, and that orders of addition stay.
#include "pass/sample.hpp"
#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "transform/examples.hpp"

#include <weft/graph/handle_gather.hpp>
#include <weft/graph/verify.hpp>
#include <weft/transform/vmap.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;

constexpr bool is_sound(graph_view g) { return !verify(g); }
constexpr graph of_three(graph_view g) {
  bool const mapped[] = {true};
  return vmap(g, {mapped, 1}, 3);
}
constexpr extents output_shape(graph_view g) { return g.shape(g.outputs_of(0)[0]); }
constexpr extents three_of_four_by_four{3, {3, 4, 4}};

constexpr unary_function square_of = [](recorder&, handle x) { return product(x, x); };
constexpr unary_function row_sums = [](recorder&, handle x) {
  return reduce(op::reduce_sum, x, 2);
};
constexpr unary_function plus_places = [](recorder& r, handle x) {
  handle const places = iota(r, dtype::f32, four_by_four, 1);
  return x + places * places;
};
constexpr unary_function a_constant = [](recorder& r, handle) {
  return constant(r, 7, dtype::f32, four_by_four);
};

// Products keep the order that one example's has: chain, also where the examples leave a matrix
// times a matrix; lanes where each example is a dot product.
static_assert(is_sound(of_three(recorded(square_of))));
static_assert(output_shape(of_three(recorded(square_of))) == three_of_four_by_four);
constexpr contract_order order_of(graph_view g) {
  return contraction_of(g, find(g, op::contract)).order;
}
constexpr graph inner_products(bool mapped_too) {
  recorder r;
  handle const x = r.input(dtype::f32, {1, {70}}, {0, 0, false}),
               y = r.input(dtype::f32, {2, {70, 2}}, {1, 0, false});
  contraction c{.rank_a = 1, .rank_b = 2, .rank_out = 1};
  c.b[1] = c.out[0] = 1;
  c.order = order_for(c, x.shape(), y.shape());
  handle const z = contract(x, y, c, dtype::f32);
  r.finish({&z, 1});
  bool const mapped[] = {mapped_too, true};
  return vmap(r.result, {mapped, 2}, 5);
}
static_assert(order_of(inner_products(false)) == contract_order::lanes);
static_assert(order_of(inner_products(true)) == contract_order::lanes);
// Reduced axes are the same axes, one further.
static_assert(is_sound(of_three(recorded(row_sums))) &&
              output_shape(of_three(recorded(row_sums))) == extents{2, {3, 4}});
// What no example changes is computed once: the product of places is 4 x 4.
constexpr graph placed() { return of_three(recorded(plus_places)); }
constexpr extents shape_of_first(graph_view g, op code) { return g.shape(find(g, code)); }
static_assert(is_sound(placed()) && shape_of_first(placed(), op::mul) == four_by_four);
static_assert(shape_of_first(placed(), op::add) == three_of_four_by_four);
static_assert(output_shape(of_three(recorded(a_constant))) == three_of_four_by_four);
// A ninth axis.
constexpr graph of_rank_8() {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {2, 3}}, {0, 0, false});
  handle const y = reshape(x, {8, {2, 3, 1, 1, 1, 1, 1, 1}}), z = sum_all(-y);
  r.finish({&z, 1});
  return std::move(r.result);
}
static_assert(of_three(of_rank_8()).error == trace_error::mapped_nine_axes);
static_assert(output_shape(of_three(of_rank_8())) == extents{1, {3}});

// A carry that does not depend on the examples stays one number.
constexpr graph counted_sum() {
  recorder r;
  handle const x = r.input(dtype::f32, {1, {4}}, {0, 0, false});
  handle const start[] = {constant(r, 0, dtype::f32, {}), constant(r, 0, dtype::i32, {}), x};
  int const body = r.begin_body();
  handle const sum = r.parameter(dtype::f32, {}), count = r.parameter(dtype::i32, {}),
               element = r.parameter(dtype::f32, {});
  handle const next[] = {sum + element, count + constant(r, 1, dtype::i32, {})};
  r.end_body(body, {next, 2});
  loop const l{.carries = 2, .xs = 1, .length = 4};
  handle const s = r.emit(op::scan, dtype::f32, {}, {start, 3}, encode(l), body);
  r.set_owner(body, s.id);
  handle const out[] = {get(s, 0, dtype::f32, {}), get(s, 1, dtype::i32, {})};
  r.finish({out, 2});
  return std::move(r.result);
}
static_assert(is_sound(of_three(counted_sum())));
constexpr extents carry_shape(graph_view g, int k) { return g.shape(g.parameters_of(1)[k]); }
static_assert(carry_shape(of_three(counted_sum()), 0) == extents{1, {3}});
static_assert(carry_shape(of_three(counted_sum()), 1) == extents{});

// ---- windows that no gather takes: a name in another name

TEST(vmap, of_a_named_window_at_starts_that_differ) {
  extent const n = pack_name("n"), m = pack_name("m");
  for (bool update : {false, true}) {
    recorder r;
    handle const x = r.input(dtype::f32, {1, {n}}, {0, 0, false}),
                 window = r.input(dtype::f32, {1, {m}}, {1, 0, false}),
                 start = r.input(dtype::i32, {}, {2, 0, false});
    handle const y = update ? dynamic_update_slice(x, window, {&start, 1})
                            : dynamic_slice(x, {1, {m}}, {&start, 1}) + window;
    r.finish({&y, 1});
    ASSERT_FALSE(verify(r.result));
    random_source rng(3);
    growing<dense> inputs;
    inputs.push(random_dense(rng, dtype::f32, {2, {4, 7}}));
    inputs.push(random_dense(rng, dtype::f32, {1, {3}}));
    inputs.push(dense(dtype::i32, {1, {4}}));
    for (int e = 0; e < 4; ++e) inputs[2][e] = word_of(3 * e - 2);
    bool const mapped[] = {true, false, true};
    int const axes[] = {0, -1, 0};
    graph const all = vmap(r.result, {mapped, 3}, 4);
    ASSERT_FALSE(verify(all)) << print(all);
    EXPECT_TRUE(same_bits(0, all, meaning_of(all, inputs), looped(r.result, {axes, 3}, inputs, 4)));
  }
}

} // namespace
