// SPDX-License-Identifier: BSL-1.0
// to_module: a graph as a StableHLO module. Every op of weft has a form: the operation that means
// the same, operations that together do, or a composite (own_ops.hpp) whose decomposition is made
// of standard operations and which import.hpp reads back as the very node.
//   arguments   region 0's parameters in their order; weft.name = "params.w1", weft.key of random
//               keys, weft.extents = ["rows", ""] where extents have names, and tf.aliasing_output
//               of what is donated
//   results     the outputs in their order, jax.result_info = "loss"
//   module      @main is public; decompositions are private, behind it
// Named extents are `?` in types; the run takes them from the first argument that has them.
// Needs: a graph that verify accepts. Leaves: a module that print.hpp writes; equal graphs give
// equal modules. Errors: usage_error where a named extent has no form (export_shapes.hpp ...).
#pragma once

#include <weft/stablehlo/export_collectives.hpp>
#include <weft/stablehlo/export_convolution.hpp>
#include <weft/stablehlo/export_decompositions.hpp>
#include <weft/stablehlo/export_loops.hpp>

namespace weft::inline v0::stablehlo {

struct argument_name {
  char const* name = ""; // "": none
  int output = -1;       // whose memory it may become
};
// What a graph does not know. Lists may be shorter than the arguments and results are.
struct export_names {
  char const* module = "weft";
  growing<argument_name> arguments;
  growing<char const*> results;
};

namespace detail {

constexpr growing<int> export_loop(export_scope& s, int id) {
  loop_export l(s, id);
  op const o = s.g[id].code;
  return o == op::scan ? l.scan() : o == op::while_loop ? l.while_loop() : l.cond();
}
constexpr int export_get(export_scope& s, int id) {
  int const from = s.g.operand(id, 0), k = static_cast<int>(s.g.attribute(id, 0));
  if (!reads_no_step(s.g, id)) return s.many[from][k];
  return k < loop_of(s.g, from).carries ? s.operand(from, k)
                                        : splat(s.w, s.g[id].type, s.g.shape(id), 0);
}
// Under the host function's name; how many batch axes stand in front is told where there are some.
constexpr growing<int> export_custom_call(export_scope& s, int id) {
  module_writer& w = s.w;
  growing<int> operands;
  growing<typed_shape> results;
  for (int k = 0; k < s.g[id].operand_count; ++k) operands.push(s.operand(id, k));
  for (int k = 0; k < result_count(s.g, id); ++k) {
    result_info const r = result_of(s.g, id, k);
    results.push({r.type, r.shape});
  }
  growing<attribute> all;
  if (extent const axes = s.g.attribute(id, 1); axes > 0)
    all.push(w.string("backend_config", message().add("batch_axes = ").add(axes).c_str()));
  all.push(w.string("call_target_name", host_of(s.g, id).name));
  int const first = w.emit(code::custom_call, operands, results, all);
  growing<int> values;
  for (int k = 0; k < results.size(); ++k) values.push(first + k);
  return values;
}
// The value of a node of one result that is no parameter. Without a default: a new op has to say
// what it is.
constexpr int export_one(export_scope& s, int id) {
  switch (s.g[id].code) {
    case op::constant: return export_constant(s, id);
    case op::iota: return export_iota(s, id);
    case op::parameter: return s.first[id];
    case op::get: return export_get(s, id);
    case op::shard: return s.first[s.g.operand(id, 0)]; // means its operand
    case op::broadcast:
    case op::reshape:
    case op::transpose:
    case op::slice:
    case op::reverse:
    case op::pad:
    case op::concat:
    case op::dynamic_slice:
    case op::dynamic_update_slice: return export_movement(s, id);
    case op::window:
    case op::overlap_add:
    case op::arg_sort:
    case op::arg_reduce:
    case op::observe: return call_own(s, id);
    case op::rank: return export_rank(s, id);
    case op::collective: return export_collective(s, id);
    case op::gather: return export_gather(s, id);
    case op::scatter: return export_scatter(s, id);
    case op::reduce_sum:
    case op::reduce_max:
    case op::reduce_min:
    case op::reduce_prod: return export_reduction(s, id);
    case op::contract: return export_contraction(s, id);
    case op::convolve: return export_convolution(s, id);
    case op::custom_call:
    case op::while_loop:
    case op::cond:
    case op::scan: return -1; // several results
    case op::add:
    case op::sub:
    case op::mul:
    case op::div:
    case op::neg:
    case op::fma:
    case op::abs:
    case op::sqrt:
    case op::exp:
    case op::log:
    case op::tanh:
    case op::sigmoid:
    case op::maximum:
    case op::minimum:
    case op::equal:
    case op::not_equal:
    case op::less:
    case op::less_equal:
    case op::greater:
    case op::greater_equal:
    case op::select:
    case op::bit_and:
    case op::bit_or:
    case op::bit_xor:
    case op::bit_not:
    case op::shift_left:
    case op::shift_right_logical:
    case op::shift_right_arithmetic:
    case op::threefry2x32:
    case op::convert:
    case op::bitcast:
    case op::stop_gradient:
    case op::exp2:
    case op::expm1:
    case op::log1p:
    case op::log2:
    case op::log10:
    case op::softplus:
    case op::reciprocal:
    case op::rsqrt:
    case op::cbrt:
    case op::sin:
    case op::cos:
    case op::tan:
    case op::asin:
    case op::acos:
    case op::atan:
    case op::sinh:
    case op::cosh:
    case op::asinh:
    case op::acosh:
    case op::atanh:
    case op::erf:
    case op::erfc:
    case op::erfinv:
    case op::lgamma:
    case op::digamma:
    case op::gelu:
    case op::floor:
    case op::ceil:
    case op::trunc:
    case op::round_even:
    case op::round_away:
    case op::sign:
    case op::is_finite:
    case op::is_nan:
    case op::is_inf:
    case op::pow:
    case op::atan2:
    case op::hypot:
    case op::remainder:
    case op::mod_floor:
    case op::floor_divide:
    case op::copysign:
    case op::zeta:
    case op::polygamma:
    case op::popcount:
    case op::count_leading_zeros: return export_elementwise(s, id);
  }
  return -1;
}
constexpr void export_nodes(export_scope& s, int region) {
  for (int id : s.nodes[region]) {
    op const o = s.g[id].code;
    if (o == op::parameter) continue;
    if (is_loop(o)) s.many[id] = export_loop(s, id);
    else if (o == op::custom_call) s.many[id] = export_custom_call(s, id);
    else if (is_empty_result(s.g, id)) s.first[id] = splat(s.w, s.g[id].type, s.g.shape(id), 0);
    else s.first[id] = export_one(s, id);
    if (o == op::threefry2x32)
      for (int k = 0; k < 2; ++k) s.many[id].push(s.first[id] + k);
    if (!has_several_results(o)) learn_extents(s.w, s.first[id]);
  }
}

constexpr attribute extent_names(module_writer& w, extents const& s) {
  growing<attribute> names;
  for (int i = 0; i < s.rank; ++i) {
    char name[max_name + 1]{};
    if (is_named(s[i])) unpack_name(s[i], name);
    names.push(w.string("", name));
  }
  return w.list("weft.extents", names);
}
constexpr attribute argument_record(module_writer& w, graph_view g, int i,
                                    export_names const& names) {
  growing<attribute> r;
  extents const shape = g.shape(g.parameters_of(0)[i]);
  argument_name const own = i < names.arguments.size() ? names.arguments[i] : argument_name{};
  if (own.output >= 0) r.push(w.integer("tf.aliasing_output", own.output, dtype::i32));
  if (!is_static(shape)) r.push(extent_names(w, shape));
  if (g.inputs[i].key) r.push(w.boolean("weft.key", true));
  if (*own.name != '\0') r.push(w.string("weft.name", own.name));
  return w.record("", r);
}
// A function's records stand one behind the other.
constexpr int keep_records(module_writer& w, view<attribute> records) {
  bool some = false;
  for (attribute const& r : records) some |= r.count > 0;
  if (!some) return -1;
  int const first = w.result.attributes.size();
  w.result.attributes.append(records);
  return first;
}
constexpr void name_main(module_writer& w, graph_view g, export_names const& names) {
  growing<attribute> arguments, results;
  for (int i = 0; i < g.inputs.size(); ++i) arguments.push(argument_record(w, g, i, names));
  for (int i = 0; i < g.outputs_of(0).size(); ++i) {
    growing<attribute> r;
    char const* const name = i < names.results.size() ? names.results[i] : "";
    if (*name != '\0') r.push(w.string("jax.result_info", name));
    results.push(w.record("", r));
  }
  int const of_arguments = keep_records(w, arguments), of_results = keep_records(w, results);
  w.result.functions.back().argument_attributes = of_arguments;
  w.result.functions.back().result_attributes = of_results;
}
constexpr void name_module(module_writer& w, char const* name, extent world) {
  w.result.name = w.result.keep(name);
  attribute const own[] = {w.integer("mhlo.num_partitions", world, dtype::i32),
                           w.integer("mhlo.num_replicas", 1, dtype::i32)};
  w.result.first_attribute = w.result.attributes.size();
  w.result.attribute_count = 2;
  w.result.attributes.append({own, 2});
}

} // namespace detail

constexpr module_ir to_module(graph_view g, export_names const& names = {}) {
  detail::module_writer w;
  growing<detail::own_call> calls;
  w.open_region();
  detail::export_scope main(w, g, calls, detail::export_nodes);
  w.close_function("main", true, detail::export_program(main));
  detail::name_main(w, g, names);
  for (int i = 0; i < calls.size(); ++i)
    detail::write_decomposition(w, calls, i, detail::export_nodes);
  detail::name_module(w, names.module, detail::world_of(g));
  return w.result;
}

} // namespace weft::inline v0::stablehlo
