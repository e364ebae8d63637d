// SPDX-License-Identifier: BSL-1.0
// Every derivative rule against difference quotients; order and types of contributions; constant
// evaluation under the compilers' default limits.
#include "grad_support.hpp"
#include "graph/dense_values.hpp"
#include "support/meaning.hpp"

using namespace grad_support;

namespace {

template <class F>
void check(growing<input_spec> const& inputs, F const& f, double tolerance = 3e-4) {
  expect_derivative(
      record(inputs, [&](recorder&, handles const& in) { return list<handle>({probe(f(in))}); }),
      tolerance);
}
handle shifted(handle x, double by) { return x + number_like(x, by); }

TEST(grad_rows, arithmetic) {
  auto const two = list<input_spec>({f32({3}), f32({3})});
  check(two, [](handles const& x) { return x[0] + x[1]; });
  check(two, [](handles const& x) { return x[0] - x[1]; });
  check(two, [](handles const& x) { return x[0] * x[1]; });
  check(two, [](handles const& x) { return x[0] / shifted(x[1], 3); });
  check(two, [](handles const& x) { return -x[0] * x[1]; });
  check(list<input_spec>({f32({3}), f32({3}), f32({3})}),
        [](handles const& x) { return emit(op::fma, dtype::f32, x[0].shape(), x); });
}
TEST(grad_rows, functions) {
  auto const one = list<input_spec>({f32({5})});
  check(one, [](handles const& x) { return unary(op::exp, x[0]); });
  check(one, [](handles const& x) { return unary(op::log, shifted(x[0], 3)); });
  check(one, [](handles const& x) { return unary(op::sqrt, shifted(x[0], 3)); });
  check(one, [](handles const& x) { return tanh(x[0]); });
  check(one, [](handles const& x) { return sigmoid(x[0]); });
  check(one, [](handles const& x) { return unary(op::abs, shifted(x[0], 3)); });
  check(one, [](handles const& x) { return unary(op::abs, shifted(x[0], -3)); });
  check(one, [](handles const& x) {
    return unary(op::stop_gradient, number_like(x[0], 2)) *
           convert(convert(x[0], dtype::f32), dtype::f32);
  });
}
TEST(grad_rows, choices) {
  auto const two = list<input_spec>({f32({4}), f32({4})});
  handle (*const alternating)(handle) = [](handle x) {
    return convert(iota(*x.where, dtype::i32, x.shape(), 0), dtype::f32) * number_like(x, 8) -
           number_like(x, 12);
  };
  check(two, [&](handles const& x) {
    return binary(op::maximum, dtype::f32, x[0], x[1] + alternating(x[1]));
  });
  check(two, [&](handles const& x) {
    return binary(op::minimum, dtype::f32, x[0], x[1] + alternating(x[1]));
  });
  check(two,
        [&](handles const& x) { return select(less(x[0], alternating(x[1])), x[0] * x[1], x[1]); });
}
TEST(grad_rows, equal_elements_share) {
  graph const g = record(list<input_spec>({f32({4})}), [](recorder&, handles const& x) {
    handle const twice = binary(op::maximum, dtype::f32, x[0], number_like(x[0], 2));
    return list<handle>({reduce(op::reduce_max, twice, 1)});
  });
  growing<dense> in = arbitrary(g);
  float const values[] = {2, 1, 3, 3};
  for (int i = 0; i < 4; ++i) set(in[0], i, values[i]);
  growing<dense> out = test::meaning_of(gradient(g, list<int>({0})), in);
  float const best[] = {0, 0, 0.5f, 0.5f};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(number(out[1], i), best[i]);
  for (int i = 0; i < 4; ++i) set(in[0], i, 2);
  out = test::meaning_of(gradient(g, list<int>({0})), in);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(number(out[1], i), 0.125f); // half of a quarter
}
TEST(grad_rows, movement) {
  auto const one = list<input_spec>({f32({2, 3})});
  auto list_of = [](std::initializer_list<extent> e) { return list<extent>(e); };
  check(one, [&](handles const& x) { return broadcast(x[0], dims({2, 4, 3}), list_of({0, 2})); });
  check(list<input_spec>({f32({1, 3})}), [&](handles const& x) {
    return broadcast(x[0], dims({2, 2, 3}), list_of({1, 2}));
  });
  check(one, [&](handles const& x) { return reshape(x[0], dims({3, 2})); });
  check(list<input_spec>({f32({2, 3, 4})}), [&](handles const& x) {
    return transpose(x[0], list_of({2, 0, 1}));
  });
  check(list<input_spec>({f32({7, 2})}), [&](handles const& x) {
    return slice(x[0], list_of({1, 0, 6, 2, 2, 1}));
  });
  check(one, [&](handles const& x) { return reverse(x[0], 2); });
  auto const padded = list<input_spec>({f32({3, 2}), f32({})});
  check(padded, [&](handles const& x) { return pad(x[0], x[1], list_of({1, 0, 2, 1, 1, 0})); });
  check(padded, [&](handles const& x) { return pad(x[0], x[1], list_of({-1, 0, 1, -1, 0, 0})); });
  check(padded, [&](handles const& x) { return pad(x[0], x[1], list_of({-1, 1, -1, 0, 1, 2})); });
  check(list<input_spec>({f32({2, 1}), f32({2, 3}), f32({2, 2})}),
        [&](handles const& x) { return concat(x, 1); });
}
TEST(grad_rows, dynamic_windows) {
  auto const inputs = list<input_spec>({f32({4, 3}), f32({2, 2}), i32({})});
  auto starts = [](handles const& x) {
    return list<handle>({constant(*x[0].where, 9, dtype::i32, {}), x[2]}); // 9 is clamped to 2
  };
  check(inputs, [&](handles const& x) { return dynamic_slice(x[0], dims({2, 2}), starts(x)); });
  check(inputs,
        [&](handles const& x) { return dynamic_update_slice(x[0], x[1] * x[1], starts(x)); });
}
TEST(grad_rows, reductions) {
  auto const one = list<input_spec>({f32({2, 3, 2})});
  check(one, [](handles const& x) { return reduce(op::reduce_sum, x[0], 5); });
  check(
      one, [](handles const& x) { return reduce(op::reduce_max, x[0] * number_like(x[0], 8), 2); },
      2e-3);
}
TEST(grad_rows, contractions) {
  check(list<input_spec>({f32({2, 3}), f32({3, 4})}),
        [](handles const& x) { return einsum("bi,ih->bh", x[0], x[1]); });
  check(list<input_spec>({f32({2, 3}), f32({3, 4}), f32({2, 4})}),
        [](handles const& x) { return einsum("bi,ih->bh", x[0], x[1], x[2]); });
  check(list<input_spec>({f32({2, 3}), f32({3, 1})}),
        [](handles const& x) { return einsum("bi,ih->bh", x[0], x[1]); });
  check(list<input_spec>({f32({3}), f32({3})}),
        [](handles const& x) { return einsum("i,i->", x[0], x[1]); });
  check(list<input_spec>({f32({2, 2, 3}), f32({2, 3, 2})}),
        [](handles const& x) { return einsum("bij,bjk->kbi", x[0], x[1]); });
  check(list<input_spec>({f32({3, 4}), f32({2, 2, 3})}),
        [](handles const& x) { return einsum("ih,tbi->bth", x[0], x[1]); });
  check(list<input_spec>({f32({3, 3})}), [](handles const& x) {
    return einsum("ij,jk->ik", x[0], einsum("ij,jk->ik", x[0], x[0]));
  });
}
TEST(grad_rows, second_derivatives) {
  graph const g = record(list<input_spec>({f32({3, 2}), f32({2, 3})}), [](recorder&,
                                                                          handles const& x) {
    return list<handle>(
        {probe(tanh(einsum("ij,jk->ik", x[0], x[1])) * sigmoid(einsum("ij,jk->ik", x[0], x[1])))});
  });
  expect_derivative(square_of_output(gradient(g, list<int>({0, 1})), 1), 2e-3);
}
TEST(grad_rows, start_operand) {
  check(list<input_spec>({f32({2, 3}), f32({3, 4}), f32({2, 4})}), [](handles const& x) {
    return contract(x[0], x[1], test::matrix_product(true), dtype::f32, x[2]);
  });
}

int count(graph_view g, op code) {
  int n = 0;
  for (node const& each : g.nodes) n += each.code == code;
  return n;
}

TEST(value_and_grad, zeros_where_the_value_does_not_depend) {
  graph const g = record(list<input_spec>({f32({2}), f32({3}), f32({2})}),
                         [](recorder&, handles const& x) {
                           handle const cut = unary(op::stop_gradient, x[2]);
                           return list<handle>({sum_all(x[0] * cut), x[1] * x[1]});
                         });
  growing<dense> const out = test::meaning_of(gradient(g, list<int>({2, 1, 0})), arbitrary(g));
  ASSERT_EQ(out.size(), 5);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(out[2][i], 0u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(out[3][i], 0u);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(out[4][i], arbitrary(g)[2][i]);
  EXPECT_EQ(value_and_grad(g, list<int>({1})).size(), g.size() + 1); // the zeros and nothing else
}
TEST(value_and_grad, captured_inputs_are_parameters_too) {
  recorder outer, inner(&outer);
  handle const captured = outer.input(dtype::f32, dims({3}), {0, 0, false});
  handle const declared = inner.input(dtype::f32, dims({3}), {0, 0, false});
  handle const v = sum_all(declared * captured);
  inner.finish({&v, 1});
  graph const d = value_and_grad(inner.result, list<int>({0, 1}));
  ASSERT_EQ(d.inputs.size(), 2);
  growing<dense> const in = arbitrary(d), out = test::meaning_of(d, in);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(out[1][i], in[1][i]);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(out[2][i], in[0][i]);
}

// Later consumers first, sums from the first one on, the chain's total last.
TEST(cotangent_order, sums_then_chain) {
  graph const g = record(
      list<input_spec>({f32({4, 4}), f32({4, 4}), f32({4, 4}), f32({4, 4}), f32({4, 4})}),
      [](recorder&, handles const& x) {
        handle v = sum_all(x[0] * x[1]);                  // last contribution of the sum
        v = v + sum_all(einsum("ij,jk->ik", x[0], x[2])); // second link
        v = v + sum_all(x[0] * x[3]);                     // first contribution of the sum
        v = v + sum_all(einsum("ij,jk->ik", x[0], x[4])); // first link
        return list<handle>({v});
      });
  graph const by_hand = record(
      list<input_spec>({f32({4, 4}), f32({4, 4}), f32({4, 4}), f32({4, 4}), f32({4, 4})}),
      [](recorder& r, handles const& x) {
        handle const one = constant(r, 1, dtype::f32, dims({4, 4}));
        contraction c{
            .rank_a = 2, .rank_b = 2, .rank_out = 2, .a = {0, 2}, .b = {1, 2}, .out = {0, 1}};
        handle const first = contract(one, x[4], c, dtype::f32);
        c.has_start = true;
        handle const chain = contract(one, x[2], c, dtype::f32, first);
        return list<handle>({(one * x[3] + one * x[1]) + chain});
      });
  growing<dense> const in = arbitrary(g);
  growing<dense> out = test::meaning_of(gradient(g, list<int>({0})), in);
  EXPECT_TRUE(view<word>(out[1].words) == view<word>(test::meaning_of(by_hand, in)[0].words));
}
// bf16: links but the last are float.
TEST(cotangent_order, chains_round_once) {
  auto bf = [](std::initializer_list<int> e) { return input_spec{dims(e), dtype::bf16}; };
  graph const g = record(
      list<input_spec>({bf({4, 4}), bf({4, 4}), bf({4, 4})}), [](recorder&, handles const& x) {
        handle const y = einsum("ij,jk->ik", x[1], x[0]) + einsum("ij,jk->ik", x[2], x[0]);
        return list<handle>({sum_all(convert(y, dtype::f32))});
      });
  graph const d = value_and_grad(g, list<int>({0}));
  int narrow = 0, wide = 0;
  for (int id = 0; id < d.size(); ++id)
    if (d[id].code == op::contract) (d[id].type == dtype::bf16 ? narrow : wide)++;
  EXPECT_EQ(narrow, 3); // the two of the forward pass, and the last link
  EXPECT_EQ(wide, 1);
  growing<dense> const in = arbitrary(g), out = test::meaning_of(d, in);
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 4; ++k) {
      float sum = 0;
      for (int x = 2; x >= 1; --x)
        for (int i = 0; i < 4; ++i) sum += number(in[x], 4 * i + j);
      EXPECT_EQ(number(out[1], 4 * j + k), float(bf16(sum)));
    }
}
TEST(cotangent_order, lanes_are_sums) {
  graph const g = record(
      list<input_spec>({f32({3, 1}), f32({2, 3}), f32({2, 3})}), [](recorder&, handles const& x) {
        return list<handle>(
            {sum_all(einsum("bi,io->bo", x[1], x[0]) * einsum("bi,io->bo", x[2], x[0]))});
      });
  graph const d = value_and_grad(g, list<int>({0}));
  for (int id = 0; id < d.size(); ++id)
    if (d[id].code == op::contract) {
      EXPECT_FALSE(contraction_of(d, id).has_start);
    }
  EXPECT_EQ(count(d, op::contract), 4);
}

// value = sum (a b + a), in constant evaluation.
constexpr float constant_gradient(int which) {
  recorder r;
  extents s;
  s.push(2);
  handle const a = r.input(dtype::f32, s, {0, 0, false}), b = r.input(dtype::f32, s, {1, 0, false});
  handle const v = sum_all(a * b + a);
  r.finish({&v, 1});
  int const wrt[] = {0, 1};
  graph const d = value_and_grad(r.result, {wrt, 2});
  growing<dense> in;
  for (int k = 0; k < 2; ++k) in.push(dense(dtype::f32, s, word_of(3.0f + static_cast<float>(k))));
  return element_of_word<float>(interpret(d, in)[which][1]);
}
static_assert(constant_gradient(1) == 5.0f && constant_gradient(2) == 3.0f);

// A chain of `turns` of four nodes, one of them a product, that uses one weight throughout.
constexpr graph chain_of(int turns) {
  recorder r;
  extents s;
  s.push(8);
  s.push(8);
  handle const w = r.input(dtype::f32, s, {0, 0, false});
  handle x = r.input(dtype::f32, s, {1, 0, false});
  contraction const c{
      .rank_a = 2, .rank_b = 2, .rank_out = 2, .a = {0, 1}, .b = {1, 2}, .out = {0, 2}};
  for (int i = 0; i < turns; ++i) x = unary(op::tanh, contract(x, w, c, dtype::f32) * w + x);
  handle const v = sum_all(x);
  r.finish({&v, 1});
  return std::move(r.result);
}
// 1003 nodes in one evaluation: within clang's 2^20 steps and g++'s operations.
constexpr graph_sizes chain_sizes = sizes_of(chain_of(250));
constexpr frozen<chain_sizes> long_chain = freeze<chain_sizes>(chain_of(250));
constexpr int gradient_size(graph_view g) {
  int const wrt[] = {0, 1};
  return value_and_grad(g, {wrt, 2}).size();
}
static_assert(chain_sizes.nodes == 1003 && gradient_size(long_chain) > 3000);

} // namespace
