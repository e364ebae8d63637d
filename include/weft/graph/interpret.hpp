// SPDX-License-Identifier: BSL-1.0
// interpret: the definition of a graph's meaning. Slow and plain: one node after the other, one
// element after the other, every op in the scalar world; every backend is compared with it.
// Needs: a graph that verify accepts; inputs in the order of region 0's parameters. Leaves: the
// outputs. Works in constant evaluation. Raises shape_error where extents disagree, usage_error
// where the number or the types of the inputs do.
#pragma once

#include <weft/graph/bind_inputs.hpp>
#include <weft/graph/interpret_collective.hpp>
#include <weft/graph/interpret_convolve.hpp>
#include <weft/graph/interpret_custom_call.hpp>
#include <weft/graph/interpret_gather.hpp>
#include <weft/graph/interpret_movement.hpp>
#include <weft/graph/interpret_reduce.hpp>
#include <weft/graph/interpret_windows.hpp>
#include <weft/graph/observe.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Table> class interpreter { // a template: for who interprets alone
public:
  // Every extent of g is a number; `table` has its ops.
  constexpr interpreter(graph_view g, Table const& table, rank_transport* others = nullptr)
      : g_(g), table_(&table), others_(others), order_(nodes_by_region(g)), values_(g.size()) {}

  constexpr growing<dense> run(int region, view<dense> arguments) {
    for (int id : order_[region]) values_[id] = results_of(id, arguments);
    growing<dense> outputs;
    for (int id : g_.outputs_of(region)) outputs.push(values_[id][0]);
    return outputs;
  }

private:
  constexpr extents const& shape(int id) const { return g_.shape(id); }
  constexpr dense const& operand(int id, int k) const { return values_[g_.operand(id, k)][0]; }

  constexpr growing<dense> results_of(int id, view<dense> arguments) {
    op const code = g_[id].code;
    if (is_loop(code)) return loop_results(id);
    if (is_elementwise(code)) return elementwise_results(id);
    if (code == op::custom_call) return called_results(id);
    growing<dense> one;
    if (code == op::convolve) {
      one.push(convolved_result(id, operand(id, 0)));
      return one;
    }
    switch (info_of(code).kind) {
      case op_kind::source: one.push(source_result(id, arguments)); break;
      case op_kind::view:
      case op_kind::move: one.push(moved_result(id)); break;
      case op_kind::reduction: one.push(reduced_result(id, operand(id, 0))); break;
      default: one.push(contracted_result(id, operand(id, 0))); break;
    }
    return one;
  }

  constexpr growing<dense> elementwise_results(int id) const {
    node const& n = g_[id];
    dtype const in = operand(id, typical_operand(n.code)).type;
    word_function const meaning = function_in(*table_, n.code, in, n.type);
    growing<dense> results(result_count(g_, id), dense(n.type, shape(id)));
    word x[4]{}, y[2]{};
    for (int i = 0; i < results[0].size(); ++i) {
      for (int k = 0; k < n.operand_count; ++k) x[k] = operand(id, k)[i];
      meaning(x, y);
      for (int k = 0; k < results.size(); ++k) results[k][i] = y[k];
    }
    return results;
  }

  growing<dense> called_results(int id) const {
    growing<dense> operands;
    for (int k = 0; k < g_[id].operand_count; ++k) operands.push(operand(id, k));
    return custom_call_dense(g_, id, operands);
  }

  constexpr dense source_result(int id, view<dense> arguments) const {
    extent const attribute = g_.attribute(id, 0);
    switch (g_[id].code) {
      case op::parameter: return arguments[static_cast<int>(attribute)];
      case op::get: return values_[g_.operand(id, 0)][static_cast<int>(attribute)];
      case op::iota: return iota_result(id, static_cast<int>(attribute));
      default: return constant_result(id, attribute);
    }
  }
  constexpr dense constant_result(int id, extent attribute) const {
    if (g_[id].attribute_count == 1)
      return dense(g_[id].type, shape(id), static_cast<word>(attribute));
    dense table(g_[id].type, shape(id));
    for (int i = 0; i < table.size(); ++i) table[i] = g_.constants[static_cast<int>(attribute) + i];
    return table;
  }
  constexpr dense iota_result(int id, int axis) const {
    dense result(g_[id].type, shape(id));
    word_function const from_int = conversion_in(*table_->conversions, dtype::i32, result.type);
    for (int i = 0; i < result.size(); ++i) {
      word const index = static_cast<word>(position_of(i, result.shape)[axis]);
      from_int(&index, &result.words[i]);
    }
    return result;
  }

  constexpr dense moved_result(int id) const {
    view<extent> const attributes = g_.attributes_of(id);
    if (g_[id].code == op::rank) return rank_result(attributes);
    dense const& x = operand(id, 0);
    switch (g_[id].code) {
      case op::broadcast: return broadcast_dense(x, shape(id), attributes);
      case op::reshape: return reshape_dense(x, shape(id));
      case op::transpose: return transpose_dense(x, shape(id), attributes);
      case op::slice: return slice_dense(x, shape(id), attributes);
      case op::reverse: return reverse_dense(x, attributes[0]);
      case op::shard: return dense(x);
      case op::window: return window_dense(x, window_list(attributes));
      case op::overlap_add: return overlap_add_dense(x, shape(id), window_list(attributes));
      case op::pad: return padded_result(id);
      case op::concat: return joined_result(id);
      case op::dynamic_slice: return windowed(id, shape(id), starts(id, 1));
      case op::gather: return gather_dense(x, operand(id, 1), gather_of(g_, id));
      case op::scatter:
        return scatter_dense(x, operand(id, 1), operand(id, 2), gather_of(g_, id), *table_);
      case op::arg_reduce: return arg_reduce_dense(x, attributes[0], attributes[1] != 0);
      case op::arg_sort: return sorted_result(id);
      case op::observe: return observed(id);
      case op::collective: return exchanged(collective_of(attributes), x, others_, *table_);
      default: return updated(id, starts(id, 2));
    }
  }
  constexpr dense rank_result(view<extent> a) const {
    expect_world(a, others_ == nullptr ? 1 : others_->world());
    extent const rank = others_ == nullptr ? 0 : others_->rank();
    return dense(dtype::u32, {}, static_cast<word>(rank / a[0] % a[1]));
  }
  constexpr dense padded_result(int id) const {
    dense const& x = operand(id, 0);
    view<extent> const a = g_.attributes_of(id);
    extents computed = x.shape;
    for (int i = 0; i < computed.rank; ++i)
      computed[i] = padded(x.shape[i], a[i], a[x.shape.rank + i], a[2 * x.shape.rank + i]);
    expect(id, computed);
    return pad_dense(x, operand(id, 1)[0], computed, a);
  }
  constexpr dense joined_result(int id) const {
    int const axis = static_cast<int>(g_.attribute(id, 0)), parts = g_[id].operand_count;
    extents computed = operand(id, 0).shape;
    for (int k = 1; k < parts; ++k) computed[axis] += operand(id, k).shape[axis];
    expect(id, computed);
    dense result(g_[id].type, computed);
    extent start = 0;
    for (int k = 0; k < parts; ++k) start = place_part(result, operand(id, k), axis, start);
    return result;
  }
  constexpr dense observed(int id) const {
    dense const& x = operand(id, 0);
    observe(g_.attributes_of(id), x.type, x.shape,
            [&x](extent i) { return x[static_cast<int>(i)]; });
    return x;
  }
  constexpr dense sorted_result(int id) const {
    growing<dense> keys;
    for (int k = 0; k < g_[id].operand_count; ++k) keys.push(operand(id, k));
    return arg_sort_dense(keys, static_cast<int>(g_.attribute(id, 0)), g_.attribute(id, 1));
  }
  constexpr growing<word> starts(int id, int first) const {
    growing<word> r;
    for (int k = first; k < g_[id].operand_count; ++k) r.push(operand(id, k)[0]);
    return r;
  }
  constexpr dense windowed(int id, extents const& window, view<word> from) const {
    expect_window(id, window);
    return dynamic_slice_dense(operand(id, 0), window, from);
  }
  constexpr dense updated(int id, view<word> from) const {
    expect_window(id, operand(id, 1).shape);
    return dynamic_update_slice_dense(operand(id, 0), operand(id, 1), from);
  }

  template <class X> constexpr dense reduced_result(int id, X const& x) const {
    extent const axes = g_.attribute(id, 0);
    switch (g_[id].code) {
      case op::reduce_sum: return reduce_dense<op::reduce_sum>(x, axes);
      case op::reduce_prod: return reduce_dense<op::reduce_prod>(x, axes);
      case op::reduce_min: return reduce_dense<op::reduce_min>(x, axes);
      default: return reduce_dense<op::reduce_max>(x, axes);
    }
  }
  template <class A> constexpr dense contracted_result(int id, A const& a) const {
    contraction const c = contraction_of(g_, id);
    dense const* start = c.has_start ? &operand(id, 2) : nullptr;
    dense const* bias = c.has_bias ? &operand(id, c.has_start ? 3 : 2) : nullptr;
    dense const& b = operand(id, 1);
    return with_widest(a.type, [&]<dtype D>() {
      if constexpr (D == dtype::boolean) return dense();
      else return contract_typed<D>(c, a, b, start, bias, dense(g_[id].type, shape(id)));
    });
  }
  template <class X> constexpr dense convolved_result(int id, X const& x) const {
    convolution const c = convolution_of(g_, id);
    dense const* bias = c.has_bias ? &operand(id, 2) : nullptr;
    dense const& w = operand(id, 1);
    return with_widest(x.type, [&]<dtype D>() {
      if constexpr (D == dtype::boolean) return dense();
      else return convolve_typed<D>(c, x, w, bias, dense(g_[id].type, shape(id)));
    });
  }

  // scan: step t = 0, 1, … (reverse: the last first) takes element t of every x and fills element t
  // of every y; what the body returns as carry is the next step's. while_loop: steps while carry 0 is
  // true; cond: the one step if it is.
  constexpr growing<dense> loop_results(int id) {
    loop const l = loop_of(g_, id);
    growing<dense> results = loop_start(id, l);
    op const code = g_[id].code;
    for (extent i = 0; code == op::while_loop || i < l.length; ++i) {
      if (has_condition(code) && results[0][0] == 0) break;
      int const t = static_cast<int>(l.reverse ? l.length - 1 - i : i);
      growing<dense> const outputs = run(g_[id].body, step_arguments(id, l, results, t));
      for (int k = 0; k < l.carries; ++k) results[k] = outputs[k];
      for (int k = l.carries; k < results.size(); ++k) set_element(results[k], t, outputs[k]);
    }
    return results;
  }
  constexpr growing<dense> step_arguments(int id, loop const& l, view<dense> carries, int t) const {
    growing<dense> arguments;
    for (int k = 0; k < g_[id].operand_count; ++k) {
      if (k < l.carries) arguments.push(carries[k]);
      else if (k < l.carries + l.xs) arguments.push(element_of(operand(id, k), t));
      else arguments.push(operand(id, k));
    }
    return arguments;
  }
  constexpr growing<dense> loop_start(int id, loop const& l) const {
    growing<dense> results;
    for (int k = 0; k < l.carries; ++k) results.push(operand(id, k));
    for (int k = l.carries; k < l.carries + l.ys; ++k) {
      result_info const y = result_of(g_, id, k);
      results.push(dense(y.type, y.shape));
    }
    return results;
  }
  static constexpr dense element_of(dense const& stacked, int t) {
    dense x(stacked.type, without_leading(stacked.shape));
    for (int i = 0; i < x.size(); ++i) x[i] = stacked[t * x.size() + i];
    return x;
  }
  static constexpr void set_element(dense& stacked, int t, dense const& y) {
    for (int i = 0; i < y.size(); ++i) stacked[t * y.size() + i] = y[i];
  }

  // What named extents hide from verify.
  constexpr void expect(int id, extents const& computed) const {
    if (!(computed == shape(id))) raise_extents(name_of(g_[id].code), computed, shape(id));
  }
  constexpr void expect_window(int id, extents const& window) const {
    for (int i = 0; i < window.rank; ++i)
      if (window[i] > operand(id, 0).shape[i]) raise_window(g_, id, window, operand(id, 0).shape);
  }

  graph_view g_;
  Table const* table_;
  rank_transport* others_;      // nullptr: the program's only rank
  growing<growing<int>> order_; // nodes by region
  growing<growing<dense>> values_;
};

} // namespace detail

// A template, so that only who interprets compiles every op; with fewer Ops, those of g at least.
template <op_set Ops = all_ops()>
constexpr growing<dense> interpret(graph_view g, view<dense> inputs,
                                   rank_transport* others = nullptr) {
  growing<dtype> types;
  growing<extents> shapes;
  for (dense const& x : inputs) types.push(x.type), shapes.push(x.shape);
  detail::check_inputs(g, types, "interpret");
  graph const numbers = bind_to(g, shapes);
  return detail::interpreter(numbers, detail::word_functions<Ops>, others).run(0, inputs);
}

} // namespace weft::inline v0
