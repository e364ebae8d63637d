// SPDX-License-Identifier: BSL-1.0
// build: alone
// Modules of every op: texts that mlir-opt reads; arguments' names; decompositions that mean what
// their op does.
#include "conformance/edge_values.hpp"
#include "conformance/op_cases.hpp"
#include "module_text.hpp"
#include "random/random_graph.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <weft/graph/print.hpp>

#include <gtest/gtest.h>

#include <bitset>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace {

namespace shlo = weft::stablehlo;
using namespace test;
using weft::extents;

bool contains(std::string const& text, char const* part) {
  return text.find(part) != std::string::npos;
}

// The node of an elementwise case over inputs of one shape.
weft::graph graph_of(op_case const& c, extents const& shape) {
  weft::recorder r;
  growing<handle> x, outputs;
  weft::op_info const& info = weft::info_of(c.code);
  for (int k = 0; k < info.arity; ++k) {
    bool const mask = info.result == weft::type_rule::choose && k == 0;
    x.push(r.input(mask ? dtype::boolean : c.from, shape, {k, 0, false}));
  }
  handle const h = r.emit(c.code, c.to, shape, x);
  if (!weft::has_several_results(c.code)) outputs.push(h);
  else
    for (int k = 0; k < 2; ++k) outputs.push(get(h, k, c.to, shape));
  r.finish(outputs);
  return r.result;
}

TEST(export_module, knows_every_elementwise_op_at_every_type) {
  for (op_case const& c : every_case()) {
    weft::graph const g = graph_of(c, {2, {2, 3}});
    std::string const text = exported(g);
    EXPECT_FALSE(contains(text, "\"\"(")) << weft::info_of(c.code).name; // no operation's name
    bool const own = shlo::detail::has_decomposition(c.code, c.from, c.to);
    EXPECT_EQ(contains(text, "stablehlo.composite"), own) << weft::info_of(c.code).name;
  }
}
TEST(export_module, of_random_graphs_meets_every_op) {
  std::bitset<static_cast<std::size_t>(weft::op_count)> seen;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    test::graph_options options;
    options.calls_host = true;
    weft::graph const g = random_graph(seed, options);
    std::vector<bool> const live = [&] {
      weft::growing<bool> const l = shlo::detail::live_nodes(g);
      return std::vector<bool>(l.begin(), l.end());
    }();
    shlo::module_ir const m = shlo::to_module(g);
    for (shlo::operation const& o : m.operations) ASSERT_NE(o.what, shlo::code::unknown);
    for (int id = 0; id < g.size(); ++id)
      if (live[static_cast<std::size_t>(id)]) seen.set(static_cast<std::size_t>(g[id].code));
  }
  EXPECT_TRUE(seen.all()) << seen;
}

constexpr int functions_of_an_export() {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {1, {4}}, {0, 0, false}), y = unary(op::gelu, x);
  r.finish({&y, 1});
  return shlo::to_module(r.result).functions.size();
}
static_assert(functions_of_an_export() == 2); // main, and what gelu is made of

// ---- the text
TEST(export_module, is_the_same_text_every_time) {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_EQ(exported(random_graph(seed)), exported(random_graph(seed)));
}
TEST(export_module, names_arguments_and_results) {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {1, {4}}, {0, 0, false});
  handle const w = r.input(dtype::f32, {1, {4}}, {1, 0, false});
  r.input(dtype::u32, {1, {2}}, {2, 0, true});
  handle const sum = x + w;
  r.finish({&sum, 1});
  shlo::export_names names{"step", {}, {}};
  names.arguments.push({});
  names.arguments.push({"params.w1", 0});
  names.results.push("loss");
  std::string const text = exported(r.result, names);
  EXPECT_TRUE(contains(text, "\"builtin.module\"() <{sym_name = \"step\"}>")) << text;
  EXPECT_TRUE(contains(text, "tf.aliasing_output = 0 : i32, weft.name = \"params.w1\"")) << text;
  EXPECT_TRUE(contains(text, "{weft.key = true}")) << text;
  EXPECT_TRUE(contains(text, "jax.result_info = \"loss\"")) << text;
  EXPECT_TRUE(contains(text, "mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32"));
}
TEST(export_module, writes_a_decomposition_once) {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {1, {4}}, {0, 0, false});
  handle const y = r.input(dtype::f32, {1, {5}}, {1, 0, false});
  handle const all[] = {unary(op::gelu, unary(op::gelu, x)), unary(op::gelu, y)};
  r.finish({all, 2});
  std::string const text = exported(r.result);
  auto const count = [&](std::string const& part) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(count("decomposition = @weft.gelu,"), 2) << text;
  EXPECT_EQ(count("decomposition = @weft.gelu_1,"), 1) << text;
  EXPECT_EQ(count("sym_name = \"weft.gelu\""), 1) << text;
  EXPECT_EQ(count("sym_name = \"weft.gelu_1\""), 1) << text;
}
TEST(export_module, leaves_out_what_nothing_reads) {
  weft::recorder r;
  handle const x = r.input(dtype::f32, {1, {4}}, {0, 0, false});
  unary(op::gelu, x);
  r.finish({&x, 1});
  EXPECT_FALSE(contains(exported(r.result), "gelu"));
}

TEST(export_module, divides_by_what_is_not_zero) {
  weft::recorder r;
  handle const x = r.input(dtype::i32, {1, {4}}, {0, 0, false});
  handle const all[] = {x / constant(r, 3, dtype::i32, {1, {4}}),
                        x / constant(r, 0, dtype::i32, {1, {4}})};
  r.finish({&all[0], 1});
  EXPECT_FALSE(contains(exported(r.result), "composite"));
  r.finish({&all[1], 1});
  EXPECT_TRUE(contains(exported(r.result), "name = \"weft.div\""));
}

bool has_mlir_opt() { return std::system("mlir-opt-19 --version > /dev/null 2>&1") == 0; }
TEST(export_module, is_read_by_mlir_opt) {
  if (!has_mlir_opt()) GTEST_SKIP() << "mlir-opt-19 is not installed";
  auto const folder = std::filesystem::temp_directory_path() /
                      ("weft_export_" + std::to_string(std::random_device{}()));
  std::filesystem::create_directories(folder);
  // One file, parts between dashes: the tool's start costs more than a module.
  {
    std::ofstream file(folder / "all.mlir");
    for (std::uint64_t seed = 0; seed < 400; ++seed)
      file << exported(random_graph(seed)) << "// -----\n";
  }
  std::string const command = "mlir-opt-19 --allow-unregistered-dialect --split-input-file " +
                              (folder / "all.mlir").string() + " > " + (folder / "out").string() +
                              " 2> " + (folder / "err").string();
  int const status = std::system(command.c_str());
  std::ifstream errors(folder / "err");
  std::string first;
  std::getline(errors, first);
  EXPECT_EQ(status, 0) << first;
  std::filesystem::remove_all(folder);
}

// ---- decompositions of elementwise ops, held against their op by the interpreter
double value_of(word w, dtype d) {
  return weft::detail::with_dtype(d, [&]<dtype D>() -> double {
    auto const x = weft::element_of_word<weft::storage_of<D>>(w);
    if constexpr (weft::is_half(D)) return static_cast<double>(static_cast<float>(x));
    else return static_cast<double>(x);
  });
}
// How many floats of the type lie between two of one sign.
double places_between(word a, word b, dtype d) {
  double const x = value_of(a, d), y = value_of(b, d);
  if (x == y) return std::signbit(x) == std::signbit(y) ? 0 : INFINITY;
  if (std::isnan(x) || std::isnan(y) || std::isinf(x) || std::isinf(y) ||
      std::signbit(x) != std::signbit(y))
    return INFINITY;
  return static_cast<double>(a > b ? a - b : b - a);
}
growing<dense> edge_inputs(op_case const& c) {
  int const arity = weft::info_of(c.code).arity;
  extent const base = static_cast<extent>(edges(c.from).size());
  extent const n = arity == 1 ? base : arity == 2 ? base * base : 20000;
  growing<dense> all;
  for (int k = 0; k < arity; ++k) {
    random_source rng(77 + static_cast<unsigned>(k));
    all.push(arity <= 2 ? walk(c.from, n, k, base, 0) : random_dense(rng, c.from, {1, {n}}));
  }
  if (arity > 2)
    for (int k = 0; k < arity; ++k)
      for (int i = k; i < n; i += 2)
        all[k][i] = edges(
            c.from)[static_cast<std::size_t>(i * (k + 7) / 3) % static_cast<std::size_t>(base)];
  return all;
}
// Both are within the bound of the exact value, so they differ by twice as much at most, and a
// rounding; f64 has no wider type to be computed in.
double most_places(op_case const& c) {
  double const bound = weft::info_of(c.code).ulp;
  if (c.code == op::gelu && c.from == dtype::f64) return 80;
  if (c.from == dtype::f64) return bound == 0 ? 0 : 2;
  return bound <= 0.5 ? 0 : 1;
}
// The sign of a NaN decides there: docs/numerics.md promises nothing of it.
bool is_promised(op_case const& c, weft::view<dense> x, int i) {
  return c.code != op::floor_divide || !std::isnan(value_of(x[0][i], c.from));
}
TEST(decompositions, mean_what_their_op_does) {
  int cases = 0;
  for (op_case const& c : every_case()) {
    if (!shlo::detail::has_decomposition(c.code, c.from, c.to)) continue;
    if (shlo::detail::is_written_plain(c.code)) continue;
    growing<dense> const x = edge_inputs(c);
    weft::graph const made =
        shlo::detail::elementwise_decomposition(c.code, x.size(), c.from, x[0].shape).made();
    growing<dense> const is = meaning_of(made, x), wanted = meaning_of(graph_of(c, x[0].shape), x);
    ++cases;
    for (int k = 0; k < wanted.size(); ++k)
      for (int i = 0; i < wanted[k].size(); ++i) {
        word const a = is[k][i], b = wanted[k][i];
        if (same_bits(a, b, c.to) || !is_promised(c, x, i)) continue;
        bool const near = weft::is_float(c.to) && places_between(a, b, c.to) <= most_places(c);
        ASSERT_TRUE(near) << weft::info_of(c.code).name << " of " << weft::name_of(c.from) << " "
                          << print_bits(x[0], i) << " is " << print_bits(is[k], i) << ", not "
                          << print_bits(wanted[k], i);
      }
  }
  EXPECT_GT(cases, 80);
}

} // namespace
