// SPDX-License-Identifier: BSL-1.0
// The pretty forms as data: which attributes follow the operands as `, key = value`, and which
// values are the defaults that a text need not write.
// Leaves: parser and printer share the rows.
#pragma once

#include <weft/stablehlo/module.hpp>

namespace weft::inline v0::stablehlo::detail {

enum class key_kind : std::uint8_t {
  integer,    // dim = 1
  integers,   // dims = [0, 1]
  enumerator, // algorithm = THREE_FRY
  text,       // config = "ab,bc->ac"
  boolean,    // lower = true
  batching,   // batching_dims = [0] x [0], in the record dot_dimension_numbers
  contracting,
  precision, // precision = [DEFAULT, HIGH]
  algorithm, // algorithm = <lhs_precision_type = tf32, ...>
  format     // format = e5m10: exponent_bits and mantissa_bits
};
struct pretty_key {
  code what;
  char const* key;
  char const* name; // in the generic form
  key_kind kind;
};
inline constexpr pretty_key pretty_keys[] = {
    {code::iota, "dim", "iota_dimension", key_kind::integer},
    {code::dynamic_iota, "dim", "iota_dimension", key_kind::integer},
    {code::broadcast, "sizes", "broadcast_sizes", key_kind::integers},
    {code::broadcast_in_dim, "dims", "broadcast_dimensions", key_kind::integers},
    {code::dynamic_broadcast_in_dim, "dims", "broadcast_dimensions", key_kind::integers},
    {code::concatenate, "dim", "dimension", key_kind::integer},
    {code::dynamic_slice, "sizes", "slice_sizes", key_kind::integers},
    {code::pad, "low", "edge_padding_low", key_kind::integers},
    {code::pad, "high", "edge_padding_high", key_kind::integers},
    {code::pad, "interior", "interior_padding", key_kind::integers},
    {code::transpose, "dims", "permutation", key_kind::integers},
    {code::reverse, "dims", "dimensions", key_kind::integers},
    {code::get_dimension_size, "dim", "dimension", key_kind::integer},
    {code::dot, "precision", "precision_config", key_kind::precision},
    {code::dot_general, "batching_dims", "dot_dimension_numbers", key_kind::batching},
    {code::dot_general, "contracting_dims", "dot_dimension_numbers", key_kind::contracting},
    {code::dot_general, "precision", "precision_config", key_kind::precision},
    {code::dot_general, "algorithm", "algorithm", key_kind::algorithm},
    {code::einsum, "config", "einsum_config", key_kind::text},
    {code::unary_einsum, "config", "einsum_config", key_kind::text},
    {code::reduce_precision, "format", "exponent_bits", key_kind::format},
    {code::rng_bit_generator, "algorithm", "rng_algorithm", key_kind::enumerator},
    {code::set_dimension_size, "dim", "dimension", key_kind::integer},
    {code::cholesky, "lower", "lower", key_kind::boolean},
    {code::rng, "distribution", "rng_distribution", key_kind::enumerator},
    {code::top_k, "k", "k", key_kind::integer},
};

// window = {stride = [1, 1], ...} of convolutions
struct window_key {
  char const *key, *name;
};
inline constexpr window_key window_keys[] = {{"stride", "window_strides"},
                                             {"pad", "padding"},
                                             {"lhs_dilate", "lhs_dilation"},
                                             {"rhs_dilate", "rhs_dilation"},
                                             {"reverse", "window_reversal"}};

// Operations with a window whose strides, dilations and padding have defaults.
constexpr bool has_window(code c) {
  return c == code::convolution || c == code::dynamic_conv || c == code::reduce_window ||
         c == code::select_and_scatter;
}
constexpr bool is_false(attribute const& a) {
  return a.kind == attribute_kind::boolean && a.integer == 0;
}
constexpr bool is_all(module_ir const& m, attribute const& a, word w) {
  return a.kind == attribute_kind::numbers &&
         (a.count == 0 || (a.count == 1 && m.words[a.first] == w));
}
constexpr bool is_empty_list(attribute const& a) {
  return a.kind == attribute_kind::list && a.count == 0;
}
constexpr bool is_default_precision(module_ir const& m, attribute const& a) {
  if (a.kind != attribute_kind::list) return false;
  for (int i = 0; i < a.count; ++i)
    if (!m.is(m.attributes[a.first + i].text, "DEFAULT")) return false;
  return true;
}

// The one rule about defaults: an attribute that says what StableHLO takes where nothing is said
// is not kept, whichever form of the text had it. These are all there are.
constexpr bool is_default(module_ir const& m, code c, attribute const& a) {
  auto const named = [&](char const* name) { return m.is(a.name, name); };
  if (c == code::custom_call)
    return (named("has_side_effect") && is_false(a)) ||
           (named("api_version") && a.kind == attribute_kind::integer && a.integer == 1) ||
           (named("backend_config") && a.kind == attribute_kind::string && a.text.count == 0) ||
           ((named("called_computations") || named("output_operand_aliases")) && is_empty_list(a));
  if (c == code::composite)
    return (named("version") && a.kind == attribute_kind::integer && a.integer == 0) ||
           (named("composite_attributes") && a.kind == attribute_kind::record && a.count == 0);
  if (has_window(c))
    if (((named("window_strides") || named("lhs_dilation") || named("rhs_dilation") ||
          named("base_dilations") || named("window_dilations")) &&
         is_all(m, a, 1)) ||
        ((named("padding") || named("window_reversal")) && is_all(m, a, 0)))
      return true;
  if (c == code::gather || c == code::scatter || c == code::dynamic_gather || c == code::sort)
    return (named("indices_are_sorted") || named("unique_indices") || named("is_stable")) &&
           is_false(a);
  if (c == code::compare) return named("compare_type") && m.is(a.text, "NOTYPE");
  if (c == code::cholesky) return named("lower") && is_false(a);
  if (named("result_accuracy"))
    return m.is(a.text,
                "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>");
  return named("precision_config") && is_default_precision(m, a);
}

} // namespace weft::inline v0::stablehlo::detail
