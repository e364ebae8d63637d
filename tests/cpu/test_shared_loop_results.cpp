// SPDX-License-Identifier: BSL-1.0
// build: alone
// Shared loops whose rows meet behind them, turn by turn (sums over a batch), where what these read is
// still there; what their values have for memory; and compiled programs, whose products are made for
// their forms.
#include "cpu/loop_case.hpp"

#include <weft/graph/handle_loop.hpp>
#include <weft/run/compiled.hpp>

namespace {

using namespace weft;
using namespace test;

// Sums over all rows follow turn by turn, if what they read is a y; nothing that a row reads does.
constexpr auto total_of_ys = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto [a, n] = state;
    auto next = tanh(a + x);
    auto both = concatenate<1>(next, x); // in memory: else next is computed where it is summed
    auto total = n * 0.5f + sum(both);
    return std::pair(std::pair(next, total), std::tuple(both, total, n));
  };
  return scan(body, std::pair(h, sum(h)), xs);
};
constexpr auto total_of_carries = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto [a, n] = state;
    return std::pair(std::pair(tanh(a + x), n + sum(a)), none);
  };
  return scan(body, std::pair(h, sum(h)), xs).first;
};
constexpr auto read_total = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto [a, n] = state;
    auto next = tanh(a + x) + n;
    return std::pair(std::pair(next, n * 0.5f + sum(next)), next);
  };
  return scan(body, std::pair(h, sum(h)), xs);
};
// What a carry was is gone; a y of it is a copy that rows make.
constexpr auto total_of_a_carry = [](auto h, auto xs, auto w) {
  auto body = [=](auto state, auto x) {
    auto [a, n] = state;
    auto next = tanh(tanh(einsum<"bi,io->bo">(a, w) + x));
    return std::pair(std::pair(next, n * 0.5f + sum(a)), a);
  };
  return scan(body, std::pair(h, sum(h)), xs);
};
constexpr auto ys_of_a_carry = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    return std::pair(tanh(state + x), std::tuple(state, flip<0>(state)));
  };
  return scan(body, h, xs);
};
constexpr auto from_a_total = [](auto h, auto xs, auto w) { // a product goes on from the rest's
  auto body = [=](auto state, auto x) {
    auto [a, n] = state;
    auto next = einsum<"bi,io->bo">(a, w) * 0.1f + n;
    return std::pair(std::pair(next, flip<0>(n)), std::pair(next, x));
  };
  return scan(body, std::pair(h, h * 0.5f), xs);
};
TEST(shared_loop_results, with_sums_over_all_rows_behind) {
  using matrix = tensor<float, hidden, hidden>;
  EXPECT_EQ((shared_in<program<total_of_a_carry, rows<13>, wide_sequence<13>, matrix>>()), 0);
  EXPECT_EQ((shared_in<program<ys_of_a_carry, rows<13>, wide_sequence<13>>>()), 0);
  EXPECT_EQ((shared_in<program<from_a_total, rows<13>, wide_sequence<13>, matrix>>()), 0);
  EXPECT_EQ((shared_in<program<total_of_ys, rows<13>, wide_sequence<13>>>()), 1);
  EXPECT_EQ((shared_in<program<total_of_carries, rows<13>, wide_sequence<13>>>()), 0);
  EXPECT_EQ((shared_in<program<read_total, rows<13>, wide_sequence<13>>>()), 0);
}

// By hand, without passes: a body of a carry (13, 13), what a turn brings (13, 13), a matrix.
template <class Build> graph loop_of_rows(int ys, growing<int> const& read, Build const& build) {
  recorder r;
  extents const shape = dims({13, 13});
  handle const h = r.input(dtype::f32, shape, {0, 0, false}),
               xs = r.input(dtype::f32, dims({steps, 13, 13}), {1, 0, false}),
               w = r.input(dtype::f32, shape, {2, 0, false});
  int const body = r.begin_body();
  handle const carry = r.parameter(dtype::f32, shape), x = r.parameter(dtype::f32, shape),
               matrix = r.parameter(dtype::f32, shape);
  growing<handle> const outs = build(carry, x, matrix);
  r.end_body(body, outs);
  handle operands[] = {h, xs, w};
  handle const s = r.emit(op::scan, dtype::f32, {}, {operands, 3},
                          encode(loop{1, 1, ys, steps, false}), body);
  r.set_owner(body, s.id);
  growing<handle> results;
  for (int k : read) {
    extents const each = outs[k].shape();
    results.push(get(s, k, dtype::f32, k == 0 ? each : with_leading(steps, each)));
  }
  r.finish(results);
  return std::move(r.result);
}
growing<int> numbers(std::initializer_list<int> all) {
  growing<int> g;
  for (int n : all) g.push(n);
  return g;
}
TEST(shared_loop_results, a_product_goes_on_from_its_own_row) {
  auto const from = [](auto const& start) {
    return loop_of_rows(1, numbers({0, 1}), [&](handle a, handle x, handle w) {
      handle const y = unary(op::tanh, a + x);
      growing<handle> outs;
      outs.push(unary(op::tanh, contract(y, w, matrix_product(true), dtype::f32, start(y, x))));
      outs.push(y);
      return outs;
    });
  };
  EXPECT_EQ(shared_in(from([](handle y, handle x) { return y * x; })), 1);
  EXPECT_EQ(shared_in(from([](handle, handle x) { return x; })), 1);
  EXPECT_EQ(shared_in(from([](handle y, handle) { // computed where rows meet
              return unary(op::neg, weft::reverse(y, 1));
            })),
            0);
}
// Rows that are columns of the product, which may be packed for all of them.
TEST(shared_loop_results, no_product_whose_columns_are_the_rows) {
  graph const g = loop_of_rows(1, numbers({0, 1}), [](handle a, handle x, handle w) {
    contraction const c{
        .rank_a = 3, .rank_b = 2, .rank_out = 3, .a = {0, 1, 3}, .b = {2, 3}, .out = {0, 2, 1}};
    extent const some[] = {0, 0, 13, 1, 1, 1}; // the first column of what a turn brings
    handle const both = contract(weft::reshape(w, dims({13, 13, 1})), slice(x, {some, 6}), c,
                                 dtype::f32);
    growing<handle> outs;
    outs.push(unary(op::tanh, a + reduce(op::reduce_sum, both, 2)));
    outs.push(outs[0]);
    return outs;
  });
  EXPECT_EQ(shared_in(g, true), 0);
}
TEST(shared_loop_results, sums_read_ys_that_somebody_gets) {
  auto const got = [](growing<int> const& read) {
    return loop_of_rows(2, read, [&](handle a, handle x, handle w) {
      handle const y = contract(a + x, w, matrix_product(), dtype::f32);
      growing<handle> outs;
      outs.push(y);
      outs.push(y);
      outs.push(reduce(op::reduce_sum, y, 1));
      return outs;
    });
  };
  EXPECT_EQ(shared_in(got(numbers({0, 1, 2})), true), 1);
  EXPECT_EQ(shared_in(got(numbers({0, 2})), true), 0);
}

// Values of a body that threads are at different steps of lie apart; so does its steps' scratch.
TEST(shared_loop_results, memory) {
  block_runner<cpu::native_target> const blocks(
      program<turns<of_many_widths>, rows<13>, wide_sequence<13>,
              tensor<float, hidden, hidden>>::make());
  cpu::engine const e(blocks.code(), {}, 3);
  graph_view const g = e.bound();
  struct bytes {
    extent first, last;
  };
  growing<bytes> all;
  for (int id = 0; id < g.size(); ++id)
    if (extent const at = e.memory().offset[id]; g[id].region == 1 && at >= 0)
      all.push({at, at + bytes_of(g, id)});
  for (int s = e.plan().first_step[1]; s < e.plan().first_step[2]; ++s) {
    step_memory const& m = e.memory().steps[s];
    if (m.scratch_bytes > 0) all.push({m.scratch, m.scratch + m.scratch_bytes});
  }
  EXPECT_GT(all.size(), 4);
  for (int i = 0; i < all.size(); ++i)
    for (int j = 0; j < i; ++j)
      EXPECT_TRUE(all[i].last <= all[j].first || all[j].last <= all[i].first);
}

// Products of at least 4,096 elements tell of them as they are finished.
constexpr auto tanh_layer = [](auto h, auto x, auto w) {
  return tanh(einsum<"bi,io->bo">(h, w) + x);
};
TEST(shared_loop_results, with_epilogues) {
  using state = tensor<float, 64, 96>;
  using layer =
      program<turns<tanh_layer>, state, tensor<float, steps, 64, 96>, tensor<float, 96, 96>>;
  EXPECT_EQ(shared_in<layer>(), 1);
  block_runner<cpu::native_target> const blocks(layer::make());
  cpu::engine const e(blocks.code(), {}, 3);
  int epilogues = 0;
  for (int s = e.plan().first_step[1]; s < e.plan().first_step[2]; ++s)
    epilogues += e.epilogues().of(s) != nullptr;
  EXPECT_EQ(epilogues, 1);
}

// Products that are made for their form, all of it: many small ones, a batch and a matrix's rows.
constexpr auto small_products = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto next = tanh(einsum<"bij,bjk->bik">(state, x));
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
constexpr auto small_rows = [](auto h, auto xs) {
  auto body = [](auto state, auto x) {
    auto next = tanh(einsum<"bgi,gio->bgo">(state, x));
    return std::pair(next, next);
  };
  return scan(body, h, xs).second;
};
auto const some = [](auto x, float by) {
  auto view = x.mutate();
  for (int i = 0; i < x.size(); ++i) view.data()[i] = by * static_cast<float>(i * 37 % 101 - 50);
  return x;
};
template <auto F, class State, class Steps> void expect_same() {
  compiled<F, policy::reproducible, State, Steps> alone(1), shared(3);
  cpu::pool three(3, 0);
  auto const h = some(State(), 0.01f);
  auto const xs = some(Steps(), 0.01f);
  auto const wanted = alone(h, xs);
  for (int again = 0; again < 5; ++again) EXPECT_TRUE(shared(three, h, xs) == wanted);
}
TEST(shared_loop_results, of_fixed_products) {
  expect_same<small_products, tensor<float, 16, 5, 5>, tensor<float, 4, 16, 5, 5>>();
  expect_same<small_rows, tensor<float, 16, 8, 5>, tensor<float, 4, 8, 5, 5>>();
  expect_same<plain_turns, tensor<float, 16, 5>, tensor<float, 4, 16, 5>>();
}

// A compiled program, run again and again, with held matrices.
template <int Batch, int Hidden> void expect_same_training() {
  using weights = gru_weights<tensor, in, Hidden>;
  using state = tensor<float, Batch, Hidden>;
  weights const p{some(tensor<float, 3 * Hidden, in>(), 0.002f),
                  some(tensor<float, 3 * Hidden, Hidden>(), 0.001f),
                  some(tensor<float, 3 * Hidden>(), 0.002f),
                  some(tensor<float, 3 * Hidden>(), 0.003f)};
  auto const h = some(state(), 0.02f);
  auto const xs = some(sequence<Batch>(), 0.02f);
  compiled<training, policy::reproducible, weights, state, sequence<Batch>> alone(1), shared(3);
  auto const wanted = alone(p, h, xs);
  cpu::pool three(3, 0);
  for (int again = 0; again < 20; ++again) {
    auto const& got = shared(three, p, h, xs);
    EXPECT_TRUE(std::get<2>(got) == std::get<2>(wanted));
    EXPECT_TRUE(std::get<4>(got) == std::get<4>(wanted));
    EXPECT_EQ(std::get<0>(got)(), std::get<0>(wanted)());
  }
}
TEST(shared_loop_results, compiled) {
  expect_same_training<24, hidden>();
  expect_same_training<64, 96>();
}

} // namespace
