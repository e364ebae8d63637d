// SPDX-License-Identifier: BSL-1.0
// build: alone
// JAX runs what weft exports: every elementwise op at every type over edge values, and random
// graphs. Skipped unless WEFT_JAX_PYTHON names a Python that has JAX.
// XLA on a CPU reads and writes subnormal numbers as zero: elements with one in them say nothing.
#include "conformance/edge_values.hpp"
#include "conformance/op_cases.hpp"
#include "jax_fixture.hpp"
#include "random/random_graph.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/print.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace test;

double value_of(word w, dtype d) {
  return weft::detail::with_dtype(d, [&]<dtype D>() -> double {
    auto const x = weft::element_of_word<weft::storage_of<D>>(w);
    if constexpr (weft::is_half(D)) return static_cast<double>(static_cast<float>(x));
    else return static_cast<double>(x);
  });
}
bool is_subnormal(word w, dtype d) {
  if (!weft::is_float(d)) return false;
  double const x = std::fabs(value_of(w, d));
  double const smallest = d == dtype::f64 ? 0x1p-1022 : d == dtype::f16 ? 0x1p-14 : 0x1p-126;
  return x > 0 && x <= smallest; // the smallest normal one is often a rounded subnormal
}

// ---- elementwise ops
// By how many places of the last digit XLA's own functions, and what is made of them, may miss
// weft's. negative: at their poles, zeros and ends these are other functions than weft's.
double most_places(op o, dtype d) {
  bool const f64 = d == dtype::f64;
  switch (o) {
    case op::lgamma:
    case op::digamma:
    case op::zeta:
    case op::polygamma: return -1;
    case op::sinh:
    case op::cosh: return f64 ? 500 : 32;
    case op::erfc: return 32;
    case op::exp:
    case op::expm1: return 8;
    case op::gelu: return f64 ? 80 : 2;
    case op::fma: return f64 ? 1 : 0;
    case op::mod_floor:
    case op::reciprocal: return 0;
    case op::floor_divide: return 2;
    default: return weft::info_of(o).ulp <= 0.5 ? 0 : 3;
  }
}
double places_between(word a, word b, dtype d) {
  double const x = value_of(a, d), y = value_of(b, d);
  bool const apart = std::isnan(x) || std::isnan(y) || std::isinf(x) || std::isinf(y) ||
                     std::signbit(x) != std::signbit(y);
  return apart ? INFINITY : static_cast<double>(a > b ? a - b : b - a);
}
// One program of all types of an op; its inputs.
weft::graph program_of(op o, growing<dense>& inputs) {
  weft::recorder r;
  growing<handle> outputs;
  weft::op_info const& info = weft::info_of(o);
  for (op_case const& c : every_case()) {
    if (c.code != o) continue;
    extent const base = static_cast<extent>(edges(c.from).size());
    extent const n = info.arity == 1 ? base : info.arity == 2 ? base * base : 4096;
    growing<handle> x;
    for (int k = 0; k < info.arity; ++k) {
      dtype const d = info.result == weft::type_rule::choose && k == 0 ? dtype::boolean : c.from;
      random_source rng(77 + static_cast<unsigned>(k));
      dense const values = info.arity <= 2 ? walk(d, n, k, base, 0)
                                           : random_dense(rng, d, {1, {n}});
      x.push(r.input(d, {1, {n}}, {inputs.size(), 0, false}));
      inputs.push(values);
    }
    handle const h = r.emit(o, c.to, {1, {n}}, x);
    if (!weft::has_several_results(o)) outputs.push(h);
    else
      for (int k = 0; k < 2; ++k) outputs.push(get(h, k, c.to, {1, {n}}));
  }
  r.finish(outputs);
  return r.result;
}
// The inputs that output k of such a program reads.
weft::growing<int> inputs_of(weft::graph_view g, int k) {
  int id = g.outputs_of(0)[k];
  if (g[id].code == op::get) id = g.operand(id, 0);
  weft::growing<int> all;
  for (int x : g.operands_of(id)) all.push(static_cast<int>(g.attribute(x, 0)));
  return all;
}
TEST_F(jax, computes_every_elementwise_op) {
  for (int i = 0; i < weft::op_count; ++i) {
    if (!weft::is_elementwise(static_cast<op>(i))) continue;
    growing<dense> inputs;
    weft::graph const g = program_of(static_cast<op>(i), inputs);
    add(weft::info_of(static_cast<op>(i)).name, g, inputs);
  }
  run();
  for (job const& j : jobs_) {
    weft::graph_view const g = j.program;
    growing<dense> const wanted = meaning_of(g, j.inputs), is = results(j, wanted);
    for (int k = 0; k < is.size(); ++k) {
      weft::growing<int> const from = inputs_of(g, k);
      dtype const in = j.inputs[from[from.size() - 1]].type, out = wanted[k].type;
      op const o = [&] {
        int const id = g.outputs_of(0)[k];
        return g[g[id].code == op::get ? g.operand(id, 0) : id].code;
      }();
      double const most = most_places(o, in);
      int wrong = 0;
      for (int i = 0; i < is[k].size() && most >= 0; ++i) {
        word const a = is[k][i], b = wanted[k][i];
        bool counts = !is_subnormal(a, out) && !is_subnormal(b, out);
        for (int x : from) counts = counts && !is_subnormal(j.inputs[x][i], j.inputs[x].type);
        // A NaN's sign decides there; docs/numerics.md promises nothing of it.
        if (o == op::floor_divide && weft::is_float(in))
          counts = counts && !std::isnan(value_of(j.inputs[from[0]][i], in));
        if (!counts || same_bits(a, b, out)) continue;
        if (weft::is_float(out) && places_between(a, b, out) <= most) continue;
        if (wrong++ == 0)
          ADD_FAILURE() << j.name << " of " << weft::name_of(in) << " at "
                        << print_bits(j.inputs[from[0]], i) << " is " << print_bits(is[k], i)
                        << ", not " << print_bits(wanted[k], i);
      }
      EXPECT_EQ(wrong, 0) << j.name << " of " << weft::name_of(in);
    }
  }
}

// ---- everything else: what is exact is the same bits
graph_options of_integers() {
  graph_options options;
  options.large = false;
  options.dtypes = 0;
  for (dtype d : {dtype::i32, dtype::u32, dtype::boolean, dtype::i8, dtype::i16, dtype::i64,
                  dtype::u8, dtype::u16, dtype::u64})
    options.dtypes |= 1u << static_cast<int>(d);
  return options;
}
TEST_F(jax, computes_random_graphs_of_integers) {
  graph_options const options = of_integers();
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    weft::graph const g = random_graph(seed, options);
    add(std::to_string(seed), g, random_inputs(g, seed));
  }
  run();
  for (job const& j : jobs_) {
    growing<dense> const wanted = meaning_of(j.program, j.inputs), is = results(j, wanted);
    if (is.empty() && !wanted.empty()) continue; // refused: a failure that is told
    EXPECT_TRUE(same_bits(is, wanted)) << "seed " << j.name << "\n" << weft::print(j.program);
  }
}
// Extents that only the run knows; what has no form with them is left out.
TEST_F(jax, computes_random_graphs_of_named_extents) {
  graph_options options = of_integers();
  options.named = true;
  options.nodes = 12;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    weft::graph const g = random_graph(seed, options);
    try {
      add(std::to_string(seed), g, random_inputs(g, seed));
    } catch (weft::usage_error const&) {
      ++refused;
    }
  }
  EXPECT_LT(refused, 30);
  run();
  for (job const& j : jobs_) {
    growing<dense> const wanted = meaning_of(j.program, j.inputs), is = results(j, wanted);
    if (is.empty() && !wanted.empty()) continue; // refused: a failure that is told
    EXPECT_TRUE(same_bits(is, wanted)) << "seed " << j.name << "\n" << weft::print(j.program);
  }
}
// Small whole numbers, whose sums and products are exact in any order; -0 counts as 0, since dots
// and convolutions may start from it.
TEST_F(jax, computes_random_graphs_of_small_floats) {
  auto options = graph_options::only({op::add,
                                      op::sub,
                                      op::neg,
                                      op::mul,
                                      op::maximum,
                                      op::minimum,
                                      op::select,
                                      op::less,
                                      op::iota,
                                      op::broadcast,
                                      op::reshape,
                                      op::transpose,
                                      op::slice,
                                      op::reverse,
                                      op::window,
                                      op::pad,
                                      op::concat,
                                      op::dynamic_slice,
                                      op::dynamic_update_slice,
                                      op::gather,
                                      op::scatter,
                                      op::overlap_add,
                                      op::arg_sort,
                                      op::reduce_sum,
                                      op::reduce_max,
                                      op::reduce_min,
                                      op::reduce_prod,
                                      op::arg_reduce,
                                      op::contract,
                                      op::convolve,
                                      op::scan,
                                      op::cond,
                                      op::while_loop,
                                      op::observe});
  options.large = false;
  options.nodes = 16;
  options.dtypes = 0;
  for (dtype d : {dtype::f32, dtype::f64, dtype::bf16, dtype::f16, dtype::boolean, dtype::i32})
    options.dtypes |= 1u << static_cast<int>(d);
  for (std::uint64_t seed = 5000; seed < 5200; ++seed) {
    weft::graph const g = random_graph(seed, options);
    growing<dense> inputs = random_inputs(g, seed);
    random_source rng(seed);
    for (dense& x : inputs)
      if (weft::is_float(x.type))
        for (word& w : x.words) w = static_cast<word>(weft::bits_of(rng.between(-2, 2), x.type));
    add(std::to_string(seed), g, inputs);
  }
  run();
  for (job const& j : jobs_) {
    growing<dense> const wanted = meaning_of(j.program, j.inputs), is = results(j, wanted);
    for (int k = 0; k < is.size(); ++k)
      for (int i = 0; i < is[k].size(); ++i) {
        dtype const d = wanted[k].type;
        bool const zeros = weft::is_float(d) && value_of(is[k][i], d) == 0 &&
                           value_of(wanted[k][i], d) == 0;
        ASSERT_TRUE(zeros || same_bits(is[k][i], wanted[k][i], d))
            << "seed " << j.name << " output " << k << ": " << print_bits(is[k], i) << ", not "
            << print_bits(wanted[k], i) << "\n"
            << weft::print(j.program);
      }
  }
}

} // namespace
