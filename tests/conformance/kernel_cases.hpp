// SPDX-License-Identifier: BSL-1.0
// Compiled kernels of the table's ops, several cases to a program, which pays its fixed cost
// once:
//   elementwise_part<D, First, Last>   elementwise ops over type D, all operands arrays of n
//   structural_part<D, Named, First, Last>   the other ops, over matrices, each in two forms
// expect_meaning<Maker>(names...)      runs one against the interpreter.
#pragma once

#include "conformance/edge_values.hpp"
#include "conformance/op_writer.hpp"
#include "conformance/run_compiled.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"

#include <gtest/gtest.h>

namespace test {

struct op_case {
  op code;
  dtype to;                    // of elementwise ops
  int turn;                    // of others
  char const* after = nullptr; // what made its operand
};
// A part of a program's outputs, and the case that it comes from.
struct written_cases {
  weft::graph result;
  growing<op_case> of_output;
};

constexpr growing<op_case> elementwise_cases(dtype d) {
  growing<op_case> all;
  for (int o = 0; o < weft::op_count; ++o)
    for (int to = 0; to < weft::dtype_count; ++to) {
      op_case const c{static_cast<op>(o), static_cast<dtype>(to), 0};
      if (weft::is_elementwise(c.code) && weft::is_typed(c.code, d, c.to)) all.push(c);
    }
  return all;
}

// Operands are shared, so ops of one part become one loop where they may. Of a name and of a number,
// whose kernels are the same ones; each has the inputs condition, x, y, z, w.
inline constexpr int elementwise_inputs = 5;
template <dtype D, int First, int Last> struct elementwise_part {
  static constexpr extent number = 67; // whole packs and a rest, at every width
  static constexpr written_cases write() {
    weft::recorder r;
    written_cases w;
    growing<handle> outputs;
    write({1, {weft::pack_name("n")}}, 0, r, w, outputs);
    write({1, {number}}, elementwise_inputs, r, w, outputs);
    r.finish(outputs);
    w.result = std::move(r.result);
    return w;
  }
  static constexpr weft::graph make() { return write().result; }
  static constexpr int count = elementwise_cases(D).size();

private:
  static constexpr void write(extents const& shape, int input, weft::recorder& r, written_cases& w,
                              growing<handle>& outputs) {
    growing<handle> x;
    handle const condition = r.input(dtype::boolean, shape, {input, 0, false});
    for (int k = 1; k < elementwise_inputs; ++k) x.push(r.input(D, shape, {input + k, 0, false}));
    growing<op_case> const all = elementwise_cases(D);
    for (int i = First; i < Last && i < all.size(); ++i) {
      weft::op_info const& info = weft::info_of(all[i].code);
      growing<handle> operands;
      for (int k = 0; k < info.arity; ++k)
        operands.push(info.result != weft::type_rule::choose ? x[k]
                      : k == 0                               ? condition
                                                             : x[k - 1]);
      handle const h = r.emit(all[i].code, all[i].to, shape, operands);
      bool const several = weft::has_several_results(all[i].code);
      for (int k = 0; k < (several ? 2 : 1); ++k) {
        outputs.push(several ? weft::get(h, k, all[i].to, shape) : h);
        w.of_output.push(all[i]);
      }
    }
  }
};

inline constexpr int forms_of_each = 3;
constexpr growing<op_case> structural_cases(dtype d) {
  growing<op_case> all;
  for (int o = 0; o < weft::op_count; ++o) {
    op const code = static_cast<op>(o);
    if (weft::is_elementwise(code) || code == op::parameter || code == op::get) continue;
    if (!weft::accepts(weft::info_of(code).accepts, d)) continue;
    for (int k = 0; k < forms_of_each; ++k) all.push({code, d, o + k});
  }
  return all;
}
template <dtype D, bool Named, int First, int Last> struct structural_part {
  static constexpr written_cases write() {
    op_writer out;
    written_cases w;
    growing<handle> outputs;
    growing<op_case> const all = structural_cases(D);
    extents const shape{2, {Named ? weft::pack_name("n") : 5, 9}};
    out.input(D, {1, {shape[0]}});
    for (int i = First; i < Last && i < all.size(); ++i)
      for (handle h : out.made_by(all[i].code, D, shape, all[i].turn)) {
        outputs.push(h);
        w.of_output.push(all[i]);
      }
    out.r.finish(outputs);
    w.result = std::move(out.r.result);
    return w;
  }
  static constexpr weft::graph make() { return write().result; }
  static constexpr int count = structural_cases(D).size();
};

// Lists walk through edge values so that pairs of them meet; other arrays are random, with edges.
inline growing<dense> edge_inputs(graph_view g, extent n, extent offset) {
  growing<weft::binding> names;
  names.push({weft::pack_name("n"), n});
  weft::detail::bind_results(g, names);
  random_source rng(static_cast<std::uint64_t>(131 * n + offset));
  growing<dense> inputs;
  for (int id : g.parameters_of(0)) {
    extents const shape = weft::detail::bound(g.shape(id), names);
    dtype const d = g[id].type;
    auto const base = static_cast<extent>(edges(d).size());
    int const place = inputs.size() % elementwise_inputs, digit = place == 0 ? 0 : (place - 1) % 3;
    inputs.push(shape.rank == 1 ? walk(d, shape[0], digit, base, offset)
                                : random_dense(rng, d, shape));
  }
  return inputs;
}

// The operands at the first element that differs, where all are of the result's shape.
inline std::string operands_at(weft::view<dense> inputs, dense const& result, int at) {
  std::string text;
  for (dense const& x : inputs)
    if (x.shape == result.shape) text += " " + print_bits(x, at);
  return text;
}
template <class Maker> testing::AssertionResult means_the_same(extent n, extent offset) {
  weft::cpu::serial here;
  graph_view const g = compiled_graph<Maker>::recorded();
  growing<dense> const inputs = edge_inputs(g, n, offset),
                       is = compiled_graph<Maker>::run(inputs, here),
                       meant = test::meaning_of(g, inputs);
  testing::AssertionResult failed = testing::AssertionFailure();
  bool all = true;
  growing<op_case> const cases = Maker::write().of_output;
  for (int k = 0; k < meant.size(); ++k) {
    int const at = first_difference(is[k], meant[k]);
    if (at == -1) continue;
    all = false;
    failed << "n = " << n << ": " << weft::name_of(cases[k].code) << " to "
           << weft::name_of(cases[k].to) << " turn " << cases[k].turn;
    if (cases[k].after != nullptr) failed << " after " << cases[k].after;
    failed << ", output " << k << " of " << print_type(is[k]);
    if (at >= 0)
      failed << " at " << at << " is " << print_bits(is[k], at) << ", expected "
             << print_bits(meant[k], at) << " of" << operands_at(inputs, is[k], at);
    failed << "\n";
  }
  return all ? testing::AssertionSuccess() : failed;
}
// All lengths to 130, then several packs, blocks and pairs of edge values.
template <class Maker> void expect_meaning(std::initializer_list<extent> large) {
  extent offset = 0;
  for (extent n = 0; n <= 130; offset += n++) ASSERT_TRUE(means_the_same<Maker>(n, offset));
  for (extent n : large) ASSERT_TRUE(means_the_same<Maker>(n, 0));
}
// The ops of programs that passed, as a property that tools/ops_table.py reads.
class passed_kernels {
public:
  template <class Maker> void add() {
    growing<op_case> const written = Maker::write().of_output;
    for (op_case const& c : written) {
      seen_[static_cast<int>(c.code)] = true;
      if (weft::has_several_results(c.code)) seen_[static_cast<int>(op::get)] = true;
    }
    if (!written.empty()) seen_[static_cast<int>(op::parameter)] = true;
  }
  void record(char const* part, dtype type) const {
    std::string names;
    for (int o = 0; o < weft::op_count; ++o)
      if (seen_[o])
        names += std::string(names.empty() ? "" : " ") + weft::name_of(static_cast<op>(o));
    testing::Test::RecordProperty(std::string("kernels_") + weft::name_of(type) + "_" + part,
                                  names);
  }

private:
  bool seen_[weft::op_count]{};
};

} // namespace test
