// SPDX-License-Identifier: BSL-1.0
// Control and structure: call, while, if, case, composite, custom_call, tuples, tokens,
// optimization_barrier, sdy.sharding_constraint.
// Needs: import_counted.hpp. Leaves: functions inlined; while_loop, or a scan where it counts; one cond
// per branch, of which the run takes one; a composite that the exporter wrote for an op of weft's is
// that op, any other its decomposition. Tokens are nothing: a graph has no order but its operands'.
#pragma once

#include <weft/graph/handle_loop.hpp>
#include <weft/stablehlo/import_counted.hpp>
#include <weft/stablehlo/import_loops.hpp>
#include <weft/stablehlo/import_own_ops.hpp>
#include <weft/stablehlo/import_sort.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// Known values, any of them tuples and tokens.
constexpr bool takes_values(importing& c, operation const& o, int regions) {
  if (c.ok() && o.region_count != regions)
    c.fail(o, message("has ").add(regions).add(" regions, the text has ").add(o.region_count));
  for (handle h : c.leaves(o))
    if (c.ok() && !h.valid()) c.fail(o, "an operand is not known here");
  return c.ok();
}

// ---- functions
constexpr void import_call(importing& c, operation const& o) {
  if (!takes_values(c, o, 0)) return;
  attribute const* const a = c.m.find(o, "callee");
  if (a == nullptr) return c.fail(o, "callee is missing");
  growing<handle> results;
  attribute const* const own = c.lifted ? nullptr : c.m.find(o, "weft.own");
  if (own != nullptr && own->kind == attribute_kind::record)
    results = import_own(c, o, own->first, own->count);
  if (results.empty() && c.ok()) results = c.call(o, a->text, c.leaves(o));
  c.give_all(o, results);
}
constexpr void import_composite(importing& c, operation const& o) {
  if (!takes_values(c, o, o.region_count)) return;
  growing<handle> own;
  if (!c.lifted) own = import_own(c, o, o.first_attribute, o.attribute_count);
  if (!own.empty() || !c.ok()) return c.give_all(o, own);
  attribute const* const a = c.m.find(o, "decomposition");
  if (a == nullptr) return c.fail(o, "decomposition is missing");
  growing<handle> const results = c.call(o, a->text, c.leaves(o));
  c.give_all(o, results);
}
// What stands for its operand: notes of how it is laid out.
constexpr bool is_note(view<char> target) {
  constexpr char const* notes[] = {"Sharding", "annotate_device_placement", "LayoutConstraint",
                                   "xla.sdy.FuncResultSharding", "xla.sdy.PropagationBarrier"};
  for (char const* note : notes)
    if (is_name(target, note)) return true;
  return false;
}
// Operations of XLA's dialect that StableHLO has not, in the form that its exporters give them:
// @mhlo.erf is chlo.erf, its attributes are in mhlo.attributes.
constexpr bool import_mhlo_call(importing& c, operation const& o, view<char> target) {
  constexpr int prefix = 5;
  if (target.size() <= prefix || !is_name(target.part(0, prefix), "mhlo.")) return false;
  view<char> const name = target.part(prefix, target.size() - prefix);
  if (is_name(name, "topk")) {
    attribute const* const all = record_of(c, o, "mhlo.attributes");
    if (all == nullptr) return true;
    attribute const* const largest = c.m.find(*all, "largest");
    extent const k = integer_in(c, o, c.m.find(*all, "k"), "k", -1);
    if (c.ok() && largest != nullptr && largest->integer == 0)
      c.fail(o, "gives the smallest; write a sort");
    if (c.ok()) give_top_k(c, o, k);
    return true;
  }
  operation same = o;
  growing<char> full(view<char>("chlo.", prefix));
  full.append(name);
  same.what = code_of(full);
  return same.what != code::unknown && import_by_table(c, same);
}
constexpr void import_custom_call(importing& c, operation const& o) {
  if (!takes_values(c, o, o.region_count)) return;
  view<char> const target = c.m.text(text_in(c.m.find(o, "call_target_name")));
  growing<handle> const operands = c.leaves(o);
  for (custom_call const& known : c.calls)
    if (is_name(target, known.target)) {
      growing<handle> const results = known.record({c.r, c.m, o, operands});
      return c.give_all(o, results);
    }
  if (is_name(target, "shape_assertion") && o.result_count == 0) return;
  if (is_note(target)) return c.give_all(o, operands);
  if (import_mhlo_call(c, o, target)) return;
  message words("no function is given for @");
  importing::add_text(words, target);
  c.fail(o, words.add("; give to_graph a table with it, or write its operations"));
}

// ---- values
constexpr void import_same(importing& c, operation const& o) {
  if (takes_values(c, o, 0)) c.give_all(o, c.leaves(o));
}
constexpr void import_get_tuple_element(importing& c, operation const& o) {
  if (!takes_values(c, o, 0)) return;
  if (o.operand_count != 1 || c.operand_type(o, 0).kind != type_kind::tuple)
    return c.fail(o, "takes a tuple");
  value_type const& t = c.operand_type(o, 0);
  extent const index = integer_of(c, o, "index");
  if (c.ok() && (index < 0 || index >= t.member_count))
    c.fail(o, message("the tuple has ").add(t.member_count).add(" members"));
  if (!c.ok()) return;
  int first = 0;
  for (int i = 0; i < index; ++i) first += c.width_of(c.m.types[c.m.members[t.first_member + i]]);
  int const member = c.m.members[t.first_member + static_cast<int>(index)];
  growing<handle> const all = c.leaves(o);
  c.give_all(o, all.part(first, c.width_of(c.m.types[member])));
}

// ---- branches
constexpr handle condition_of(importing& c, operation const& o, view<handle> results) {
  if (c.ok() &&
      (results.size() != 1 || results[0].type() != dtype::boolean || results[0].shape().rank != 0))
    c.fail(o, "the condition is not one i1");
  return c.ok() ? results[0] : handle{};
}
// As many tensors as the operation gives; a token is none. `known`: their shapes are numbers.
struct branch_results {
  int count = 0;
  bool known = true;
};
constexpr branch_results results_of_branches(importing& c, operation const& o) {
  branch_results all;
  for (int k = 0; k < o.result_count; ++k) {
    value_type const& t = c.result_type(o, k);
    if (t.kind == type_kind::tuple) c.fail(o, "a branch gives tensors, not tuples");
    if (t.kind != type_kind::tensor) continue;
    ++all.count;
    all.known = all.known && is_static(t.shape);
  }
  return all;
}
constexpr void check_branch(importing& c, operation const& o, int count, view<handle> results,
                            view<handle> otherwise) {
  if (c.ok() && results.size() != count) c.fail(o, "a branch gives another number of values");
  for (int i = 0; i < otherwise.size() && c.ok(); ++i)
    if (!same_shapes(c, results[i].shape(), otherwise[i].shape()) ||
        results[i].type() != otherwise[i].type())
      c.fail(o, "branches give values of different types or shapes");
}
// The `count` results of region k if p, else `otherwise`; where that is nothing, zeros.
constexpr growing<handle> branch(importing& c, operation const& o, int k, handle p,
                                 view<handle> otherwise, int count) {
  growing<handle> operands(1, p), outputs;
  operands.append(otherwise);
  for (handle& h : operands) h = c.r.localised(h);
  int const region = c.r.begin_body(true), carries = operands.size();
  for (handle h : operands) c.r.parameter(h.type(), h.shape());
  growing<handle> const results = c.run_region(o, k, {});
  check_branch(c, o, count, results, otherwise);
  if (!c.ok()) return {};
  outputs.push(constant(c.r, 0, dtype::boolean, {}));
  outputs.append(results);
  int const ys = outputs.size() - carries;
  operands.append(c.r.end_body(region, outputs));
  growing<handle> all = weft::detail::record_conditional(c.r, op::cond, region, operands, carries,
                                                         ys);
  if (ys > 0)
    for (handle& h : all) h = reshape(h, without_leading(h.shape()));
  return all;
}
// Zeros like what the operation gives; nothing where only its branches say what that is.
constexpr growing<handle> zeros_of_results(importing& c, operation const& o,
                                           branch_results const& given) {
  growing<handle> zeros;
  if (!given.known) return zeros;
  for (int k = 0; k < o.result_count && c.ok(); ++k)
    if (c.result_type(o, k).kind == type_kind::tensor)
      zeros.push(constant(c.r, 0, c.result_type(o, k).element, written_shape(c, o, k)));
  return zeros;
}
constexpr void import_if(importing& c, operation const& o) {
  if (!c.takes(o, 1, o.result_count, 2) || import_own_if(c, o)) return;
  handle const in = c.in(o, 0), p = condition_of(c, o, {&in, 1});
  branch_results const given = results_of_branches(c, o);
  growing<handle> results = zeros_of_results(c, o, given);
  if (!c.ok()) return;
  handle const otherwise = unary(op::bit_not, p);
  results = branch(c, o, 0, p, results, given.count);
  if (c.ok()) results = branch(c, o, 1, otherwise, results, given.count);
  c.give_all(o, results);
}
// Branch number `index`; of any other number, the last.
constexpr void import_case(importing& c, operation const& o) {
  int const n = o.region_count;
  if (!c.takes(o, 1, o.result_count, n)) return;
  handle const index = c.in(o, 0);
  if (n == 0) return c.fail(o, "there is no branch");
  if (index.type() != dtype::i32 || index.shape().rank != 0)
    return c.fail(o, "the index is not one i32");
  if (n == 1) return c.give_all(o, c.run_region(o, 0, {}));
  branch_results const given = results_of_branches(c, o);
  growing<handle> results = zeros_of_results(c, o, given);
  if (!c.ok()) return;
  handle others; // is it one of the branches before the last?
  for (int k = 0; k < n && c.ok(); ++k) {
    handle taken = k + 1 < n ? equal(index, constant(c.r, k, dtype::i32, {}))
                             : unary(op::bit_not, others);
    if (k + 1 < n) others = k == 0 ? taken : binary(op::bit_or, dtype::boolean, others, taken);
    results = branch(c, o, k, taken, results, given.count);
  }
  c.give_all(o, results);
}

// ---- while
constexpr void import_while(importing& c, operation const& o) {
  if (!takes_values(c, o, 2) || import_own_while(c, o)) return;
  growing<handle> const start = c.leaves(o);
  bool tensors = true;
  for (int id : c.m.operands_of(o)) tensors = tensors && c.m.type_of(id).kind == type_kind::tensor;
  if (counted_loop const l = tensors ? counting_of(c, o, start) : counted_loop{}; l.counter >= 0)
    return c.give_all(o, record_counted(c, o, start, l));
  growing<handle> operands(1, condition_of(c, o, c.run_region(o, 0, start)));
  if (!c.ok()) return;
  operands.append(start);
  for (handle& h : operands) h = c.r.localised(h);
  int const region = c.r.begin_body(), carries = operands.size();
  growing<handle> state;
  c.r.parameter(dtype::boolean, {});
  for (int i = 1; i < carries; ++i)
    state.push(c.r.parameter(operands[i].type(), operands[i].shape()));
  growing<handle> const next = c.run_region(o, 1, state);
  if (c.ok() && next.size() != state.size()) c.fail(o, "the body gives another number of values");
  for (int i = 0; i < next.size() && c.ok(); ++i)
    if (!same_shapes(c, next[i].shape(), state[i].shape()) || next[i].type() != state[i].type())
      c.fail(o, "the body gives a value of another type or shape than it takes");
  if (!c.ok()) return;
  growing<handle> outputs(1, condition_of(c, o, c.run_region(o, 0, next)));
  if (!c.ok()) return;
  outputs.append(next);
  operands.append(c.r.end_body(region, outputs));
  growing<handle> const results = weft::detail::record_conditional(c.r, op::while_loop, region,
                                                                   operands, carries);
  c.give_all(o, results);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
