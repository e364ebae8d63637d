// SPDX-License-Identifier: BSL-1.0
// Gradients of loops: scan against the same steps written out, bit for bit; against difference
// quotients; against published values; and what the backward loop may contain.
#include "grad_support.hpp"
#include "support/meaning.hpp"

using namespace grad_support;

namespace {

// F: (recorder&, inputs, loop_spec) -> rank-0 value.
template <class F> graph record_loop(growing<input_spec> const& inputs, loop_spec how, F const& f) {
  return record(inputs,
                [&](recorder& r, handles const& in) { return list<handle>({f(r, in, how)}); });
}
template <class F>
void check(growing<input_spec> const& inputs, loop_spec how, F const& f, double tolerance = 3e-4,
           float h = 1.0f / 32) {
  graph const looped = record_loop(inputs, how, f);
  how.unrolled = true;
  graph const plain = record_loop(inputs, how, f);
  growing<int> const wrt = float_parameters(looped);
  growing<dense> const in = arbitrary(looped);
  expect_same(test::meaning_of(gradient(looped, wrt), in),
              test::meaning_of(gradient(plain, wrt), in));
  if (tolerance > 0) expect_derivative(looped, tolerance, h);
}

// x [t b i], h [b h], then weights; y is the carry itself.
constexpr int steps = 4;
auto const linear = [](recorder& r, handles const& in, loop_spec how) {
  return probe_all(run_loop(r, how, list<handle>({in[1]}), list<handle>({in[0]}),
                            [&](recorder&, handles const& c, handles const& x) {
                              handle const b = broadcast(in[4], c[0].shape(), list<extent>({1}));
                              handle const h = tanh(einsum("bi,ih->bh", x[0], in[2]) +
                                                    einsum("bh,hk->bk", c[0], in[3]) + b);
                              return step_result{list<handle>({h}), list<handle>({h})};
                            }));
};
growing<input_spec> linear_inputs() {
  return list<input_spec>({f32({steps, 2, 3}), f32({2, 4}), f32({3, 4}), f32({4, 4}), f32({4})});
}

TEST(scan_gradient, linear_layer_with_bias) { check(linear_inputs(), {steps}, linear); }
TEST(scan_gradient, reverse) { check(linear_inputs(), {steps, true}, linear); }
TEST(scan_gradient, one_step) {
  auto inputs = linear_inputs();
  inputs[0] = f32({1, 2, 3});
  check(inputs, {1}, linear);
}

// Reset before the product: h gets two sums per step, and a chain; every gate shares one weight.
auto const gru = [](recorder& r, handles const& in, loop_spec how) {
  return probe_all(run_loop(
      r, how, list<handle>({in[1]}), list<handle>({in[0]}),
      [&](recorder&, handles const& c, handles const& x) {
        handle const h = c[0], w = in[2], u = in[3];
        handle const reset = sigmoid(einsum("bi,ih->bh", x[0], w) + einsum("bh,hk->bk", h, u));
        handle const update = sigmoid(einsum("bi,ih->bh", x[0], in[4]) +
                                      einsum("bh,hk->bk", h, in[5]));
        handle const next = tanh(einsum("bi,ih->bh", x[0], w) + einsum("bh,hk->bk", reset * h, u));
        handle const out = (number_like(h, 1) - update) * next + update * h;
        return step_result{list<handle>({out}), list<handle>({out})};
      }));
};
growing<input_spec> gru_inputs() {
  return list<input_spec>(
      {f32({steps, 2, 3}), f32({2, 4}), f32({3, 4}), f32({4, 4}), f32({3, 4}), f32({4, 4})});
}
TEST(scan_gradient, gru_with_shared_weights) { check(gru_inputs(), {steps}, gru, 1e-3); }
TEST(scan_gradient, gru_reversed) { check(gru_inputs(), {steps, true}, gru, 0); }

TEST(scan_gradient, weight_used_around_the_loop) {
  auto const f = [](recorder& r, handles const& in, loop_spec how) {
    handle const before = einsum("bh,hk->bk", in[1], in[2]);
    step_result const s = run_loop(
        r, how, list<handle>({before}), list<handle>({in[0]}),
        [&](recorder&, handles const& c, handles const& x) {
          handle const h = tanh(einsum("bh,hk->bk", c[0], in[2]) + x[0]);
          return step_result{list<handle>({h}), list<handle>({h * x[0]})};
        });
    return probe(einsum("bh,hk->bk", s.carries[0], in[2])) + probe(s.ys[0]) + probe(in[2] * in[2]);
  };
  check(list<input_spec>({f32({steps, 2, 4}), f32({2, 4}), f32({4, 4})}), {steps}, f, 1e-3);
}
// Two links per step, so the chain is carried; the loop takes it over and hands it back.
TEST(scan_gradient, weight_used_twice_and_around) {
  auto const f = [](recorder& r, handles const& in, loop_spec how) {
    handle const before = einsum("bh,hk->bk", in[1], in[2]) + in[3];
    step_result const s = run_loop(
        r, how, list<handle>({before}), list<handle>({in[0]}),
        [&](recorder&, handles const& c, handles const& x) {
          handle const h = tanh(einsum("bh,hk->bk", tanh(einsum("bh,hk->bk", c[0], in[2])), in[2]));
          return step_result{list<handle>({h + x[0] * in[3]}), {}};
        });
    return probe(einsum("bh,hk->bk", s.carries[0] * in[3], in[2])) + probe(in[2] * in[2]);
  };
  check(list<input_spec>({f32({steps, 2, 4}), f32({2, 4}), f32({4, 4}), f32({2, 4})}), {steps}, f,
        1e-3, 1.0f / 128);
}
TEST(scan_gradient, second_derivative) {
  for (bool reverse : {false, true}) {
    graph const g = record_loop(linear_inputs(), {steps, reverse}, linear);
    graph const d = gradient(g, float_parameters(g));
    expect_derivative(square_of_output(d, 1 + 2), 3e-3, 1.0f / 64); // by everything, of d W
    expect_derivative(square_of_output(d, 1 + 4), 3e-3, 1.0f / 64); // of d b
  }
}
TEST(scan_gradient, elementwise_constants_and_windows) {
  auto const f = [](recorder& r, handles const& in, loop_spec how) {
    step_result const s = run_loop(
        r, how, list<handle>({in[1]}), list<handle>({in[0]}),
        [&](recorder&, handles const& c, handles const& x) {
          handle const h = c[0] * in[2] + x[0] * in[2] - c[0] * x[0];
          return step_result{list<handle>({h}), list<handle>({c[0], h * in[2], h})};
        });
    return probe_all(s);
  };
  check(list<input_spec>({f32({steps, 3}), f32({3}), f32({3})}), {steps}, f, 3e-3);
}
// A product of two constants: no factor varies, so the chain is carried.
TEST(scan_gradient, product_of_constants) {
  auto const f = [](recorder& r, handles const& in, loop_spec how) {
    return probe_all(run_loop(r, how, list<handle>({in[1]}), list<handle>({in[0]}),
                              [&](recorder&, handles const& c, handles const& x) {
                                handle const k = einsum("ij,jk->ik", in[2], in[3]);
                                return step_result{list<handle>({tanh(c[0] * k + x[0])}), {}};
                              }));
  };
  auto const inputs = list<input_spec>({f32({steps, 3, 3}), f32({3, 3}), f32({3, 2}), f32({2, 3})});
  check(inputs, {steps}, f, 1e-3);
  graph const d = value_and_grad(record_loop(inputs, {steps}, f), list<int>({2, 3}));
  for (extents const& s : d.shapes)
    EXPECT_FALSE(s == dims({steps, 3, 2}) || s == dims({steps, 2, 3}));
}
// Lanes: the weight has one column; its cotangents are sums.
TEST(scan_gradient, products_in_lanes) {
  auto const f = [](recorder& r, handles const& in, loop_spec how) {
    return probe_all(run_loop(
        r, how, list<handle>({in[1]}), list<handle>({in[0]}),
        [&](recorder&, handles const& c, handles const& x) {
          return step_result{list<handle>({tanh(einsum("bi,io->bo", x[0], in[2]) + c[0])}), {}};
        }));
  };
  check(list<input_spec>({f32({steps, 2, 3}), f32({2, 1}), f32({3, 1})}), {steps}, f);
}
// Carries that change places, one that counts, an unused y, no xs.
TEST(scan_gradient, several_carries) {
  auto const f = [](recorder& r, handles const& in, loop_spec how) {
    handle const zero = constant(r, 0, dtype::i32, {});
    step_result s = run_loop(
        r, how, list<handle>({in[0], in[1], zero}), {},
        [&](recorder& q, handles const& c, handles const&) {
          handle const count = broadcast(convert(c[2], dtype::f32), c[0].shape(), {});
          handle const h = tanh(c[0] * in[2] + c[1] + count * number_like(c[0], 0.25));
          handle const next = c[2] + constant(q, 1, dtype::i32, {});
          return step_result{list<handle>({h, c[0], next}), list<handle>({h * h, c[2], c[1]})};
        });
    return probe(s.carries[0]) + probe(s.carries[1]) + probe(s.ys[2]);
  };
  check(list<input_spec>({f32({3}), f32({3}), f32({3})}), {steps}, f, 1e-3);
}
TEST(scan_gradient, random_draws_are_repeated) {
  auto const f = [](recorder& r, handles const& in, loop_spec how) {
    handle const zero = constant(r, 0, dtype::u32, dims({6}));
    return probe_all(run_loop(
        r, how, list<handle>({in[1], zero}), list<handle>({in[0]}),
        [&](recorder& q, handles const& c, handles const& x) {
          handle const key = constant(q, 7, dtype::u32, dims({6})),
                       place = iota(q, dtype::u32, dims({6}), 0);
          handle const bits = get(emit(op::threefry2x32, dtype::u32, dims({6}),
                                       list<handle>({key, c[1], place, place})),
                                  0, dtype::u32, dims({6}));
          handle const keep = compare(op::less, bits,
                                      constant_bits(q, 0x80000000, dtype::u32, dims({6})));
          handle const h = select(keep, tanh(c[0] * x[0] + in[2]), number_like(c[0], 0));
          return step_result{list<handle>({h, c[1] + constant(q, 1, dtype::u32, dims({6}))}),
                             list<handle>({h})};
        }));
  };
  check(list<input_spec>({f32({steps, 6}), f32({6}), f32({6})}), {steps}, f);
}
// The inner loop runs over the same xs with the outer carry; one weight serves both.
auto const nested = [](recorder& r, handles const& in, loop_spec how) {
  return probe_all(
      run_loop(r, how, list<handle>({in[1]}), list<handle>({in[0]}),
               [&](recorder& q, handles const& c, handles const& x) {
                 step_result const inner = run_loop(
                     q, {3, false, how.unrolled}, list<handle>({c[0]}), list<handle>({x[0]}),
                     [&](recorder&, handles const& d, handles const& z) {
                       handle const h = tanh(einsum("bi,ij->bj", d[0], in[2]) + z[0]);
                       return step_result{list<handle>({h}), list<handle>({h * z[0]})};
                     });
                 handle const h = tanh(einsum("bi,ij->bj", inner.carries[0], in[3]));
                 return step_result{list<handle>({h}),
                                    list<handle>({reduce(op::reduce_sum, inner.ys[0], 1)})};
               }));
};
TEST(scan_gradient, nested) {
  check(list<input_spec>({f32({2, 3, 2, 3}), f32({2, 3}), f32({3, 3}), f32({3, 3})}), {2}, nested,
        1e-3);
  check(list<input_spec>({f32({2, 3, 2, 3}), f32({2, 3}), f32({3, 3}), f32({3, 3})}), {2, true},
        nested, 0);
}
TEST(scan_gradient, half_precision) {
  auto inputs = linear_inputs();
  for (input_spec& i : inputs) i.type = dtype::bf16;
  check(inputs, {steps}, linear, 0);
  auto more = gru_inputs();
  for (input_spec& i : more) i.type = dtype::bf16;
  check(more, {steps}, gru, 0);
}
TEST(scan_gradient, no_steps) {
  auto inputs = linear_inputs();
  inputs[0] = f32({0, 2, 3});
  graph const g = record(inputs, [](recorder& r, handles const& in) {
    step_result const s = run_loop(r, {0}, list<handle>({in[1]}), list<handle>({in[0]}),
                                   [&](recorder&, handles const& c, handles const& x) {
                                     handle const h = tanh(einsum("bi,ih->bh", x[0], in[2]) +
                                                           einsum("bh,hk->bk", c[0], in[3]));
                                     return step_result{list<handle>({h}), list<handle>({h})};
                                   });
    return list<handle>({sum_all(s.carries[0] * s.carries[0])});
  });
  growing<dense> const in = arbitrary(g),
                       out = test::meaning_of(gradient(g, list<int>({0, 1, 2, 3})), in);
  EXPECT_EQ(out[1].size(), 0);
  for (int i = 0; i < out[2].size(); ++i) EXPECT_EQ(number(out[2], i), 2 * number(in[1], i));
  for (int i = 0; i < out[3].size(); ++i) EXPECT_EQ(number(out[3], i), 0);
  for (int i = 0; i < out[4].size(); ++i) EXPECT_EQ(number(out[4], i), 0);
}
TEST(scan_gradient, named_length) {
  extent const t = pack_name("steps");
  auto inputs = gru_inputs();
  inputs[0].shape[0] = t;
  graph const named = record(inputs, [&](recorder& r, handles const& in) {
    handles operands = list<handle>({in[1], in[0]});
    int const body = r.begin_body();
    handle const c = r.parameter(dtype::f32, dims({2, 4})),
                 x = r.parameter(dtype::f32, dims({2, 3}));
    handle const h = tanh(einsum("bi,ih->bh", x, in[2]) + einsum("bh,hk->bk", c, in[3]) * c);
    operands.append(r.end_body(body, list<handle>({h})));
    handle const s = r.emit(op::scan, dtype::f32, {}, operands, encode(loop{1, 1, 0, t, false}),
                            body);
    r.set_owner(body, s.id);
    return list<handle>({probe(get(s, 0, dtype::f32, dims({2, 4})))});
  });
  growing<dense> in = arbitrary(
      record(gru_inputs(), [](recorder&, handles const& x) { return x; }));
  growing<dense> const some = test::meaning_of(gradient(named, float_parameters(named)), in);
  in[0] = dense(dtype::f32, dims({0, 2, 3}));
  growing<dense> const none = test::meaning_of(gradient(named, float_parameters(named)), in);
  EXPECT_EQ(some[1].size(), steps * 6);
  float weight = 0;
  for (int i = 0; i < 12; ++i) weight += std::fabs(number(some[3], i));
  EXPECT_GT(weight, 0);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(number(none[3], i), 0);
}

// Constants leave the loop as one contraction; nothing of their shape is stacked.
TEST(scan_gradient, constants_are_not_stacked) {
  graph const d = value_and_grad(record_loop(linear_inputs(), {steps}, linear),
                                 list<int>({2, 3, 4}));
  int outside = 0, loops = 0;
  for (int id = 0; id < d.size(); ++id) {
    loops += d[id].code == op::scan;
    if (d[id].code != op::contract) continue;
    contraction const c = contraction_of(d, id);
    outside += d[id].region == 0 && c.rank_a == 3 && c.rank_b == 3;
  }
  EXPECT_EQ(outside, 2);
  EXPECT_EQ(loops, 2);
  for (extents const& s : d.shapes)
    EXPECT_FALSE(s == dims({steps, 3, 4}) || s == dims({steps, 4, 4}));
}
// Integer carries and inactive values get no slots: the backward loop of a bias alone carries h
// and the bias.
TEST(scan_gradient, only_what_is_needed_is_carried) {
  graph const d = value_and_grad(record_loop(linear_inputs(), {steps}, linear), list<int>({4}));
  for (int id = 0; id < d.size(); ++id)
    if (d[id].code == op::scan && loop_of(d, id).reverse) {
      EXPECT_EQ(loop_of(d, id).carries, 3); // h's sum and chain, the bias's sum
    }
}

// facts: the functions, inputs and values of PyTorch/XLA's test_scan.py; loss = sum of all results.
void expect_values(dense const& d, std::initializer_list<double> values, double tolerance = 0) {
  ASSERT_EQ(d.size(), static_cast<int>(values.size()));
  int i = 0;
  for (double v : values) EXPECT_NEAR(number(d, i++), v, tolerance);
}
template <class Step>
growing<dense> published(Step const& step, std::initializer_list<float> start,
                         std::initializer_list<float> xs) {
  graph const g = record(
      list<input_spec>({f32({2}), f32({3, 2})}), [&](recorder& r, handles const& in) {
        step_result const s = run_loop(r, {3}, list<handle>({in[0]}), list<handle>({in[1]}), step);
        handle v = sum_all(s.carries[0]);
        for (handle y : s.ys) v = v + sum_all(y);
        return list<handle>({v});
      });
  growing<dense> in = arbitrary(g);
  int i = 0;
  for (float x : start) set(in[0], i++, x);
  i = 0;
  for (float x : xs) set(in[1], i++, x);
  return test::meaning_of(gradient(g, list<int>({0, 1})), in);
}
TEST(scan_gradient, published_values) {
  auto simple = published(
      [](recorder&, handles const& c, handles const& x) {
        return step_result{list<handle>({c[0] + x[0]}), list<handle>({c[0] + x[0]})};
      },
      {0, 0}, {1, 2, 3, 4, 5, 6});
  expect_values(simple[1], {4, 4});
  expect_values(simple[2], {4, 4, 3, 3, 2, 2});
  auto aliases = published(
      [](recorder&, handles const& c, handles const& x) {
        return step_result{list<handle>({c[0] + number_like(c[0], 1)}), list<handle>({x[0]})};
      },
      {0, 0}, {1, 2, 3, 4, 5, 6});
  expect_values(aliases[1], {1, 1});
  expect_values(aliases[2], {1, 1, 1, 1, 1, 1});
  auto product = published(
      [](recorder&, handles const& c, handles const& x) {
        handle const h = c[0] * x[0];
        return step_result{list<handle>({h}), list<handle>({h + x[0]})};
      },
      {1, 1}, {2, 3, 4, 5, 6, 7});
  expect_values(product[0], {48 + 105 + 4 + 6 + 12 + 20 + 54 + 112});
  expect_values(product[1], {106, 228});
  expect_values(product[2], {54, 77, 27, 46, 17, 31});
}

// A GRU's loss differentiates in constant evaluation.
constexpr int gru_size() {
  recorder r;
  auto matrix = [](int a, int b) {
    extents s;
    s.push(a);
    s.push(b);
    return s;
  };
  contraction const c{
      .rank_a = 2, .rank_b = 2, .rank_out = 2, .a = {0, 1}, .b = {1, 2}, .out = {0, 2}};
  handle const xs = r.input(dtype::f32, with_leading(32, matrix(8, 32)), {0, 0, false});
  handle const start = r.input(dtype::f32, matrix(8, 64), {1, 0, false});
  handle w[6];
  for (int i = 0; i < 6; ++i)
    w[i] = r.input(dtype::f32, matrix(i < 3 ? 32 : 64, 64), {2, i, false});
  growing<handle> operands;
  operands.push(start);
  operands.push(xs);
  int const body = r.begin_body();
  handle const h = r.parameter(dtype::f32, matrix(8, 64)),
               x = r.parameter(dtype::f32, matrix(8, 32));
  handle gates[2];
  for (int i = 0; i < 2; ++i)
    gates[i] = unary(op::sigmoid,
                     contract(x, w[i], c, dtype::f32) + contract(h, w[3 + i], c, dtype::f32));
  handle const next = unary(op::tanh, contract(x, w[2], c, dtype::f32) +
                                          contract(gates[0] * h, w[5], c, dtype::f32));
  handle const out = next + gates[1] * (h - next);
  operands.append(r.end_body(body, {&out, 1}));
  handle const s = r.emit(op::scan, dtype::f32, {}, operands, encode(loop{1, 1, 0, 32, false}),
                          body);
  r.set_owner(body, s.id);
  handle const v = sum_all(get(s, 0, dtype::f32, matrix(8, 64)));
  r.finish({&v, 1});
  int const wrt[] = {2, 3, 4, 5, 6, 7};
  return value_and_grad(r.result, {wrt, 6}).size();
}
static_assert(gru_size() > 100);

} // namespace
