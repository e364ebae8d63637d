// SPDX-License-Identifier: BSL-1.0
// The operations that modules are made of: one code for each that weft reads or writes, with its
// full name. `chlo` and `check` are the helper dialects that exporters and test corpora use.
// Leaves: `code_of(name)` and `name_of(code)`; the names are sorted, the codes in their order.
#pragma once

#include <weft/core/growing.hpp>

#include <cstdint>

namespace weft::inline v0::stablehlo {

// clang-format off
#define WEFT_STABLEHLO_OPS(X) \
  X(call, "call") \
  X(acos, "chlo.acos") X(acosh, "chlo.acosh") X(asin, "chlo.asin") X(asinh, "chlo.asinh") \
  X(chlo_atan, "chlo.atan") X(atanh, "chlo.atanh") X(chlo_constant, "chlo.constant") \
  X(cosh, "chlo.cosh") X(digamma, "chlo.digamma") X(erf, "chlo.erf") X(erf_inv, "chlo.erf_inv") \
  X(erfc, "chlo.erfc") X(is_inf, "chlo.is_inf") X(is_neg_inf, "chlo.is_neg_inf") \
  X(is_pos_inf, "chlo.is_pos_inf") X(lgamma, "chlo.lgamma") X(next_after, "chlo.next_after") \
  X(polygamma, "chlo.polygamma") X(sinh, "chlo.sinh") X(square, "chlo.square") \
  X(chlo_tan, "chlo.tan") X(top_k, "chlo.top_k") X(zeta, "chlo.zeta") \
  X(func_call, "func.call") X(func_return, "func.return") X(return_, "return") \
  X(abs, "stablehlo.abs") X(add, "stablehlo.add") X(after_all, "stablehlo.after_all") \
  X(all_gather, "stablehlo.all_gather") X(all_reduce, "stablehlo.all_reduce") \
  X(all_to_all, "stablehlo.all_to_all") X(and_, "stablehlo.and") X(atan2, "stablehlo.atan2") \
  X(batch_norm_grad, "stablehlo.batch_norm_grad") \
  X(batch_norm_inference, "stablehlo.batch_norm_inference") \
  X(batch_norm_training, "stablehlo.batch_norm_training") \
  X(bitcast_convert, "stablehlo.bitcast_convert") X(broadcast, "stablehlo.broadcast") \
  X(broadcast_in_dim, "stablehlo.broadcast_in_dim") X(case_, "stablehlo.case") \
  X(cbrt, "stablehlo.cbrt") X(ceil, "stablehlo.ceil") \
  X(cholesky, "stablehlo.cholesky") X(clamp, "stablehlo.clamp") \
  X(collective_broadcast, "stablehlo.collective_broadcast") \
  X(collective_permute, "stablehlo.collective_permute") X(compare, "stablehlo.compare") \
  X(composite, "stablehlo.composite") X(concatenate, "stablehlo.concatenate") \
  X(constant, "stablehlo.constant") X(convert, "stablehlo.convert") \
  X(convolution, "stablehlo.convolution") X(cosine, "stablehlo.cosine") \
  X(count_leading_zeros, "stablehlo.count_leading_zeros") \
  X(create_token, "stablehlo.create_token") X(custom_call, "stablehlo.custom_call") \
  X(divide, "stablehlo.divide") X(dot, "stablehlo.dot") X(dot_general, "stablehlo.dot_general") \
  X(dynamic_broadcast_in_dim, "stablehlo.dynamic_broadcast_in_dim") \
  X(dynamic_conv, "stablehlo.dynamic_conv") X(dynamic_gather, "stablehlo.dynamic_gather") \
  X(dynamic_iota, "stablehlo.dynamic_iota") X(dynamic_pad, "stablehlo.dynamic_pad") \
  X(dynamic_reshape, "stablehlo.dynamic_reshape") X(dynamic_slice, "stablehlo.dynamic_slice") \
  X(dynamic_update_slice, "stablehlo.dynamic_update_slice") X(einsum, "stablehlo.einsum") \
  X(exponential, "stablehlo.exponential") \
  X(exponential_minus_one, "stablehlo.exponential_minus_one") X(floor, "stablehlo.floor") \
  X(gather, "stablehlo.gather") X(get_dimension_size, "stablehlo.get_dimension_size") \
  X(get_tuple_element, "stablehlo.get_tuple_element") X(if_, "stablehlo.if") \
  X(iota, "stablehlo.iota") X(is_finite, "stablehlo.is_finite") X(log, "stablehlo.log") \
  X(log_plus_one, "stablehlo.log_plus_one") X(logistic, "stablehlo.logistic") \
  X(map, "stablehlo.map") X(maximum, "stablehlo.maximum") X(minimum, "stablehlo.minimum") \
  X(multiply, "stablehlo.multiply") X(negate, "stablehlo.negate") X(not_, "stablehlo.not") \
  X(optimization_barrier, "stablehlo.optimization_barrier") X(or_, "stablehlo.or") \
  X(pad, "stablehlo.pad") X(partition_id, "stablehlo.partition_id") \
  X(popcnt, "stablehlo.popcnt") X(power, "stablehlo.power") \
  X(real_dynamic_slice, "stablehlo.real_dynamic_slice") X(reduce, "stablehlo.reduce") \
  X(reduce_precision, "stablehlo.reduce_precision") \
  X(reduce_scatter, "stablehlo.reduce_scatter") X(reduce_window, "stablehlo.reduce_window") \
  X(remainder, "stablehlo.remainder") X(replica_id, "stablehlo.replica_id") \
  X(reshape, "stablehlo.reshape") X(stablehlo_return, "stablehlo.return") \
  X(reverse, "stablehlo.reverse") X(rng, "stablehlo.rng") \
  X(rng_bit_generator, "stablehlo.rng_bit_generator") \
  X(round_nearest_afz, "stablehlo.round_nearest_afz") \
  X(round_nearest_even, "stablehlo.round_nearest_even") X(rsqrt, "stablehlo.rsqrt") \
  X(scatter, "stablehlo.scatter") X(select, "stablehlo.select") \
  X(select_and_scatter, "stablehlo.select_and_scatter") \
  X(set_dimension_size, "stablehlo.set_dimension_size") X(shift_left, "stablehlo.shift_left") \
  X(shift_right_arithmetic, "stablehlo.shift_right_arithmetic") \
  X(shift_right_logical, "stablehlo.shift_right_logical") X(sign, "stablehlo.sign") \
  X(sine, "stablehlo.sine") X(slice, "stablehlo.slice") X(sort, "stablehlo.sort") \
  X(sqrt, "stablehlo.sqrt") X(subtract, "stablehlo.subtract") X(tan, "stablehlo.tan") \
  X(tanh, "stablehlo.tanh") X(torch_index_select, "stablehlo.torch_index_select") \
  X(transpose, "stablehlo.transpose") X(triangular_solve, "stablehlo.triangular_solve") \
  X(tuple, "stablehlo.tuple") \
  X(unary_einsum, "stablehlo.unary_einsum") X(while_, "stablehlo.while") \
  X(xor_, "stablehlo.xor")
// clang-format on

enum class code : std::uint8_t {
#define WEFT_STABLEHLO_CODE(name, spelling) name,
  WEFT_STABLEHLO_OPS(WEFT_STABLEHLO_CODE)
#undef WEFT_STABLEHLO_CODE
      unknown
};
inline constexpr int code_count = static_cast<int>(code::unknown);

namespace detail {
inline constexpr char const* code_names[] = {
#define WEFT_STABLEHLO_NAME(name, spelling) spelling,
    WEFT_STABLEHLO_OPS(WEFT_STABLEHLO_NAME)
#undef WEFT_STABLEHLO_NAME
};
#undef WEFT_STABLEHLO_OPS

// Below, at or above 0 as a comes before, is, or comes behind the name b.
constexpr int compare_names(view<char> a, char const* b) {
  for (char c : a) {
    if (*b == '\0') return 1;
    if (c != *b) return c < *b ? -1 : 1;
    ++b;
  }
  return *b == '\0' ? 0 : -1;
}
} // namespace detail

constexpr bool is_name(view<char> text, char const* name) {
  return detail::compare_names(text, name) == 0;
}
constexpr char const* name_of(code c) {
  return c == code::unknown ? "" : detail::code_names[static_cast<int>(c)];
}
// unknown: weft does not know it.
constexpr code code_of(view<char> name) {
  int low = 0, high = code_count;
  while (low < high) {
    int const middle = low + (high - low) / 2;
    int const order = detail::compare_names(name, detail::code_names[middle]);
    if (order == 0) return static_cast<code>(middle);
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return code::unknown;
}

} // namespace weft::inline v0::stablehlo
