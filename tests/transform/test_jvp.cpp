// SPDX-License-Identifier: BSL-1.0
// build: alone
// jvp: values, loops against unrolled loops, and against vjp on random graphs.
#include "grad_support.hpp"
#include "random/random_graph.hpp"

#include <weft/graph/print.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/transform/jvp.hpp>

namespace {

using namespace grad_support;

// x -> x y + exp(y x) by both, at compile time; and a loop.
constexpr graph small() {
  recorder r;
  handle const x = r.input(dtype::f64, {}, {0, 0, false}),
               y = r.input(dtype::f64, {}, {1, 0, false});
  handle const both[] = {x * y - x / y, convert(less(x, y), dtype::i32)};
  r.finish({both, 2});
  return std::move(r.result);
}
constexpr double tangent_of_small(double x, double y, double dx, double dy) {
  int const wrt[] = {0, 1};
  growing<dense> in;
  for (double v : {x, y, dx, dy}) in.push(dense(dtype::f64, {}, word_of(v)));
  return element_of_word<double>(interpret(jvp(small(), {wrt, 2}), in)[2][0]);
}
static_assert(tangent_of_small(3, 2, 1, 0) == 1.5);
static_assert(tangent_of_small(3, 2, 0, 4) == 15);
static_assert(!verify(jvp(small(), {})));

// The transform's result, which must be sound.
graph pushed(graph_view g, view<int> wrt) {
  graph d = jvp(g, wrt);
  EXPECT_FALSE(verify(d)) << name_of(verify(d).broken) << " at node " << verify(d).node;
  return d;
}
growing<dense> joined(growing<dense> a, growing<dense> const& b) {
  a.append(b);
  return a;
}

// ---- loops: as one loop and as nodes, the same bits
step_result cell(recorder&, handles const& c, handles const& x) {
  handle const h = tanh(einsum("bh,hk->bk", c[0], einsum("hb,bk->hk", x[1], c[0])) + x[0]);
  handle const s = c[1] * sum_all(h) - number_like(c[1], 0.5);
  return {list({h, s}), list({h, reduce(op::reduce_max, h, 2)})};
}
graph looped(bool unrolled, bool reverse) {
  growing<input_spec> const in = list({f32({2, 3}), f32({}), f32({5, 2, 3}), f32({5, 3, 2})});
  return record(in, [&](recorder& r, handles const& x) {
    step_result const done = run_loop(r, {5, reverse, unrolled}, list({x[0], x[1]}),
                                      list({x[2], x[3]}), cell);
    handles out = done.carries;
    out.append(done.ys);
    return out;
  });
}
TEST(jvp, of_a_scan_has_the_bits_of_the_unrolled_loop) {
  for (bool reverse : {false, true})
    for (growing<int> const& wrt :
         {list({0}), list({1}), list({2}), list({3}), list({0, 1, 2, 3})}) {
      graph const loop = looped(false, reverse), plain = looped(true, reverse);
      growing<dense> in = arbitrary(loop), tangents;
      growing<dense> const more = arbitrary(loop, 7);
      for (int i : wrt) tangents.push(more[i]);
      in.append(tangents);
      growing<dense> const a = test::meaning_of(pushed(loop, wrt), in);
      growing<dense> const b = test::meaning_of(pushed(plain, wrt), in);
      ASSERT_EQ(a.size(), 8);
      for (int k = 0; k < 8; ++k) EXPECT_TRUE(a[k] == b[k]) << "output " << k;
    }
}

// ---- forward against reverse: u (J v) = (J^T u) v, for float64
double number_in(dense const& d, int i) { return element_of_word<double>(d[i]); }
growing<dense> tame_inputs(graph_view g, std::uint64_t seed, bool whole) {
  test::random_source rng(seed);
  growing<dense> all;
  for (int p : g.parameters_of(0)) {
    dense d(g[p].type, g.shape(p));
    for (word& w : d.words) {
      if (d.type != dtype::f64) w = test::random_word(rng, d.type, true);
      else w = word_of(whole ? rng.between(-3, 3) : rng.between(-2000000, 2000000) / 1048576.0);
    }
    all.push(std::move(d));
  }
  return all;
}
growing<dense> directions(graph_view g, view<int> ids, std::uint64_t seed) {
  test::random_source rng(seed);
  growing<dense> all;
  for (int id : ids) {
    if (g[id].type != dtype::f64) continue;
    dense d(dtype::f64, g.shape(id));
    for (word& w : d.words) w = word_of(static_cast<double>(rng.between(-4, 4)));
    all.push(std::move(d));
  }
  return all;
}
struct both_ways {
  double forward = 0, backward = 0, size = 0;
  bool usable = true;
};
void add_products(both_ways& to, double& sum, dense const& a, dense const& b) {
  for (int i = 0; i < a.size(); ++i) {
    double const term = number_in(a, i) * number_in(b, i);
    sum += term;
    to.size += std::fabs(term);
    if (!(std::fabs(term) < 0x1p48)) to.usable = false;
  }
}
both_ways compared(graph_view g, growing<dense> const& in, std::uint64_t seed) {
  growing<int> wrt;
  for (int i = 0; i < g.parameters_of(0).size(); ++i)
    if (g[g.parameters_of(0)[i]].type == dtype::f64) wrt.push(i);
  growing<dense> const v = directions(g, g.parameters_of(0), seed + 1);
  growing<dense> const u = directions(g, g.outputs_of(0), seed + 2);
  int const outputs = g.outputs_of(0).size();
  growing<dense> const fwd = test::meaning_of(pushed(g, wrt), joined(in, v));
  growing<dense> const bwd = test::meaning_of(vjp(g, wrt), joined(in, u));
  both_ways r;
  for (int k = 0; k < u.size(); ++k) add_products(r, r.forward, u[k], fwd[outputs + k]);
  for (int k = 0; k < v.size(); ++k) add_products(r, r.backward, v[k], bwd[outputs + k]);
  for (int k = 0; k < outputs; ++k) EXPECT_TRUE(fwd[k] == bwd[k]) << "value " << k;
  return r;
}
constexpr unsigned bit_of(dtype d) { return 1u << static_cast<int>(d); }
test::graph_options options_of(bool exact) {
  using O = test::graph_options;
  O o = exact ? O::only({op::add,       op::sub,           op::mul,
                         op::neg,       op::abs,           op::fma,
                         op::less,      op::select,        op::stop_gradient,
                         op::iota,      op::broadcast,     op::reshape,
                         op::transpose, op::slice,         op::reverse,
                         op::window,    op::overlap_add,   op::pad,
                         op::concat,    op::dynamic_slice, op::dynamic_update_slice,
                         op::gather,    op::reduce_sum,    op::contract,
                         op::cond,      op::scan,          op::arg_sort})
              : O{};
  o.ops.reset(static_cast<std::size_t>(op::while_loop)); // no reverse derivative
  o.dtypes = bit_of(dtype::f64) | bit_of(dtype::i32) | bit_of(dtype::boolean) | bit_of(dtype::u32);
  o.large = false;
  o.nodes = exact ? 24 : 14;
  return o;
}
// Whole numbers, and ops that keep them whole: both sums are exact, so they are equal.
TEST(jvp, equals_vjp_exactly_where_all_numbers_are_whole) {
  int compared_with = 0;
  for (std::uint64_t seed = 0; seed < 400 && !HasFailure(); ++seed) {
    graph const g = canonical(test::random_graph(seed, options_of(true)));
    both_ways const r = compared(g, tame_inputs(g, seed, true), seed);
    if (!r.usable || r.size == 0) continue;
    ++compared_with;
    EXPECT_EQ(r.forward, r.backward) << "seed " << seed << "\n" << print(g);
  }
  EXPECT_GT(compared_with, 40);
}
// Everything, with a bound on rounding: no path of 14 nodes loses more than 2^20 ulps of the terms.
TEST(jvp, equals_vjp_on_random_graphs_of_every_op) {
  int compared_with = 0;
  for (std::uint64_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
    graph const g = canonical(test::random_graph(seed, options_of(false)));
    both_ways const r = compared(g, tame_inputs(g, seed, false), seed);
    if (!r.usable || r.size == 0) continue;
    ++compared_with;
    EXPECT_LE(std::fabs(r.forward - r.backward), 0x1p-33 * r.size) << "seed " << seed << "\n"
                                                                   << print(g);
  }
  EXPECT_GT(compared_with, 40);
}

} // namespace
