// SPDX-License-Identifier: BSL-1.0
// build: alone
// The block executor has the interpreter's bits on 3,000 random graphs: as recorded and optimised,
// with names, on arrays larger than a block, at another width, on two threads. What the graphs
// meet is counted: every op at every type, every form of loop and reduction.
#include "random_graph.hpp"
#include "run_blocks.hpp"
#include "same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/cpu/pool.hpp>

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace {

using namespace test;
using weft::cpu::native_target;

// What reached a kernel.
struct reached {
  std::set<std::tuple<op, dtype, dtype>> computed; // op, operand's type, result's
  std::set<std::tuple<weft::loop_form, op, dtype>> reduced;
  std::set<std::pair<dtype, weft::inner_stride>> loaded;
  std::set<dtype> iotas;
  std::set<std::tuple<dtype, dtype, dtype>> products; // operands', result's, bias's
  std::set<std::pair<op, dtype>> moved, ordered;
  int kernels = 0;

  void add(weft::cpu::program_code const& code) {
    kernels += code.code.kernels.size();
    for (weft::kernel const& k : code.code.kernels) {
      for (weft::instruction const& i : code.code.instructions_of(k))
        add(i, code.code.places_of(k));
      for (weft::output const& o : code.code.outputs_of(k))
        reduced.insert({k.form, o.reduction, o.type});
    }
    graph_view const g = code.graph;
    for (weft::schedule_step const& s : code.plan.steps) {
      if (s.kind == weft::step_kind::move) {
        moved.insert({g[s.node].code, g[s.node].type});
        ordered.insert({g[s.node].code, g[g.operand(s.node, 0)].type});
      }
      if (s.kind != weft::step_kind::contraction) continue;
      bool const biased = weft::contraction_of(g, s.node).has_bias;
      dtype const bias = biased ? g[g.operands_of(s.node).back()].type : g[s.node].type;
      products.insert({g[g.operand(s.node, 0)].type, g[s.node].type, bias});
    }
  }
  void add(weft::instruction const& i, weft::view<weft::place> places) {
    if (i.kind == weft::instruction_kind::compute) computed.insert({i.code, i.from, i.type});
    if (i.kind == weft::instruction_kind::load) loaded.insert({i.type, places[i.place].inner});
    if (i.kind == weft::instruction_kind::affine) iotas.insert(i.type);
  }
};

// Every type that the op takes: f(type).
template <class F> void for_types_of(op code, F const& f) {
  for (int d = 0; d < weft::dtype_count; ++d)
    if (dtype const t = static_cast<dtype>(d); weft::accepts(weft::info_of(code).accepts, t)) f(t);
}
void expect_everything(reached const& r) {
  using enum dtype;
  auto expect = [](bool met, op code, dtype d, auto const& detail) {
    EXPECT_TRUE(met) << weft::name_of(code) << ' ' << weft::name_of(d) << ' ' << detail;
  };
  for (int o = 0; o < weft::op_count; ++o) {
    op const code = static_cast<op>(o);
    if (!weft::is_elementwise(code) || code == op::stop_gradient)
      continue; // which is no instruction
    for_types_of(code, [&](dtype from) {
      bool met = false;
      for_types_of(op::stop_gradient, [&](dtype to) {
        met |= r.computed.contains({code, from, to});
      });
      bool const result_exists = weft::info_of(code).result != weft::type_rule::words;
      expect(met || (!result_exists && from != u32), code, from, "");
    });
  }
  for (op code : {op::reduce_sum, op::reduce_max, op::reduce_min, op::reduce_prod})
    for (auto form : {weft::loop_form::rows, weft::loop_form::columns})
      for_types_of(code, [&](dtype d) {
        expect(r.reduced.contains({form, code, d}), code, d, static_cast<int>(form));
      });
  for (op code :
       {op::pad, op::concat, op::dynamic_slice, op::dynamic_update_slice, op::reshape, op::gather})
    for (dtype d : {boolean, bf16, f32, f64}) { // a type is its size
      bool met = false;
      for_types_of(code, [&](dtype t) {
        met |= weft::size_of(t) == weft::size_of(d) && r.moved.contains({code, t});
      });
      expect(met, code, d, "moved");
    }
  for (op code : {op::scatter, op::overlap_add})
    for_types_of(code, [&](dtype d) { expect(r.moved.contains({code, d}), code, d, "moved"); });
  for (op code : {op::arg_sort, op::arg_reduce}) // by the type of the first key
    for_types_of(code, [&](dtype d) { expect(r.ordered.contains({code, d}), code, d, "ordered"); });
  for (auto stride : {weft::inner_stride::zero, weft::inner_stride::unit, weft::inner_stride::any})
    for_types_of(op::parameter, [&](dtype d) {
      expect(r.loaded.contains({d, stride}), op::parameter, d, static_cast<int>(stride));
    });
  for_types_of(op::iota, [&](dtype d) { expect(r.iotas.contains(d), op::iota, d, ""); });
  for_types_of(op::contract, [&](dtype d) {
    expect(r.products.contains({d, d, d}), op::contract, d, "");
  });
  for (dtype half : {bf16, f16})
    for (dtype out : {half, f32})
      for (dtype bias : {half, f32})
        expect(r.products.contains({half, out, bias}), op::contract, out, weft::name_of(bias));
}

// The program's own threads, and how often it asked for them.
struct counted_pool {
  weft::cpu::pool pool{2, 0};
  int shared = 0;
  int threads() const { return pool.threads(); }
  weft::extent least_work() const { return 0; }
  template <class Function> void parallel_for(int tasks, Function&& f) {
    shared += tasks > 1;
    pool.parallel_for(tasks, f);
  }
};

template <class Target, class Executor>
void expect_meaning(std::uint64_t seed, graph_view g, bool ready, weft::view<dense> inputs,
                    weft::view<dense> meant, Executor& on, reached& seen) {
  block_runner<Target> const blocks(g, ready);
  seen.add(blocks.code());
  ASSERT_TRUE(same_bits(seed, blocks.code().graph, blocks.run(inputs, on), meant))
      << (ready ? "as recorded" : "optimised") << ", lanes " << Target::lanes << ", threads "
      << on.threads();
}

// A few types, so that their values meet; int32 for indices and bool for choices among them.
unsigned some_types(std::uint64_t seed) {
  random_source rng(seed);
  unsigned types = 1u << static_cast<int>(dtype::i32) | 1u << static_cast<int>(dtype::boolean);
  if (seed % 2 == 0) types |= 1u << static_cast<int>(dtype::f32);
  for (int i = 0; i < 3; ++i) types |= 1u << rng.below(weft::dtype_count);
  return types;
}
graph_options options_for(std::uint64_t seed) {
  graph_options options;
  if (seed % 8 == 0) // what strides cannot express
    options = graph_options::only({op::broadcast, op::reshape, op::transpose, op::slice,
                                   op::reverse, op::window, op::overlap_add, op::pad, op::concat,
                                   op::dynamic_slice, op::dynamic_update_slice, op::constant});
  options.calls_host = seed % 2 == 0;
  options.dtypes = some_types(seed);
  options.named = seed % 4 == 3;
  options.nodes = seed % 3 == 0 ? 60 : 30;
  options.outputs = seed % 2 == 0 ? 4 : 16;
  return options;
}

TEST(block, is_the_interpreter_on_random_graphs) {
  reached seen;
  counted_pool two;
  weft::cpu::serial one;
  for (std::uint64_t seed = 10000; seed < 16000 && !HasFatalFailure(); ++seed) {
    weft::graph const g = random_graph(seed, options_for(seed));
    growing<dense> const inputs = random_inputs(g, seed), meant = test::meaning_of(g, inputs);
    expect_meaning<native_target>(seed, g, false, inputs, meant, one, seen);
    expect_meaning<native_target>(seed, g, true, inputs, meant, one, seen);
    if (seed % 10 == 0)
      expect_meaning<narrow_target>(seed, g, seed % 20 == 0, inputs, meant, one, seen);
    if (seed % 7 == 0)
      expect_meaning<native_target>(seed, g, seed % 2 == 0, inputs, meant, two, seen);
  }
  expect_everything(seen);
  EXPECT_GT(seen.kernels, 20000);
}

// Several blocks, strips and their tails; sums of several blocks of 16384; work for two threads.
TEST(block, is_the_interpreter_on_larger_arrays) {
  reached seen;
  counted_pool two;
  weft::cpu::serial one;
  int long_sums = 0;
  for (std::uint64_t seed = 20000; seed < 20600 && !HasFatalFailure(); ++seed) {
    graph_options options;
    options.wide = true;
    options.dtypes = some_types(seed);
    options.outputs = 8;
    weft::graph const g = random_graph(seed, options);
    for (int id = 0; id < g.size(); ++id)
      if (weft::graph_view const v = g;
          v[id].code == op::reduce_sum || v[id].code == op::reduce_prod)
        long_sums += weft::count_of(v.shape(v.operand(id, 0))) >
                     16384 * weft::count_of(v.shape(id));
    growing<dense> const inputs = random_inputs(g, seed), meant = test::meaning_of(g, inputs);
    expect_meaning<native_target>(seed, g, false, inputs, meant, two, seen);
    expect_meaning<native_target>(seed, g, true, inputs, meant, one, seen);
    if (seed % 3 == 0) expect_meaning<narrow_target>(seed, g, true, inputs, meant, two, seen);
  }
  EXPECT_GT(two.shared, 100);
  EXPECT_GT(long_sums, 5);
}

} // namespace
