// SPDX-License-Identifier: BSL-1.0
// Rows of the op table: sources, movement, reductions, products, loops. op/table.hpp says what a row
// has. Shape rules: docs/ops.md, checked by graph/verify.hpp.
#pragma once

#include <weft/core/extents.hpp>
#include <weft/core/growing.hpp>
#include <weft/op/meaning.hpp>
#include <weft/op/row.hpp>

namespace weft::inline v0 {

// clang-format off
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
// Windows of x, which may overlap: attributes {axis…, size…, stride…, dilation…}
// (graph/window_list.hpp). Windowed axes become places, and the sizes stand behind all axes.
template <> struct row<op::window> {
  static constexpr op_info info{"window", op_kind::view, 1, type_rule::same, types::any, autocast_policy::follow, "", 0};
  static constexpr void derivative(auto& n) { n.add(0, overlap_add(n.ct(), n.in(0).shape(), n.attributes())); }
  static constexpr void batch(auto& n) { n.with_windows(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// x itself; how a mesh of ranks shall split it, to pass/partition.hpp. Attributes: names of mesh axes per
// axis (graph/sharding.hpp).
template <> struct row<op::shard> {
  static constexpr op_info info{"shard", op_kind::view, 1, type_rule::same, types::any, autocast_policy::follow, "", 0};
  static constexpr void derivative(auto& n) { n.add(0, shard(n.ct(), n.attributes())); }
  static constexpr void batch(auto& n) { n.with_shard_list(); }
  static constexpr void tangent(auto& n) { n.again(1); }
};
// Operand and a rank-0 filler: attributes {low…, high…, interior…}; negative low or high crops.
template <> struct row<op::pad> {
  static constexpr op_info info{"pad", op_kind::move, 2, type_rule::same, types::any, autocast_policy::promote, "pad", 0};
  static constexpr void derivative(auto& n) {
    n.add(0, unpad(n.ct(), n.in(0).shape(), n.attributes()));
    n.add(1, sum_all(of_filler(n.ct(), n.in(0).shape(), n.attributes())));
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
// The adjoint of window: the node's shape is what window reads, the operand's what it gives, the
// attributes are window's. Each element is the sum of what stands for it, in the order of taps.
// Policy follow: at most a window's size of terms, kept in float and rounded once in any case; and
// PyTorch's fold is in none of its lists.
template <> struct row<op::overlap_add> {
  static constexpr op_info info{"overlap_add", op_kind::move, 1, type_rule::same, types::numbers, autocast_policy::follow, "", 0};
  static constexpr void derivative(auto& n) { n.add(0, window(n.ct(), n.attributes())); }
  static constexpr void batch(auto& n) { n.with_windows(); }
  static constexpr void tangent(auto& n) { n.again(1); }
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
  static constexpr void batch(auto& n) { n.observe(); }
  static constexpr void tangent(auto& n) { n.set(n.t(0)); }
};
// Which rank this is, of those that run the program: attributes {divisor, modulus, world}
// (graph/collective.hpp).
template <> struct row<op::rank> : detail::no_derivative {
  static constexpr op_info info{"rank", op_kind::move, 0, type_rule::chosen, types::integers, autocast_policy::follow, "partition_id", 0};
  static constexpr void batch(auto&) {}
};
// x, exchanged with other ranks. Attributes: see graph/collective.hpp.
template <> struct row<op::collective> {
  static constexpr op_info info{"collective", op_kind::move, 1, type_rule::same, types::any, autocast_policy::follow, "all_reduce", 0};
  static constexpr void derivative(auto& n) { add_collective_cotangent(n); }
  static constexpr void batch(auto& n) { n.with_two_axes(); }
  static constexpr void tangent(auto& n) { set_collective_tangent(n); }
};
// Arrays, given to a function of the host's, which pass as pure: attributes {host function, batch
// axes, results, then type, rank and extents of each} (graph/custom_call.hpp). Policy full: operands
// in their declared types, which autocast leaves as they are.
template <> struct row<op::custom_call> {
  static constexpr op_info info{"custom_call", op_kind::move, -1, type_rule::own, types::any, autocast_policy::full, "custom_call", 0};
  static constexpr void derivative(auto& n) { n.reverse_custom_call(); }
  static constexpr void batch(auto& n) { n.custom_call(); }
  static constexpr void tangent(auto& n) { n.set_custom_call(); }
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
  static constexpr void derivative(auto& n) { add_extremum_cotangent(n); }
  static constexpr void batch(auto& n) { n.with_axis_set(); }
  static constexpr void tangent(auto& n) { set_extremum_tangent(n); }
};
template <> struct row<op::reduce_min> {
  static constexpr op_info info{"reduce_min", op_kind::reduction, 1, type_rule::same, types::any, autocast_policy::follow, "reduce", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::minimum(a, b); }
  static constexpr void derivative(auto& n) { add_extremum_cotangent(n); }
  static constexpr void batch(auto& n) { n.with_axis_set(); }
  static constexpr void tangent(auto& n) { set_extremum_tangent(n); }
};
// Of each element: the product of the others, by one division where none of them is zero. With one
// zero among them it is +0, as a multiple of that zero: second derivatives pass through.
template <> struct row<op::reduce_prod> {
  static constexpr op_info info{"reduce_prod", op_kind::reduction, 1, type_rule::same, types::numbers, autocast_policy::full, "reduce", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::mul(a, b); }
  static constexpr auto others(auto& n) {
    auto zero = equal(n.in(0), n.zeros_like(0));
    auto is_zero = select(zero, n.number_like(0, 1), n.zeros_like(0)), of_zeros = select(zero, n.in(0), n.zeros_like(0));
    auto some = select(zero, n.number_like(0, 1), n.in(0));
    auto product = n.spread_over_reduced(n.reduced_as_here(some)) / some;
    auto zeros = n.spread_over_reduced(n.sum_over_reduced(is_zero)) - is_zero; // how many others
    auto their_sum = n.spread_over_reduced(n.sum_over_reduced(of_zeros)) - of_zeros;
    return product_with_zeros(product, zeros, their_sum);
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
// x, w, [bias]: a contraction some of whose axes are windows. Attributes: see graph/convolution.hpp.
template <> struct row<op::convolve> {
  static constexpr op_info info{"convolve", op_kind::contraction, -1, type_rule::own, types::numbers, autocast_policy::low, "convolution", 0};
  static constexpr void derivative(auto& n) { n.add_convolutions(n.ct()); }
  static constexpr void batch(auto& n) { n.convolve(); }
  static constexpr void tangent(auto& n) { n.set_convolutions(); }
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

} // namespace weft::inline v0
