// SPDX-License-Identifier: BSL-1.0
// The operations that modules are made of: one code for each that weft reads or writes, with its
// full name. `chlo` and `check` are the helper dialects that exporters and test corpora use.
// Leaves: `code_of(name)` and `name_of(code)`; the names are sorted, the codes in their order.
#pragma once

#include <weft/core/growing.hpp>

#include <cstdint>

namespace weft::inline v0::stablehlo {

enum class code : std::uint8_t {
  call,
  acos,
  acosh,
  asin,
  asinh,
  chlo_atan,
  atanh,
  bessel_i1e,
  chlo_constant,
  cosh,
  digamma,
  erf,
  erf_inv,
  erfc,
  is_inf,
  is_neg_inf,
  is_pos_inf,
  lgamma,
  next_after,
  polygamma,
  sinh,
  square,
  chlo_tan,
  top_k,
  zeta,
  func_call,
  func_return,
  return_,
  sharding_constraint,
  abs,
  add,
  after_all,
  all_gather,
  all_reduce,
  all_to_all,
  and_,
  atan2,
  batch_norm_grad,
  batch_norm_inference,
  batch_norm_training,
  bitcast_convert,
  broadcast,
  broadcast_in_dim,
  case_,
  cbrt,
  ceil,
  cholesky,
  clamp,
  collective_broadcast,
  collective_permute,
  compare,
  composite,
  concatenate,
  constant,
  convert,
  convolution,
  cosine,
  count_leading_zeros,
  create_token,
  custom_call,
  divide,
  dot,
  dot_general,
  dynamic_broadcast_in_dim,
  dynamic_conv,
  dynamic_gather,
  dynamic_iota,
  dynamic_pad,
  dynamic_reshape,
  dynamic_slice,
  dynamic_update_slice,
  einsum,
  exponential,
  exponential_minus_one,
  floor,
  gather,
  get_dimension_size,
  get_tuple_element,
  if_,
  iota,
  is_finite,
  log,
  log_plus_one,
  logistic,
  map,
  maximum,
  minimum,
  multiply,
  negate,
  not_,
  optimization_barrier,
  or_,
  pad,
  partition_id,
  popcnt,
  power,
  real_dynamic_slice,
  reduce,
  reduce_precision,
  reduce_scatter,
  reduce_window,
  remainder,
  replica_id,
  reshape,
  stablehlo_return,
  reverse,
  rng,
  rng_bit_generator,
  round_nearest_afz,
  round_nearest_even,
  rsqrt,
  scatter,
  select,
  select_and_scatter,
  set_dimension_size,
  shift_left,
  shift_right_arithmetic,
  shift_right_logical,
  sign,
  sine,
  slice,
  sort,
  sqrt,
  subtract,
  tan,
  tanh,
  torch_index_select,
  transpose,
  triangular_solve,
  tuple,
  unary_einsum,
  while_,
  xor_,
  unknown
};
inline constexpr int code_count = static_cast<int>(code::unknown);

namespace detail {

struct code_row {
  code what;
  char const* name;
};
inline constexpr code_row code_rows[] = {
    {code::call, "call"},
    {code::acos, "chlo.acos"},
    {code::acosh, "chlo.acosh"},
    {code::asin, "chlo.asin"},
    {code::asinh, "chlo.asinh"},
    {code::chlo_atan, "chlo.atan"},
    {code::atanh, "chlo.atanh"},
    {code::bessel_i1e, "chlo.bessel_i1e"},
    {code::chlo_constant, "chlo.constant"},
    {code::cosh, "chlo.cosh"},
    {code::digamma, "chlo.digamma"},
    {code::erf, "chlo.erf"},
    {code::erf_inv, "chlo.erf_inv"},
    {code::erfc, "chlo.erfc"},
    {code::is_inf, "chlo.is_inf"},
    {code::is_neg_inf, "chlo.is_neg_inf"},
    {code::is_pos_inf, "chlo.is_pos_inf"},
    {code::lgamma, "chlo.lgamma"},
    {code::next_after, "chlo.next_after"},
    {code::polygamma, "chlo.polygamma"},
    {code::sinh, "chlo.sinh"},
    {code::square, "chlo.square"},
    {code::chlo_tan, "chlo.tan"},
    {code::top_k, "chlo.top_k"},
    {code::zeta, "chlo.zeta"},
    {code::func_call, "func.call"},
    {code::func_return, "func.return"},
    {code::return_, "return"},
    {code::sharding_constraint, "sdy.sharding_constraint"},
    {code::abs, "stablehlo.abs"},
    {code::add, "stablehlo.add"},
    {code::after_all, "stablehlo.after_all"},
    {code::all_gather, "stablehlo.all_gather"},
    {code::all_reduce, "stablehlo.all_reduce"},
    {code::all_to_all, "stablehlo.all_to_all"},
    {code::and_, "stablehlo.and"},
    {code::atan2, "stablehlo.atan2"},
    {code::batch_norm_grad, "stablehlo.batch_norm_grad"},
    {code::batch_norm_inference, "stablehlo.batch_norm_inference"},
    {code::batch_norm_training, "stablehlo.batch_norm_training"},
    {code::bitcast_convert, "stablehlo.bitcast_convert"},
    {code::broadcast, "stablehlo.broadcast"},
    {code::broadcast_in_dim, "stablehlo.broadcast_in_dim"},
    {code::case_, "stablehlo.case"},
    {code::cbrt, "stablehlo.cbrt"},
    {code::ceil, "stablehlo.ceil"},
    {code::cholesky, "stablehlo.cholesky"},
    {code::clamp, "stablehlo.clamp"},
    {code::collective_broadcast, "stablehlo.collective_broadcast"},
    {code::collective_permute, "stablehlo.collective_permute"},
    {code::compare, "stablehlo.compare"},
    {code::composite, "stablehlo.composite"},
    {code::concatenate, "stablehlo.concatenate"},
    {code::constant, "stablehlo.constant"},
    {code::convert, "stablehlo.convert"},
    {code::convolution, "stablehlo.convolution"},
    {code::cosine, "stablehlo.cosine"},
    {code::count_leading_zeros, "stablehlo.count_leading_zeros"},
    {code::create_token, "stablehlo.create_token"},
    {code::custom_call, "stablehlo.custom_call"},
    {code::divide, "stablehlo.divide"},
    {code::dot, "stablehlo.dot"},
    {code::dot_general, "stablehlo.dot_general"},
    {code::dynamic_broadcast_in_dim, "stablehlo.dynamic_broadcast_in_dim"},
    {code::dynamic_conv, "stablehlo.dynamic_conv"},
    {code::dynamic_gather, "stablehlo.dynamic_gather"},
    {code::dynamic_iota, "stablehlo.dynamic_iota"},
    {code::dynamic_pad, "stablehlo.dynamic_pad"},
    {code::dynamic_reshape, "stablehlo.dynamic_reshape"},
    {code::dynamic_slice, "stablehlo.dynamic_slice"},
    {code::dynamic_update_slice, "stablehlo.dynamic_update_slice"},
    {code::einsum, "stablehlo.einsum"},
    {code::exponential, "stablehlo.exponential"},
    {code::exponential_minus_one, "stablehlo.exponential_minus_one"},
    {code::floor, "stablehlo.floor"},
    {code::gather, "stablehlo.gather"},
    {code::get_dimension_size, "stablehlo.get_dimension_size"},
    {code::get_tuple_element, "stablehlo.get_tuple_element"},
    {code::if_, "stablehlo.if"},
    {code::iota, "stablehlo.iota"},
    {code::is_finite, "stablehlo.is_finite"},
    {code::log, "stablehlo.log"},
    {code::log_plus_one, "stablehlo.log_plus_one"},
    {code::logistic, "stablehlo.logistic"},
    {code::map, "stablehlo.map"},
    {code::maximum, "stablehlo.maximum"},
    {code::minimum, "stablehlo.minimum"},
    {code::multiply, "stablehlo.multiply"},
    {code::negate, "stablehlo.negate"},
    {code::not_, "stablehlo.not"},
    {code::optimization_barrier, "stablehlo.optimization_barrier"},
    {code::or_, "stablehlo.or"},
    {code::pad, "stablehlo.pad"},
    {code::partition_id, "stablehlo.partition_id"},
    {code::popcnt, "stablehlo.popcnt"},
    {code::power, "stablehlo.power"},
    {code::real_dynamic_slice, "stablehlo.real_dynamic_slice"},
    {code::reduce, "stablehlo.reduce"},
    {code::reduce_precision, "stablehlo.reduce_precision"},
    {code::reduce_scatter, "stablehlo.reduce_scatter"},
    {code::reduce_window, "stablehlo.reduce_window"},
    {code::remainder, "stablehlo.remainder"},
    {code::replica_id, "stablehlo.replica_id"},
    {code::reshape, "stablehlo.reshape"},
    {code::stablehlo_return, "stablehlo.return"},
    {code::reverse, "stablehlo.reverse"},
    {code::rng, "stablehlo.rng"},
    {code::rng_bit_generator, "stablehlo.rng_bit_generator"},
    {code::round_nearest_afz, "stablehlo.round_nearest_afz"},
    {code::round_nearest_even, "stablehlo.round_nearest_even"},
    {code::rsqrt, "stablehlo.rsqrt"},
    {code::scatter, "stablehlo.scatter"},
    {code::select, "stablehlo.select"},
    {code::select_and_scatter, "stablehlo.select_and_scatter"},
    {code::set_dimension_size, "stablehlo.set_dimension_size"},
    {code::shift_left, "stablehlo.shift_left"},
    {code::shift_right_arithmetic, "stablehlo.shift_right_arithmetic"},
    {code::shift_right_logical, "stablehlo.shift_right_logical"},
    {code::sign, "stablehlo.sign"},
    {code::sine, "stablehlo.sine"},
    {code::slice, "stablehlo.slice"},
    {code::sort, "stablehlo.sort"},
    {code::sqrt, "stablehlo.sqrt"},
    {code::subtract, "stablehlo.subtract"},
    {code::tan, "stablehlo.tan"},
    {code::tanh, "stablehlo.tanh"},
    {code::torch_index_select, "stablehlo.torch_index_select"},
    {code::transpose, "stablehlo.transpose"},
    {code::triangular_solve, "stablehlo.triangular_solve"},
    {code::tuple, "stablehlo.tuple"},
    {code::unary_einsum, "stablehlo.unary_einsum"},
    {code::while_, "stablehlo.while"},
    {code::xor_, "stablehlo.xor"},
};

// Below, at or above 0 as a comes before, is, or comes behind the name b.
constexpr int compare_names(view<char> a, char const* b) {
  for (char c : a) {
    if (*b == '\0') return 1;
    if (c != *b) return c < *b ? -1 : 1;
    ++b;
  }
  return *b == '\0' ? 0 : -1;
}
consteval bool codes_are_sorted() {
  for (int i = 0; i < code_count; ++i)
    if (static_cast<int>(code_rows[i].what) != i) return false;
  for (int i = 1; i < code_count; ++i) {
    int n = 0;
    while (code_rows[i].name[n] != '\0') ++n;
    if (compare_names({code_rows[i].name, n}, code_rows[i - 1].name) <= 0) return false;
  }
  return sizeof(code_rows) / sizeof(code_row) == code_count;
}
static_assert(codes_are_sorted());

} // namespace detail

constexpr bool is_name(view<char> text, char const* name) {
  return detail::compare_names(text, name) == 0;
}
constexpr char const* name_of(code c) {
  return c == code::unknown ? "" : detail::code_rows[static_cast<int>(c)].name;
}
// unknown: weft does not know it.
constexpr code code_of(view<char> name) {
  int low = 0, high = code_count;
  while (low < high) {
    int const middle = low + (high - low) / 2;
    int const order = detail::compare_names(name, detail::code_rows[middle].name);
    if (order == 0) return static_cast<code>(middle);
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return code::unknown;
}

} // namespace weft::inline v0::stablehlo
