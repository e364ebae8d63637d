// SPDX-License-Identifier: BSL-1.0
// Which part of the import reads an operation: one line each.
// Needs: the parts. Leaves: nodes for one operation of the text, or its failure.
#pragma once

#include <weft/stablehlo/import_bessel.hpp>
#include <weft/stablehlo/import_collectives.hpp>
#include <weft/stablehlo/import_control.hpp>
#include <weft/stablehlo/import_dynamic.hpp>
#include <weft/stablehlo/import_index.hpp>
#include <weft/stablehlo/import_products.hpp>
#include <weft/stablehlo/import_random.hpp>
#include <weft/stablehlo/import_reduce.hpp>
#include <weft/stablehlo/import_scatter.hpp>
#include <weft/stablehlo/import_shapes.hpp>
#include <weft/stablehlo/import_sort.hpp>
#include <weft/stablehlo/import_windows.hpp>

#include <limits>

namespace weft::inline v0::stablehlo {
namespace detail {

// May an operation stand where scalars are elements of arrays?
constexpr bool is_of_elements(code what) {
  if (ops_by_code.of[static_cast<int>(what)] >= 0) return true;
  switch (what) {
    case code::compare:
    case code::select:
    case code::clamp:
    case code::convert:
    case code::bitcast_convert:
    case code::reduce_precision:
    case code::constant:
    case code::chlo_constant:
    case code::broadcast_in_dim:
    case code::reshape:
    case code::square:
    case code::next_after:
    case code::bessel_i1e:
    case code::is_inf:
    case code::is_pos_inf:
    case code::is_neg_inf:
    case code::call:
    case code::func_call:
    case code::composite:
    case code::optimization_barrier: return true;
    default: return false;
  }
}
// False: none of these.
constexpr bool import_element(importing& c, operation const& o) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (o.what == code::unknown) return false;
  if (import_by_table(c, o)) return true;
  switch (o.what) {
    case code::compare: return import_compare(c, o), true;
    case code::clamp: return import_clamp(c, o), true;
    case code::select: return import_select(c, o), true;
    case code::convert: return import_convert(c, o), true;
    case code::bitcast_convert: return import_bitcast_convert(c, o), true;
    case code::reduce_precision: return import_reduce_precision(c, o), true;
    case code::map: return import_map(c, o), true;
    case code::square: return import_square(c, o), true;
    case code::next_after: return import_next_after(c, o), true;
    case code::bessel_i1e: return import_bessel_i1e(c, o), true;
    case code::is_pos_inf: return import_is_infinity(c, o, infinity), true;
    case code::is_neg_inf: return import_is_infinity(c, o, -infinity), true;
    default: return false;
  }
}
constexpr bool import_movement(importing& c, operation const& o) {
  switch (o.what) {
    case code::constant:
    case code::chlo_constant: return import_constant(c, o), true;
    case code::iota: return import_iota(c, o), true;
    case code::broadcast_in_dim: return import_broadcast_in_dim(c, o), true;
    case code::broadcast: return import_broadcast(c, o), true;
    case code::reshape: return import_reshape(c, o), true;
    case code::transpose: return import_transpose(c, o), true;
    case code::slice: return import_slice(c, o), true;
    case code::reverse: return import_reverse(c, o), true;
    case code::concatenate: return import_concatenate(c, o), true;
    case code::pad: return import_pad(c, o), true;
    case code::gather: return import_gather(c, o), true;
    case code::scatter: return import_scatter(c, o), true;
    case code::dynamic_slice: return import_dynamic_slice(c, o), true;
    case code::dynamic_update_slice: return import_dynamic_update_slice(c, o), true;
    case code::torch_index_select: return import_torch_index_select(c, o), true;
    case code::sort: return import_sort(c, o), true;
    case code::top_k: return import_top_k(c, o), true;
    default: return false;
  }
}
constexpr bool import_sums(importing& c, operation const& o) {
  switch (o.what) {
    case code::dot_general: return import_dot_general(c, o), true;
    case code::dot: return import_dot(c, o), true;
    case code::einsum: return import_einsum(c, o, 2), true;
    case code::unary_einsum: return import_einsum(c, o, 1), true;
    case code::convolution: return import_convolution(c, o), true;
    case code::reduce: return import_reduce(c, o), true;
    case code::reduce_window: return import_reduce_window(c, o), true;
    case code::select_and_scatter: return import_select_and_scatter(c, o), true;
    case code::batch_norm_inference: return import_batch_norm_inference(c, o), true;
    case code::batch_norm_training: return import_batch_norm_training(c, o), true;
    case code::batch_norm_grad: return import_batch_norm_grad(c, o), true;
    case code::rng_bit_generator: return import_rng_bit_generator(c, o), true;
    default: return false;
  }
}
constexpr bool import_flow(importing& c, operation const& o) {
  switch (o.what) {
    case code::call:
    case code::func_call: return import_call(c, o), true;
    case code::while_: return import_while(c, o), true;
    case code::if_: return import_if(c, o), true;
    case code::case_: return import_case(c, o), true;
    case code::composite: return import_composite(c, o), true;
    case code::custom_call: return import_custom_call(c, o), true;
    case code::optimization_barrier:
    case code::sharding_constraint: // where it lies: of all devices' array the value
    case code::tuple: return import_same(c, o), true;
    case code::get_tuple_element: return import_get_tuple_element(c, o), true;
    case code::after_all:
    case code::create_token: return true; // nothing
    default: return false;
  }
}
constexpr char const* why_not(code what) {
  if (what == code::rng)
    return "its numbers are not the same anywhere; draw with rng_bit_generator or threefry";
  return "is no operation that weft reads";
}
constexpr void import_operation(importing& c, int id) {
  operation const& o = c.m.operations[id];
  if (c.lifted && !is_of_elements(o.what))
    return c.fail(o, "is not read in the body of a reduction, sort, scatter or map");
  if (import_element(c, o) || import_movement(c, o) || import_sums(c, o) || import_flow(c, o) ||
      import_collective(c, o) || import_dynamic(c, o))
    return;
  c.fail(o, why_not(o.what));
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
