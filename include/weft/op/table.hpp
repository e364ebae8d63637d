// SPDX-License-Identifier: BSL-1.0
// The op table: one row per primitive, and the only list of ops in weft; the rows of elementary
// functions are in table_elementary.hpp. A row has
//   info        name, kind, arity, types, autocast policy, StableHLO spelling, stated accuracy;
//   meaning     elementwise ops: the value, over the primitives of op/numeric.hpp, in any world;
//   derivative  over `n`: n.ct() is the result's cotangent, n.out() the result, n.in(i) operand i,
//               n.add(i, h) adds h to operand i's cotangent. Rules that read axes ask n for them
//               (transform/grad_sweep.hpp lists what n offers).
//   batch       over `n`: the op on examples side by side, batch axis first (transform/vmap_rules.hpp
//               lists what n offers); elementwise ops have one rule for all.
//   tangent     over `n`: n.t(i) is operand i's tangent, n.set(h) the result's
//               (transform/jvp_sweep.hpp); elementwise ops have it from their derivative.
//   depends_on_width   true, only where that is so: see below.
// Needs: op/meaning.hpp; whatever n returns finds its operators by ADL, so no graph is needed here.
// Leaves: `row<O>` for every O, `info_of(op)` for code that knows the op only at run time. A row
// that lacks a column does not compile. Shape rules: docs/ops.md, checked by graph/verify.hpp.
#pragma once

#include <weft/core/extents.hpp>
#include <weft/core/growing.hpp>
#include <weft/op/info.hpp>
#include <weft/op/meaning.hpp>
#include <weft/op/row.hpp>
#include <weft/op/table_elementary.hpp>

#include <utility>

namespace weft::inline v0 {

// clang-format off
// elementwise ---------------------------------------------------------------------------------
template <> struct row<op::add> {
  static constexpr op_info info{"add", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "add", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::add(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct()); n.add(1, n.ct()); }
};
template <> struct row<op::sub> {
  static constexpr op_info info{"sub", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "subtract", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::sub(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct()); n.add(1, -n.ct()); }
};
template <> struct row<op::mul> {
  static constexpr op_info info{"mul", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "multiply", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::mul(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * n.in(1)); n.add(1, n.ct() * n.in(0)); }
};
template <> struct row<op::div> {
  static constexpr op_info info{"div", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "divide", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::div(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / n.in(1)); n.add(1, -((n.ct() * n.out()) / n.in(1))); }
};
template <> struct row<op::neg> {
  static constexpr op_info info{"neg", op_kind::elementwise, 1, type_rule::same, types::numbers, autocast_policy::follow, "negate", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::neg(a); }
  static constexpr void derivative(auto& n) { n.add(0, -n.ct()); }
};
template <> struct row<op::fma> {
  static constexpr op_info info{"fma", op_kind::elementwise, 3, type_rule::same, types::floats, autocast_policy::promote, "", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b, auto c) { return weft::meaning::fma(a, b, c); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * n.in(1)); n.add(1, n.ct() * n.in(0)); n.add(2, n.ct()); }
};
template <> struct row<op::abs> {
  static constexpr op_info info{"abs", op_kind::elementwise, 1, type_rule::same, types::numbers, autocast_policy::follow, "abs", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::abs(a); }
  static constexpr void derivative(auto& n) { n.add(0, select(less(n.in(0), n.number(0)), -n.ct(), select(less(n.number(0), n.in(0)), n.ct(), n.number(0)))); }
};
template <> struct row<op::sqrt> {
  static constexpr op_info info{"sqrt", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "sqrt", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::sqrt(a); }
  static constexpr void derivative(auto& n) { n.add(0, (n.ct() * n.number(0.5)) / n.out()); }
};
template <> struct row<op::exp> {
  static constexpr op_info info{"exp", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "exponential", 0.90};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::exp(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * n.out()); }
};
template <> struct row<op::log> {
  static constexpr op_info info{"log", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "log", 0.95};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::log(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / n.in(0)); }
};
template <> struct row<op::tanh> {
  static constexpr op_info info{"tanh", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "tanh", 1.40};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::tanh(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.number(1) - n.out() * n.out())); }
};
template <> struct row<op::sigmoid> {
  static constexpr op_info info{"sigmoid", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "logistic", 1.50};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::sigmoid(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.out() * (n.number(1) - n.out()))); }
};
template <> struct row<op::maximum> {
  static constexpr op_info info{"maximum", op_kind::elementwise, 2, type_rule::same, types::any, autocast_policy::promote, "maximum", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::maximum(a, b); }
  static constexpr void derivative(auto& n) { auto half = n.ct() * n.number(0.5);
    n.add(0, select(greater(n.in(0), n.in(1)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0))));
    n.add(1, select(greater(n.in(1), n.in(0)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0)))); }
};
template <> struct row<op::minimum> {
  static constexpr op_info info{"minimum", op_kind::elementwise, 2, type_rule::same, types::any, autocast_policy::promote, "minimum", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::minimum(a, b); }
  static constexpr void derivative(auto& n) { auto half = n.ct() * n.number(0.5);
    n.add(0, select(less(n.in(0), n.in(1)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0))));
    n.add(1, select(less(n.in(1), n.in(0)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0)))); }
};
template <> struct row<op::equal> : detail::no_derivative {
  static constexpr op_info info{"equal", op_kind::elementwise, 2, type_rule::compare, types::any, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::equal(a, b); }
};
template <> struct row<op::not_equal> : detail::no_derivative {
  static constexpr op_info info{"not_equal", op_kind::elementwise, 2, type_rule::compare, types::any, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::not_equal(a, b); }
};
template <> struct row<op::less> : detail::no_derivative {
  static constexpr op_info info{"less", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::less(a, b); }
};
template <> struct row<op::less_equal> : detail::no_derivative {
  static constexpr op_info info{"less_equal", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::less_equal(a, b); }
};
template <> struct row<op::greater> : detail::no_derivative {
  static constexpr op_info info{"greater", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::greater(a, b); }
};
template <> struct row<op::greater_equal> : detail::no_derivative {
  static constexpr op_info info{"greater_equal", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::greater_equal(a, b); }
};
template <> struct row<op::select> {
  static constexpr op_info info{"select", op_kind::elementwise, 3, type_rule::choose, types::any, autocast_policy::promote, "select", 0};
  WEFT_INLINE static constexpr auto meaning(auto p, auto a, auto b) { return weft::meaning::select(p, a, b); }
  static constexpr void derivative(auto& n) { n.add(1, select(n.in(0), n.ct(), n.number(0))); n.add(2, select(n.in(0), n.number(0), n.ct())); }
  static constexpr void tangent(auto& n) { n.set(select(n.in(0), n.t(1), n.t(2))); }
};
template <> struct row<op::bit_and> : detail::no_derivative {
  static constexpr op_info info{"bit_and", op_kind::elementwise, 2, type_rule::same, types::bits, autocast_policy::follow, "and", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::bit_and(a, b); }
};
template <> struct row<op::bit_or> : detail::no_derivative {
  static constexpr op_info info{"bit_or", op_kind::elementwise, 2, type_rule::same, types::bits, autocast_policy::follow, "or", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::bit_or(a, b); }
};
template <> struct row<op::bit_xor> : detail::no_derivative {
  static constexpr op_info info{"bit_xor", op_kind::elementwise, 2, type_rule::same, types::bits, autocast_policy::follow, "xor", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::bit_xor(a, b); }
};
template <> struct row<op::bit_not> : detail::no_derivative {
  static constexpr op_info info{"bit_not", op_kind::elementwise, 1, type_rule::same, types::bits, autocast_policy::follow, "not", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::bit_not(a); }
};
template <> struct row<op::shift_left> : detail::no_derivative {
  static constexpr op_info info{"shift_left", op_kind::elementwise, 2, type_rule::same, types::integers, autocast_policy::follow, "shift_left", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::shift_left(a, b); }
};
template <> struct row<op::shift_right_logical> : detail::no_derivative {
  static constexpr op_info info{"shift_right_logical", op_kind::elementwise, 2, type_rule::same, types::integers, autocast_policy::follow, "shift_right_logical", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::shift_right_logical(a, b); }
  static constexpr bool depends_on_width = true;
};
template <> struct row<op::shift_right_arithmetic> : detail::no_derivative {
  static constexpr op_info info{"shift_right_arithmetic", op_kind::elementwise, 2, type_rule::same, types::integers, autocast_policy::follow, "shift_right_arithmetic", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::shift_right_arithmetic(a, b); }
  static constexpr bool depends_on_width = true;
};
// Two results: threefry2x32-20 of key (k0, k1) and counter (c0, c1); Random123, JAX's default.
template <> struct row<op::threefry2x32> : detail::no_derivative {
  static constexpr op_info info{"threefry2x32", op_kind::elementwise, 4, type_rule::words, types::integers, autocast_policy::follow, "", 0};
  WEFT_INLINE static constexpr auto meaning(auto k0, auto k1, auto c0, auto c1) { return weft::meaning::threefry2x32(k0, k1, c0, c1); }
  static constexpr bool depends_on_width = true;
};
// The node's type says to what; convert to the type that a node already has is the identity.
template <> struct row<op::convert> {
  static constexpr op_info info{"convert", op_kind::elementwise, 1, type_rule::chosen, types::any, autocast_policy::follow, "convert", 0.5};
  template <class To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::convert_to<To>(x); }
  template <dtype From, dtype To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::convert<From, To>(x); }
  static constexpr void derivative(auto& n) { n.add(0, n.convert_like_operand(n.ct())); }
  static constexpr void tangent(auto& n) { n.set(n.convert_like_result(n.t(0))); }
};
// Same bits, other type; a NaN that becomes an integer is 0x7fc00000.
template <> struct row<op::bitcast> : detail::no_derivative {
  static constexpr op_info info{"bitcast", op_kind::elementwise, 1, type_rule::chosen, types::numbers, autocast_policy::follow, "bitcast_convert", 0};
  template <class To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::bitcast_to<To>(x); }
  template <dtype From, dtype To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::bitcast<From, To>(x); }
};
template <> struct row<op::stop_gradient> : detail::no_derivative {
  static constexpr op_info info{"stop_gradient", op_kind::elementwise, 1, type_rule::same, types::any, autocast_policy::follow, "", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return a; }
};

// sources -------------------------------------------------------------------------------------
// One number for every element: attributes {bits}; or a table: {first word in graph.constants, 0}.
template <> struct row<op::constant> : detail::no_derivative {
  static constexpr op_info info{"constant", op_kind::source, 0, type_rule::chosen, types::any, autocast_policy::follow, "constant", 0};
  static constexpr void batch(auto&) {}
};
// Argument number i of its region: attributes {i}.
template <> struct row<op::parameter> : detail::no_derivative {
  static constexpr op_info info{"parameter", op_kind::source, 0, type_rule::chosen, types::any, autocast_policy::follow, "", 0};
  static constexpr void batch(auto&) {}
};
// The index along an axis: attributes {axis}.
template <> struct row<op::iota> : detail::no_derivative {
  static constexpr op_info info{"iota", op_kind::source, 0, type_rule::chosen, types::numbers, autocast_policy::follow, "iota", 0};
  static constexpr void batch(auto&) {}
};
// Result number i of a node with several: attributes {i}.
template <> struct row<op::get> {
  static constexpr op_info info{"get", op_kind::source, 1, type_rule::chosen, types::any, autocast_policy::follow, "", 0};
  static constexpr void derivative(auto& n) { n.pass_to_result(n.attribute(0)); }
  static constexpr void batch(auto& n) { n.get(); }
  static constexpr void tangent(auto& n) { n.follow_result(); }
};

// movement ------------------------------------------------------------------------------------
// Operand axis i becomes result axis map[i], ascending; an extent 1 is repeated: attributes {map…}.
template <> struct row<op::broadcast> {
  static constexpr op_info info{"broadcast", op_kind::view, 1, type_rule::same, types::any, autocast_policy::follow, "broadcast_in_dim", 0};
  static constexpr void derivative(auto& n) { n.add(0, n.sum_to_operand(n.ct())); }
  static constexpr void batch(auto& n) { n.with_axes(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// Same elements in row-major order.
template <> struct row<op::reshape> {
  static constexpr op_info info{"reshape", op_kind::view, 1, type_rule::same, types::any, autocast_policy::follow, "reshape", 0};
  static constexpr void derivative(auto& n) { n.add(0, reshape(n.ct(), n.in(0).shape())); }
  static constexpr void batch(auto& n) { n.uniform(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// Result axis i is operand axis p[i]: attributes {p…}.
template <> struct row<op::transpose> {
  static constexpr op_info info{"transpose", op_kind::view, 1, type_rule::same, types::any, autocast_policy::follow, "transpose", 0};
  static constexpr void derivative(auto& n) { n.add(0, transpose_back(n.ct(), n.attributes())); }
  static constexpr void batch(auto& n) { n.with_axes(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// Elements start, start + stride, … below limit: attributes {start…, limit…, stride…}.
template <> struct row<op::slice> {
  static constexpr op_info info{"slice", op_kind::view, 1, type_rule::same, types::any, autocast_policy::follow, "slice", 0};
  static constexpr void derivative(auto& n) { n.add(0, unslice(n.ct(), n.in(0).shape(), n.attributes())); }
  static constexpr void batch(auto& n) { n.with_lists(0, n.extent_of_batch(), 1); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// Axes read backwards: attributes {axis set}.
template <> struct row<op::reverse> {
  static constexpr op_info info{"reverse", op_kind::view, 1, type_rule::same, types::any, autocast_policy::follow, "reverse", 0};
  static constexpr void derivative(auto& n) { n.add(0, reverse(n.ct(), n.attribute(0))); }
  static constexpr void batch(auto& n) { n.with_axis_set(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// Operand and a rank-0 filler: attributes {low…, high…, interior…}; negative low or high crops.
template <> struct row<op::pad> {
  static constexpr op_info info{"pad", op_kind::move, 2, type_rule::same, types::any, autocast_policy::promote, "pad", 0};
  static constexpr void derivative(auto& n) {
    auto inner = unpad(n.ct(), n.in(0).shape(), n.attributes());
    n.add(0, inner);
    n.add(1, sum_all(n.ct()) - sum_all(inner));
  }
  static constexpr void batch(auto& n) { n.pad(); }
  static constexpr void tangent(auto& n) { n.again(2); }
};
// Operands one after the other along an axis: attributes {axis}.
template <> struct row<op::concat> {
  static constexpr op_info info{"concat", op_kind::move, -1, type_rule::same, types::any, autocast_policy::promote, "concatenate", 0};
  static constexpr void derivative(auto& n) {
    int const axis = static_cast<int>(n.attribute(0));
    growing<extent> before;
    for (int i = 0; i < n.operand_count(); ++i) {
      n.add(i, unconcat(n.ct(), axis, n.in(i).shape(), before));
      before.push(n.in(i).shape()[axis]);
    }
  }
  static constexpr void batch(auto& n) { n.with_axis(); }
  static constexpr void tangent(auto& n) { n.again(n.operand_count()); }
};
// Operand, then one rank-0 int32 start per axis, clamped so that the window fits; the node's shape
// is the window.
template <> struct row<op::dynamic_slice> {
  static constexpr op_info info{"dynamic_slice", op_kind::move, -1, type_rule::same, types::any, autocast_policy::follow, "dynamic_slice", 0};
  static constexpr void derivative(auto& n) { n.add(0, dynamic_update_slice(n.zeros_like(0), n.ct(), n.operands_from(1))); }
  static constexpr void batch(auto& n) { n.dynamic_slice(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// Operand, update, then the starts: the operand with a window replaced.
template <> struct row<op::dynamic_update_slice> {
  static constexpr op_info info{"dynamic_update_slice", op_kind::move, -1, type_rule::same, types::any, autocast_policy::promote, "dynamic_update_slice", 0};
  static constexpr void derivative(auto& n) {
    n.add(0, dynamic_update_slice(n.ct(), n.zeros_like(1), n.operands_from(2)));
    n.add(1, dynamic_slice(n.ct(), n.in(1).shape(), n.operands_from(2)));
  }
  static constexpr void batch(auto& n) { n.dynamic_update_slice(); }
  static constexpr void tangent(auto& n) { n.again(2); }
};
// x, indices: windows of x side by side. Attributes: see graph/gather_dims.hpp.
template <> struct row<op::gather> {
  static constexpr op_info info{"gather", op_kind::move, 2, type_rule::same, types::any, autocast_policy::follow, "gather", 0};
  static constexpr void derivative(auto& n) { add_gather_cotangent(n); }
  static constexpr void batch(auto& n) { n.gather(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// x, updates, indices: x with windows set, added, multiplied, or the smaller or larger taken.
template <> struct row<op::scatter> {
  static constexpr op_info info{"scatter", op_kind::move, 3, type_rule::same, types::any, autocast_policy::promote, "scatter", 0};
  static constexpr void derivative(auto& n) { add_scatter_cotangents(n); }
  static constexpr void batch(auto& n) { n.scatter(); }
  static constexpr void tangent(auto& n) { set_scatter_tangent(n); }
};
// Keys, of any types: the stable order along an axis as int32. Attributes {axis, set of keys that
// descend}. Sorted values are gathered by it.
template <> struct row<op::arg_sort> : detail::no_derivative {
  static constexpr op_info info{"arg_sort", op_kind::move, -1, type_rule::own, types::any, autocast_policy::follow, "sort", 0};
  static constexpr void batch(auto& n) { n.with_axis(); }
};
// x itself, printed or checked where it runs: attributes {observation, label…} (graph/observe.hpp).
template <> struct row<op::observe> {
  static constexpr op_info info{"observe", op_kind::move, 1, type_rule::same, types::any, autocast_policy::follow, "custom_call", 0};
  static constexpr void derivative(auto& n) { n.add(0, n.ct()); }
  static constexpr void batch(auto& n) { n.uniform(); }
  static constexpr void tangent(auto& n) { n.set(n.t(0)); }
};

// reductions, products, loops -----------------------------------------------------------------
// Over an axis set, in the canonical order (docs/numerics.md): attributes {axis set}. `meaning` is
// what combines two values.
template <> struct row<op::reduce_sum> {
  static constexpr op_info info{"reduce_sum", op_kind::reduction, 1, type_rule::same, types::numbers, autocast_policy::full, "reduce", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::add(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.spread_over_reduced(n.ct())); }
  static constexpr void batch(auto& n) { n.with_axis_set(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
template <> struct row<op::reduce_max> {
  static constexpr op_info info{"reduce_max", op_kind::reduction, 1, type_rule::same, types::any, autocast_policy::follow, "reduce", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::maximum(a, b); }
  static constexpr void derivative(auto& n) { n.share_among_winners(); }
  static constexpr void batch(auto& n) { n.with_axis_set(); }
  static constexpr void tangent(auto& n) { n.average_winners(); }
};
template <> struct row<op::reduce_min> {
  static constexpr op_info info{"reduce_min", op_kind::reduction, 1, type_rule::same, types::any, autocast_policy::follow, "reduce", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::minimum(a, b); }
  static constexpr void derivative(auto& n) { n.share_among_winners(); }
  static constexpr void batch(auto& n) { n.with_axis_set(); }
  static constexpr void tangent(auto& n) { n.average_winners(); }
};
// Of each element: the product of the others, by one division where there is no zero.
template <> struct row<op::reduce_prod> {
  static constexpr op_info info{"reduce_prod", op_kind::reduction, 1, type_rule::same, types::numbers, autocast_policy::full, "reduce", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::mul(a, b); }
  static constexpr auto others(auto& n) {
    auto zero = equal(n.in(0), n.zeros_like(0));
    auto zeros = n.spread_over_reduced(n.sum_over_reduced(select(zero, n.number_like(0, 1), n.zeros_like(0))));
    auto some = select(zero, n.number_like(0, 1), n.in(0));
    auto product = n.spread_over_reduced(n.reduced_as_here(some));
    auto of_zero = select(equal(zeros, n.number_like(0, 1)), product, n.zeros_like(0));
    auto of_number = select(equal(zeros, n.zeros_like(0)), product / some, n.zeros_like(0));
    return select(zero, of_zero, of_number);
  }
  static constexpr void derivative(auto& n) { auto factor = others(n); n.add(0, n.spread_over_reduced(n.ct()) * factor); }
  static constexpr void batch(auto& n) { n.with_axis_set(); }
  static constexpr void tangent(auto& n) { n.set(n.sum_over_reduced(n.t(0) * others(n))); }
};
// Where the largest or the smallest element is, as int32: attributes {axis set, 1 for the smallest}.
template <> struct row<op::arg_reduce> : detail::no_derivative {
  static constexpr op_info info{"arg_reduce", op_kind::move, 1, type_rule::own, types::any, autocast_policy::follow, "reduce", 0};
  static constexpr void batch(auto& n) { n.with_axis_set(); }
};
// a, b, [start in the accumulation type], [bias]: labels shared by a and b and absent from the
// result are summed, first appearance outermost. Attributes: see graph/attributes.hpp.
template <> struct row<op::contract> {
  static constexpr op_info info{"contract", op_kind::contraction, -1, type_rule::own, types::numbers, autocast_policy::low, "dot_general", 0};
  static constexpr void derivative(auto& n) { n.add_products(n.ct()); }
  static constexpr void batch(auto& n) { n.contract(); }
  static constexpr void tangent(auto& n) { n.set_products(); }
};
// scan without xs, ys and length: steps are done while carry 0, one bool, is true.
template <> struct row<op::while_loop> {
  static constexpr op_info info{"while_loop", op_kind::loop, -1, type_rule::own, types::any, autocast_policy::follow, "while", 0};
  static constexpr void derivative(auto& n) { n.refuse_while(); }
  static constexpr void batch(auto& n) { n.loop(); }
  static constexpr void tangent(auto& n) { n.follow_loop(); }
};
// scan of one step, done if carry 0, one bool, is true; if not, carries stay and ys are zeros.
template <> struct row<op::cond> {
  static constexpr op_info info{"cond", op_kind::loop, -1, type_rule::own, types::any, autocast_policy::follow, "if", 0};
  static constexpr void derivative(auto& n) { n.reverse_loop(); }
  static constexpr void batch(auto& n) { n.loop(); }
  static constexpr void tangent(auto& n) { n.follow_loop(); }
};
// carry…, xs…, constants…; body (carry…, x…, constants…) -> (carry…, y…).
// Attributes {carries, xs, ys, length, reverse}; results: carries, then ys stacked in front.
template <> struct row<op::scan> {
  static constexpr op_info info{"scan", op_kind::loop, -1, type_rule::own, types::any, autocast_policy::follow, "while", 0};
  static constexpr void derivative(auto& n) { n.reverse_loop(); }
  static constexpr void batch(auto& n) { n.loop(); }
  static constexpr void tangent(auto& n) { n.follow_loop(); }
};
// clang-format on

// A row without its info, its derivative, its batching rule or its tangent is refused here; an
// elementwise one without its meaning, where the interpreter makes its table of functions
// (graph/interpret_elementwise.hpp).
namespace detail {
struct any_node;
template <op O> consteval op_info checked_row() {
  constexpr bool described = requires { row<O>::info.policy; };
  static_assert(described, "weft: an op's row lacks its info");
  static_assert(
      requires { &row<O>::template derivative<any_node>; },
      "weft: an op's row lacks its derivative");
  if constexpr (described) {
    static_assert(
        row<O>::info.kind == op_kind::elementwise || requires {
          &row<O>::template batch<any_node>;
        }, "weft: an op's row lacks its batching rule");
    static_assert(
        row<O>::info.kind == op_kind::elementwise || std::is_base_of_v<no_derivative, row<O>> ||
            requires { &row<O>::template tangent<any_node>; },
        "weft: an op's row lacks its tangent");
    return row<O>::info;
  } else return {};
}
template <int... I> consteval auto all_rows(std::integer_sequence<int, I...>) {
  struct rows_type {
    op_info of[sizeof...(I)];
  };
  return rows_type{{checked_row<static_cast<op>(I)>()...}};
}
inline constexpr auto op_rows = all_rows(std::make_integer_sequence<int, op_count>{});
} // namespace detail

// Integers extended to a greater width: does the op give other low bits there than at their own?
// Rows that say so (`depends_on_width`) get loops of their own in the block executor, and the
// interpreter computes them as what they are.
template <op O> inline constexpr bool depends_on_width = requires { row<O>::depends_on_width; };
namespace detail {
template <int... I> consteval auto all_widths(std::integer_sequence<int, I...>) {
  struct widths_type {
    bool of[sizeof...(I)];
  };
  return widths_type{{depends_on_width<static_cast<op>(I)>...}};
}
inline constexpr auto op_widths = all_widths(std::make_integer_sequence<int, op_count>{});
} // namespace detail
constexpr bool looks_at_width(op o) { return detail::op_widths.of[static_cast<int>(o)]; }

constexpr op_info const& info_of(op o) { return detail::op_rows.of[static_cast<int>(o)]; }
constexpr char const* name_of(op o) { return info_of(o).name; }
constexpr bool is_elementwise(op o) { return info_of(o).kind == op_kind::elementwise; }
constexpr bool is_loop(op o) { return info_of(o).kind == op_kind::loop; }
// Does carry 0 say whether a step is done?
constexpr bool has_condition(op o) { return o == op::while_loop || o == op::cond; }
constexpr bool is_view(op o) { return info_of(o).kind == op_kind::view; }

} // namespace weft::inline v0
