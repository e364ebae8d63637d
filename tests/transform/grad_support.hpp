// SPDX-License-Identifier: BSL-1.0
// What the gradient tests share: recording from a lambda, arbitrary inputs, difference quotients,
// and loops recorded either as scan or step by step.
#pragma once

#include "support/meaning.hpp"

#include <weft/graph/interpret.hpp>
#include <weft/graph/verify.hpp>
#include <weft/pass/dce.hpp>
#include <weft/transform/grad.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

namespace grad_support {
using namespace weft;

using handles = growing<handle>;
template <class T> growing<T> list(std::initializer_list<T> items) {
  growing<T> r;
  for (T const& x : items) r.push(x);
  return r;
}
inline extents dims(std::initializer_list<int> e) {
  extents s;
  for (int x : e) s.push(x);
  return s;
}
struct input_spec {
  extents shape;
  dtype type = dtype::f32;
};
inline input_spec f32(std::initializer_list<int> e) { return {dims(e), dtype::f32}; }
inline input_spec i32(std::initializer_list<int> e) { return {dims(e), dtype::i32}; }

// F: (recorder&, handles const& inputs) -> handles outputs.
template <class F> graph record(growing<input_spec> const& inputs, F const& f) {
  recorder r;
  handles in;
  for (int i = 0; i < inputs.size(); ++i)
    in.push(r.input(inputs[i].type, inputs[i].shape, {i, 0, false}));
  handles const out = f(r, in);
  r.finish(out);
  return std::move(r.result);
}

inline float number(dense const& d, int i) {
  return d.type == dtype::bf16 ? float(bf16::from_bits(static_cast<std::uint16_t>(d[i])))
                               : element_of_word<float>(d[i]);
}
inline void set(dense& d, int i, float x) {
  d[i] = d.type == dtype::bf16 ? bf16(x).bits : word_of(x);
}
// Multiples of 1/64 in [-1, 1), scattered; integers 0, 1, 2, ….
inline growing<dense> arbitrary(graph_view g, std::uint32_t seed = 1) {
  growing<dense> r;
  for (int p : g.parameters_of(0)) {
    dense d(g[p].type, g.shape(p));
    for (int i = 0; i < d.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      float const x = static_cast<float>(static_cast<int>(seed >> 25) - 64) / 64.0f;
      if (is_float(d.type)) set(d, i, x + 1.0f / 256.0f);
      else d[i] = static_cast<std::uint32_t>(i);
    }
    r.push(std::move(d));
  }
  return r;
}
inline growing<int> float_parameters(graph_view g) {
  growing<int> r;
  for (int i = 0; i < g.parameters_of(0).size(); ++i)
    if (is_float(g[g.parameters_of(0)[i]].type)) r.push(i);
  return r;
}
// The transform's result, which must be sound, and what is left of it when dead nodes are gone.
inline graph gradient(graph_view g, view<int> wrt) {
  EXPECT_FALSE(verify(g)) << "the graph itself: node " << verify(g).node;
  graph const d = value_and_grad(g, wrt);
  EXPECT_FALSE(verify(d)) << "node " << verify(d).node;
  graph live = dce(d);
  EXPECT_FALSE(verify(live)) << "without dead nodes: node " << verify(live).node;
  return live;
}
// The same graph with one value: the sum of squares of one of its outputs.
inline graph square_of_output(graph g, int k) {
  int const y = graph_view(g).outputs_of(0)[k];
  node const like = g[y];
  int const twice[] = {y, y};
  int square = g.add({.code = op::mul, .type = like.type, .shape = like.shape}, {twice, 2}, {});
  extent const axes = (extent{1} << g.shape(y).rank) - 1;
  node const sum{.code = op::reduce_sum, .type = like.type, .shape = g.intern({})};
  if (axes != 0) square = g.add(sum, {&square, 1}, {&axes, 1});
  g.set_outputs(0, {&square, 1});
  return g;
}
inline double value_at(graph_view g, growing<dense> in, int k, int i, float by) {
  set(in[k], i, number(in[k], i) + by);
  return number(test::meaning_of(g, in)[0], 0);
}
// Every gradient against a fourth-order difference quotient in float: steps of 1/32 give about
// 1e-5 of truncation and 1e-5 of rounding on values of order one.
inline void expect_derivative(graph_view g, double tolerance = 3e-4, float h = 1.0f / 32) {
  growing<int> const wrt = float_parameters(g);
  graph const d = gradient(g, wrt);
  growing<dense> const in = arbitrary(g);
  growing<dense> const out = test::meaning_of(d, in), plain = test::meaning_of(g, in);
  int const ahead = plain.size();
  for (int i = 0; i < ahead; ++i)
    EXPECT_TRUE(view<word>(out[i].words) == view<word>(plain[i].words));
  ASSERT_EQ(out.size(), ahead + wrt.size());
  for (int k = 0; k < wrt.size(); ++k) {
    dense const& gradient = out[ahead + k];
    ASSERT_TRUE(gradient.shape == in[wrt[k]].shape);
    for (int i = 0; i < gradient.size(); ++i) {
      auto at = [&](float by) { return value_at(g, in, wrt[k], i, by); };
      double const quotient = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) /
                              (12 * static_cast<double>(h));
      EXPECT_NEAR(number(gradient, i), quotient, tolerance * (1 + std::fabs(quotient)))
          << "parameter " << wrt[k] << " element " << i;
    }
  }
}
// Equal bits; zeros of either sign are equal.
inline void expect_same(growing<dense> const& a, growing<dense> const& b) {
  ASSERT_EQ(a.size(), b.size());
  for (int k = 0; k < a.size(); ++k) {
    ASSERT_TRUE(a[k].shape == b[k].shape) << "output " << k;
    for (int i = 0; i < a[k].size(); ++i)
      EXPECT_TRUE(a[k][i] == b[k][i] || (number(a[k], i) == 0 && number(b[k], i) == 0))
          << "output " << k << " element " << i << ": " << number(a[k], i) << " and "
          << number(b[k], i);
  }
}

// A loop's step: (recorder&, carries, xs) -> {carries, ys}.
struct step_result {
  handles carries, ys;
};
struct loop_spec {
  int length = 0;
  bool reverse = false;
  bool unrolled = false;
};
template <class Step>
step_result unrolled(recorder& r, loop_spec const& how, handles carries, handles const& xs,
                     Step const& step) {
  growing<handles> stacks;
  for (int i = 0; i < how.length; ++i) {
    int const t = how.reverse ? how.length - 1 - i : i;
    handles slices;
    for (handle x : xs) slices.push(reshape(slice_axis(x, 0, t, 1), without_leading(x.shape())));
    step_result const done = step(r, carries, slices);
    carries = done.carries;
    stacks.push(done.ys);
  }
  step_result all{carries, {}};
  for (int k = 0; k < stacks[0].size(); ++k) {
    handles parts;
    for (int t = 0; t < how.length; ++t) {
      handle const y = stacks[how.reverse ? how.length - 1 - t : t][k];
      parts.push(reshape(y, with_leading(1, y.shape())));
    }
    all.ys.push(concat(parts, 0));
  }
  return all;
}
template <class Step>
step_result run_loop(recorder& r, loop_spec const& how, handles const& starts, handles const& xs,
                     Step const& step) {
  if (how.unrolled) return unrolled(r, how, starts, xs, step);
  handles operands = starts, carries, slices;
  operands.append(xs);
  int const body = r.begin_body();
  for (handle c : starts) carries.push(r.parameter(c.type(), c.shape()));
  for (handle x : xs) slices.push(r.parameter(x.type(), without_leading(x.shape())));
  step_result const done = step(r, carries, slices);
  handles outputs = done.carries;
  outputs.append(done.ys);
  growing<input_spec> results;
  for (int i = 0; i < outputs.size(); ++i)
    results.push(
        {i < starts.size() ? outputs[i].shape() : with_leading(how.length, outputs[i].shape()),
         outputs[i].type()});
  operands.append(r.end_body(body, outputs));
  loop const l{starts.size(), xs.size(), done.ys.size(), how.length, how.reverse};
  handle const node = r.emit(op::scan, dtype::f32, {}, operands, encode(l), body);
  r.set_owner(body, node.id);
  step_result all;
  for (int i = 0; i < outputs.size(); ++i)
    (i < starts.size() ? all.carries : all.ys)
        .push(get(node, i, results[i].type, results[i].shape));
  return all;
}

// einsum of two operands with one letter per axis: "bi,ih->bh".
inline handle einsum(char const* spec, handle a, handle b, handle bias = {}) {
  contraction c;
  char const* p = spec;
  for (; *p != ','; ++p) c.a[c.rank_a++] = *p - 'a';
  for (++p; *p != '-'; ++p) c.b[c.rank_b++] = *p - 'a';
  for (p += 2; *p != '\0'; ++p) c.out[c.rank_out++] = *p - 'a';
  c.order = order_for(c, a.shape(), b.shape());
  c.has_bias = bias.valid();
  return contract(a, b, c, a.type(), {}, bias);
}
inline handle tanh(handle x) { return unary(op::tanh, x); }
inline handle sigmoid(handle x) { return unary(op::sigmoid, x); }
inline handle number_like(handle x, double v) { return constant(*x.where, v, x.type(), x.shape()); }
// A value of rank 0 that makes every element's cotangent different: sum x (x + (i + 1) / 8).
inline handle probe(handle x) {
  if (!is_float(x.type())) return constant(*x.where, 0, dtype::f32, {});
  x = convert(x, dtype::f32);
  handle weight = number_like(x, 1);
  for (int axis = 0; axis < x.shape().rank; ++axis)
    weight = weight + convert(iota(*x.where, dtype::i32, x.shape(), axis), dtype::f32);
  return sum_all(x * (x + weight * number_like(x, 0.125)));
}
inline handle probe_all(step_result const& s) {
  handle v = probe(s.carries[0]);
  for (int i = 1; i < s.carries.size(); ++i) v = v + probe(s.carries[i]);
  for (handle y : s.ys) v = v + probe(y);
  return v;
}

} // namespace grad_support
