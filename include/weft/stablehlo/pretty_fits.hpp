// SPDX-License-Identifier: BSL-1.0
// Which operations have a pretty form, how it says their types, and whether an operation has just
// the attributes that its form can say: what it cannot say would come back as something else.
#pragma once

#include <weft/stablehlo/printer.hpp>

namespace weft::inline v0::stablehlo::detail {

enum class type_form : std::uint8_t {
  none,       // the operation has no pretty form
  one,        // one type where all are the same, or from -> to
  function,   // (types) -> types
  arrow,      // types -> types, of chlo
  of_operands // types, one for each operand
};
constexpr type_form type_form_of(code c) {
  switch (c) {
    case code::abs:
    case code::add:
    case code::and_:
    case code::atan2:
    case code::cbrt:
    case code::ceil:
    case code::clamp:
    case code::cosine:
    case code::count_leading_zeros:
    case code::divide:
    case code::exponential:
    case code::exponential_minus_one:
    case code::floor:
    case code::log:
    case code::log_plus_one:
    case code::logistic:
    case code::maximum:
    case code::minimum:
    case code::multiply:
    case code::negate:
    case code::not_:
    case code::or_:
    case code::popcnt:
    case code::power:
    case code::remainder:
    case code::round_nearest_afz:
    case code::round_nearest_even:
    case code::rsqrt:
    case code::shift_left:
    case code::shift_right_arithmetic:
    case code::shift_right_logical:
    case code::sign:
    case code::sine:
    case code::sqrt:
    case code::subtract:
    case code::tan:
    case code::tanh:
    case code::xor_:
    case code::reduce_precision:
    case code::reverse:
    case code::cholesky:
    case code::iota:
    case code::partition_id:
    case code::replica_id:
    case code::create_token:
    case code::select: return type_form::one;
    case code::bitcast_convert:
    case code::broadcast:
    case code::broadcast_in_dim:
    case code::compare:
    case code::composite:
    case code::concatenate:
    case code::convert:
    case code::convolution:
    case code::custom_call:
    case code::dot:
    case code::dot_general:
    case code::rng:
    case code::set_dimension_size:
    case code::dynamic_broadcast_in_dim:
    case code::dynamic_iota:
    case code::dynamic_pad:
    case code::dynamic_reshape:
    case code::dynamic_slice:
    case code::dynamic_update_slice:
    case code::einsum:
    case code::func_call:
    case code::get_dimension_size:
    case code::get_tuple_element:
    case code::is_finite:
    case code::pad:
    case code::real_dynamic_slice:
    case code::reshape:
    case code::rng_bit_generator:
    case code::slice:
    case code::transpose:
    case code::unary_einsum: return type_form::function;
    case code::acos:
    case code::acosh:
    case code::asin:
    case code::asinh:
    case code::chlo_atan:
    case code::atanh:
    case code::bessel_i1e:
    case code::cosh:
    case code::digamma:
    case code::erf:
    case code::erf_inv:
    case code::erfc:
    case code::is_inf:
    case code::is_neg_inf:
    case code::is_pos_inf:
    case code::lgamma:
    case code::next_after:
    case code::polygamma:
    case code::sinh:
    case code::square:
    case code::chlo_tan:
    case code::top_k:
    case code::zeta: return type_form::arrow;
    case code::func_return:
    case code::stablehlo_return:
    case code::optimization_barrier: return type_form::of_operands;
    default: return type_form::none;
  }
}

// An operation while it is written: which of its attributes are.
struct pretty_operation {
  printer& p;
  operation const& o;
  growing<bool> written;

  constexpr pretty_operation(printer& to, operation const& what)
      : p(to), o(what), written(what.attribute_count, false) {}

  constexpr attribute const* take(char const* name) {
    for (int i = 0; i < o.attribute_count; ++i)
      if (p.m.is(p.m.attributes[o.first_attribute + i].name, name)) {
        written[i] = true;
        return &p.m.attributes[o.first_attribute + i];
      }
    return nullptr;
  }
  constexpr bool has(char const* name, attribute_kind kind) const {
    attribute const* const a = p.m.find(o, name);
    return a != nullptr && a->kind == kind;
  }
  // {...} of what is not written yet.
  constexpr void rest() {
    bool any = false;
    for (int i = 0; i < o.attribute_count; ++i) {
      if (written[i]) continue;
      p.w.add(any ? ", " : " {");
      attribute_writer{p.w, p.m, o.what}.entry(p.m.attributes[o.first_attribute + i]);
      any = true;
    }
    if (any) p.w.add('}');
  }
  // [1, 2], or [] of no attribute.
  constexpr void integers(attribute const* a) {
    if (a == nullptr) p.w.add("[]");
    else attribute_writer{p.w, p.m, o.what, true}.numbers(*a, p.m.text(a->name));
  }
  // The types behind " : ".
  constexpr void types(type_form form) {
    growing<int> const from = p.operand_types(o), to = p.result_types(o);
    bool same = to.size() == 1;
    int const skipped = o.what == code::select ? 1 : 0;
    for (int i = skipped; i < from.size(); ++i) same = same && from[i] == to[0];
    if (form == type_form::one && same) {
      if (skipped > 0) write_type(p.w, p.m, from[0]), p.w.add(", ");
      write_type(p.w, p.m, to[0]);
    } else if (form == type_form::arrow || form == type_form::of_operands) {
      for (int i = 0; i < from.size(); ++i) {
        if (i > 0) p.w.add(", ");
        write_type(p.w, p.m, from[i]);
      }
      if (form == type_form::of_operands) return;
      p.w.add(" -> ");
      if (to.size() == 1) write_type(p.w, p.m, to[0]);
      else write_types(p.w, p.m, to);
    } else write_function_type(p.w, p.m, from, to);
  }
};

// The number that a text without type has.
constexpr bool is_integer_of(module_ir const& m, attribute const* a, dtype d) {
  return a != nullptr && a->kind == attribute_kind::integer && a->integer >= 0 &&
         (a->type < 0 ? dtype::i64 : m.types[a->type].element) == d;
}
// A list of integers, of axes and so on.
constexpr bool is_vector_of(module_ir const& m, attribute const* a, dtype d) {
  return a != nullptr && a->kind == attribute_kind::numbers && m.types[a->type].element == d &&
         m.types[a->type].shape.rank == 1;
}
constexpr bool is_dot(module_ir const& m, attribute const* a) {
  if (a == nullptr || a->kind != attribute_kind::record) return false;
  for (int i = a->first; i < a->first + a->count; ++i)
    if (!one_of(m.text(m.attributes[i].name),
                {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                 "rhs_contracting_dimensions"}) ||
        !is_vector_of(m, &m.attributes[i], dtype::i64))
      return false;
  return true;
}
constexpr bool are_words(module_ir const& m, attribute const* a) {
  if (a == nullptr || a->kind != attribute_kind::list) return false;
  for (int i = a->first; i < a->first + a->count; ++i)
    if (m.attributes[i].kind != attribute_kind::word) return false;
  return true;
}
// An attribute may be away, and is as its key reads it.
constexpr bool key_fits(pretty_operation const& x, pretty_key const& k) {
  module_ir const& m = x.p.m;
  attribute const* const a = m.find(x.o, k.name);
  switch (k.kind) {
    case key_kind::integer: return is_integer_of(m, a, dtype::i64);
    case key_kind::integers: return is_vector_of(m, a, dtype::i64);
    case key_kind::enumerator: return x.has(k.name, attribute_kind::word);
    case key_kind::text: return x.has(k.name, attribute_kind::string);
    case key_kind::boolean: return a == nullptr || x.has(k.name, attribute_kind::boolean);
    case key_kind::batching:
    case key_kind::contracting: return is_dot(m, a);
    case key_kind::precision: return a == nullptr || are_words(m, a);
    case key_kind::algorithm: return a == nullptr || x.has(k.name, attribute_kind::record);
    default:
      attribute const* const mantissa = m.find(x.o, "mantissa_bits");
      return is_integer_of(m, a, dtype::i32) && is_integer_of(m, mantissa, dtype::i32) &&
             a->integer < 1000 && mantissa->integer < 1000;
  }
}
constexpr bool keys_fit(pretty_operation const& x) {
  for (pretty_key const& k : pretty_keys)
    if (k.what == x.o.what && !key_fits(x, k)) return false;
  return true;
}

constexpr bool slice_fits(pretty_operation const& x) {
  module_ir const& m = x.p.m;
  attribute const* const starts = m.find(x.o, "start_indices");
  for (char const* name : {"start_indices", "limit_indices", "strides"}) {
    attribute const* const a = m.find(x.o, name);
    if (!is_vector_of(m, a, dtype::i64) || a->type != starts->type) return false;
  }
  return x.o.operand_count == 1;
}
constexpr bool convolution_fits(pretty_operation const& x) {
  module_ir const& m = x.p.m;
  for (window_key const& k : window_keys) {
    attribute const* const a = m.find(x.o, k.name);
    if (a == nullptr) continue;
    bool const pairs = is_name(m.text(a->name), "padding"),
               flags = is_name(m.text(a->name), "window_reversal");
    if (!pairs && !is_vector_of(m, a, flags ? dtype::boolean : dtype::i64)) return false;
    if (pairs && a->kind != attribute_kind::numbers) return false;
    value_type const& t = m.types[a->type];
    if (pairs && (t.element != dtype::i64 || t.shape.rank != 2 || t.shape[1] != 2)) return false;
    if (flags && t.shape[0] == 0) return false;
  }
  return x.has("dimension_numbers", attribute_kind::labels);
}
constexpr bool compare_fits(pretty_operation const& x) {
  return x.o.operand_count == 2 && x.has("comparison_direction", attribute_kind::word) &&
         (x.p.m.find(x.o, "compare_type") == nullptr ||
          x.has("compare_type", attribute_kind::word));
}
// What is needed to write the operation so.
constexpr bool pretty_fits(pretty_operation const& x) {
  switch (x.o.what) {
    case code::slice: return slice_fits(x);
    case code::compare: return compare_fits(x);
    case code::convolution: return convolution_fits(x);
    case code::custom_call: return x.has("call_target_name", attribute_kind::string);
    case code::func_call: return x.has("callee", attribute_kind::symbol);
    case code::composite: return x.has("name", attribute_kind::string);
    case code::get_tuple_element:
      return x.o.operand_count == 1 && is_integer_of(x.p.m, x.p.m.find(x.o, "index"), dtype::i32);
    case code::select: return x.o.operand_count == 3;
    case code::optimization_barrier: {
      growing<int> const from = x.p.operand_types(x.o), to = x.p.result_types(x.o);
      return view<int>(from) == view<int>(to);
    }
    default:
      return keys_fit(x) && (type_form_of(x.o.what) != type_form::arrow || x.o.operand_count > 0);
  }
}

} // namespace weft::inline v0::stablehlo::detail
